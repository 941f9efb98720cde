-- name: to_come
-- The performances of the demo's venue that are still to come, by time.
select s.resource_id from programme.performance s
where s.venue_id = $1 and s.starts_at > $2 order by s.starts_at, s.resource_id
