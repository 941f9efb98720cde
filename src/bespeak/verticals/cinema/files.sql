-- name: films
-- All films by what they may be called.
select f.film_id, f.ref, f.title from cinema.film f

-- name: screens
-- All screens by what they, their cinemas and their cities may be called.
select c.screen_id, c.ref, c.name, k.cinema_id, k.ref as cinema_ref, k.name as cinema_name,
    y.city_id, y.ref as city_ref, y.name as city_name, y.currency
from cinema.screen c
join cinema.cinema k on k.cinema_id = c.cinema_id
join cinema.city y on y.city_id = k.city_id
