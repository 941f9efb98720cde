-- name: moves
-- How often a booking was moved to other units, of which the feed still tells, and when it was last.
select count(*)::integer as moves, max(e.at) as moved_at from bespeak.event e
where e.hold_id = $1 and e.kind = 'moved'
