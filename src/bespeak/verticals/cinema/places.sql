-- name: has_place
-- Whether there is this cinema.
select exists (select from cinema.cinema where cinema_id = $1)

-- name: resources_in_place
-- Which of these resources are shows in this cinema.
select resource_id from cinema.show where cinema_id = $1 and resource_id = any($2::bigint[])
