-- name: lock
-- The one row of the demo's rush, for whoever wants to begin one. $1: after how many seconds of silence
-- a rush is over, since whoever ran it is gone.
select state = 'running' and reported_at > bespeak.now() - make_interval(secs => $1) as is_running, key_id
from demo.rush
for update

-- name: begin
-- Writes a new rush over the last one.
update demo.rush
set rush_id = $1, state = 'running', resource_id = $2, buyers = $3, key_id = $4, waiting_room_id = $5,
    arrived = 0, joined = 0, let_in = 0, granted = 0, refused = 0, confirmed = 0, released = 0, declined = 0,
    cancelled = 0, double_sold = 0, error = null,
    started_at = bespeak.now(), reported_at = bespeak.now()
where is_the_one

-- name: forget_key
-- Takes the key of a crowd away. It was made for that rush alone, and has never done anything else.
delete from bespeak.api_key where key_id = $1

-- name: report
-- How far a rush is, and whether the sale that it waits for has not opened yet; no row where another has
-- taken its place.
update demo.rush r
set arrived = $2, granted = $3, refused = $4, confirmed = $5, released = $6, declined = $7,
    double_sold = $8, cancelled = $9, joined = $10, let_in = $11, reported_at = bespeak.now()
where rush_id = $1 and state = 'running'
returning exists (select from bespeak.waiting_room w
    where w.room_id = r.waiting_room_id and w.state = 'scheduled') as is_early

-- name: beat
-- Says that the worker of a rush is there; what it answers is that of `report`.
update demo.rush r set reported_at = bespeak.now()
where rush_id = $1 and state = 'running'
returning exists (select from bespeak.waiting_room w
    where w.room_id = r.waiting_room_id and w.state = 'scheduled') as is_early

-- name: finish
-- The end of a rush, however it came.
update demo.rush
set state = 'done', error = $2, key_id = null, reported_at = bespeak.now()
where rush_id = $1 and state = 'running'

-- name: read
-- The rush as it stands. One that has not been heard of for $1 seconds is over.
select rush_id as id, resource_id, waiting_room_id, buyers, arrived, joined, let_in, granted, refused,
    confirmed, released, declined, cancelled, double_sold, started_at,
    case when is_silent then 'done' else state end as state,
    case when is_silent then 'interrupted' else error end as error,
    extract(epoch from reported_at - started_at)::float8 as seconds
from demo.rush
cross join lateral (
    select state = 'running' and reported_at <= bespeak.now() - make_interval(secs => $1) as is_silent
) as silence
