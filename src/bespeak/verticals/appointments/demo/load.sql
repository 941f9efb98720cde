-- name: team_named
-- The team of a workspace that has this name; of several the first that was made.
select t.resource_id from appointments.team t where t.workspace = $1 and t.name = $2
order by t.resource_id limit 1
