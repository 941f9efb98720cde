-- name: last_evening
-- When the last show of a screen begins that is still to come.
select max(s.starts_at) from cinema.show s where s.screen_id = $1 and s.starts_at > $2
