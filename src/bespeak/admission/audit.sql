-- name: room
-- A room, for its audit.
select w.room_id, w.name, w.state, w.early_order, w.early_opens_at, w.opens_at, w.opened_at, w.seed,
    w.public_value, bespeak.now() as as_of
from bespeak.waiting_room w where w.room_id = $1

-- name: changes
-- What was said of it, and by whom, the earliest first.
select c.at, c.actor, c.changed from bespeak.waiting_room_change c where c.room_id = $1 order by c.change_id

-- name: fronts
-- How the fronts of its queues moved.
select q.name as queue, f.moved_at, f.front
from bespeak.waiting_front f
join bespeak.waiting_queue q on q.room_id = f.room_id and q.queue = f.queue
where f.room_id = $1 order by f.queue, f.front

-- name: passes
-- Who was let in, by their digests, the earliest first.
select q.name as queue, p.subject, p.place_key, p.given_at, p.expires_at, p.ended_at, p.ended_as
from bespeak.waiting_pass p
join bespeak.waiting_queue q on q.room_id = p.room_id and q.queue = p.queue
where p.room_id = $1 order by p.given_at, p.subject
