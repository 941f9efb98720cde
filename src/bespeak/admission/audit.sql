-- name: room
-- A room, for its audit.
select w.room_id, w.name, w.state, w.early_order, w.early_opens_at, w.opens_at, w.opened_at, w.seed,
    w.public_value, bespeak.openings_taken_back(w.room_id) as taken_back, bespeak.now() as as_of
from bespeak.waiting_room w where w.room_id = $1

-- name: changes
-- What was said of it until then, and by whom, the earliest first: so many behind one of them.
select c.at, c.actor, c.changed, c.change_id
from bespeak.waiting_room_change c
where c.room_id = $1 and c.at <= $2 and c.change_id > $4
order by c.change_id limit $3

-- name: fronts
-- How the fronts of its queues moved until then: so many behind one by the number of its queue and itself.
select q.name as queue, f.moved_at, f.front, f.queue as number
from bespeak.waiting_front f
join bespeak.waiting_queue q on q.room_id = f.room_id and q.queue = f.queue
where f.room_id = $1 and f.moved_at <= $2 and (f.queue, f.front) > ($4::bigint, $5::bigint)
order by f.queue, f.front limit $3

-- name: passes
-- Who was let in until then, by their digests, the earliest first: so many behind one by when that was, and
-- the digest.
select q.name as queue, p.subject, p.place_key, p.given_at, p.expires_at, p.ended_at, p.ended_as
from bespeak.waiting_pass p
join bespeak.waiting_queue q on q.room_id = p.room_id and q.queue = p.queue
where p.room_id = $1 and p.given_at <= $2 and (p.given_at, p.subject) > ($4::timestamptz, $5::bytea)
order by p.given_at, p.subject limit $3
