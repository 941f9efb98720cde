-- name: has_place
-- Whether the default workspace has this venue: keys of others are bound to no place.
select exists (select from programme.venue where venue_id = $1 and workspace = 'default')

-- name: resources_in_place
-- Which of these resources are performances in this venue.
select resource_id from programme.performance where venue_id = $1 and resource_id = any($2::bigint[])
