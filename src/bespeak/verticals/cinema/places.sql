-- name: has_cinema
-- Whether there is this cinema.
select exists (select from cinema.cinema where cinema_id = $1)

-- name: shows_in_cinema
-- Which of these resources are shows in this cinema.
select resource_id from cinema.show where cinema_id = $1 and resource_id = any($2::bigint[])
