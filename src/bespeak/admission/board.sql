-- name: rooms
-- The rooms that are not over, or have been for less than a day, so that those who wait there hear of it;
-- with their queues, and what is behind them. A key before `lost_before` was called longer ago than the
-- room's grace, which stands still while nobody has looked after the room for longer than so many seconds
-- ($2); `front_before` is where the front was so many seconds ago ($1).
select w.room_id, w.workspace, w.name, w.state, w.early_order, w.early_opens_at, w.opens_at, w.pace,
    w.a_minute, w.inside_max, w.pass_seconds, w.grace_seconds, w.units_max, w.message, w.challenge,
    w.draining, w.seed, w.public_value, w.opened_at, w.sold_out, w.version, w.credit, w.units_left,
    w.units_a_place, w.payments, w.categories, bespeak.openings_taken_back(w.room_id) as taken_back,
    bespeak.now() as answered_at,
    extract(epoch from bespeak.now() - greatest(w.steered_at, w.created_at))::float8 as step_seconds,
    array(select t.resource_id from bespeak.waiting_room_resource t where t.room_id = w.room_id) as resources,
    (select jsonb_agg(jsonb_build_object('queue', q.queue, 'name', q.name, 'share', q.share,
            'invited', q.invited, 'front', q.front,
            'lost_before', coalesce((select max(c.front) from bespeak.waiting_call c
                where c.room_id = w.room_id and c.queue = q.queue
                    and c.called_at <= case when w.steered_at < bespeak.now() - make_interval(secs => $2)
                        then w.steered_at else bespeak.now() end
                        - make_interval(secs => w.grace_seconds)), 0),
            'front_before', coalesce((select max(c.front) from bespeak.waiting_call c
                where c.room_id = w.room_id and c.queue = q.queue
                    and c.called_at <= bespeak.now() - make_interval(secs => $1)), 0))
        order by q.queue) from bespeak.waiting_queue q where q.room_id = w.room_id) as queues
from bespeak.waiting_room w
where w.state <> 'ended' or w.updated_at > bespeak.now() - interval '1 day'
order by w.room_id

-- name: joins
-- How many joined, by the tick, of the same rooms: what was noted since a time.
select j.room_id, j.queue, j.tick, j.joined from bespeak.waiting_join j
where j.noted_at >= $1
    and exists (select from bespeak.waiting_room w where w.room_id = j.room_id
        and (w.state <> 'ended' or w.updated_at > bespeak.now() - interval '1 day'))
order by j.room_id, j.queue, j.tick

-- name: passes_over
-- Whose passes of the same rooms were ended since a time ($1), of those that would still be good by
-- themselves: all that were given until then, or, of somebody who is inside again, before then. So many ($2)
-- at most, those that would be good longest.
select p.subject, p.given_at, p.ended_at is null as is_inside,
    greatest(case when p.ended_at is not null then p.expires_at end, p.earlier_until) as until
from bespeak.waiting_room w
join bespeak.waiting_pass p on p.room_id = w.room_id
where w.state <> 'ended' and greatest(p.given_at, p.ended_at) >= $1
    and (p.ended_as in ('bought', 'left') or p.earlier_until is not null)
    and greatest(case when p.ended_at is not null then p.expires_at end, p.earlier_until) > bespeak.now()
order by until desc limit $2

-- name: now
-- The database's time, twice: the one that decides, and the one of its machine.
select bespeak.now() as now

-- name: note_joins
-- Adds what a process counted to the joins, in key order, so that processes do not deadlock.
insert into bespeak.waiting_join as j (room_id, queue, tick, joined, noted_at)
select c.room_id, c.queue, c.tick, c.joined, bespeak.now()
from unnest($1::text[], $2::smallint[], $3::bigint[], $4::integer[]) as c(room_id, queue, tick, joined)
order by c.room_id, c.queue, c.tick
on conflict (room_id, queue, tick) do update
    set joined = j.joined + excluded.joined, noted_at = excluded.noted_at

-- name: note_again
-- Counts one in each of some ticks of which nothing is noted. Several processes may find the same ones: it is
-- counted once.
insert into bespeak.waiting_join (room_id, queue, tick, joined, noted_at)
select c.room_id, c.queue, c.tick, 1, bespeak.now()
from unnest($1::text[], $2::smallint[], $3::bigint[]) as c(room_id, queue, tick)
order by c.room_id, c.queue, c.tick
on conflict (room_id, queue, tick) do nothing
