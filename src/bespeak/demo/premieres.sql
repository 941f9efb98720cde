-- name: lock
-- The premiere there is, for whoever makes one.
select p.resource_id, p.room_id from demo.premiere p for update

-- name: keep
-- From now on this is the premiere.
insert into demo.premiere (resource_id, room_id) values ($1, $2)
on conflict (is_the_one) do update set resource_id = excluded.resource_id, room_id = excluded.room_id

-- name: read
-- The premiere: its show, and when the sale begins; no row where there is none, or it is over.
select p.resource_id, p.room_id, r.name, w.opens_at, w.state, w.sold_out
from demo.premiere p
join bespeak.resource r on r.resource_id = p.resource_id
join bespeak.waiting_room w on w.room_id = p.room_id
where w.state <> 'ended' and r.starts_at > bespeak.now()
