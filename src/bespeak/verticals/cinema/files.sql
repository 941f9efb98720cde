-- name: films
-- All films by what they may be called.
select f.film_id, f.ref, f.title from cinema.film f

-- name: screens
-- All screens by what they, their cinemas and their cities may be called.
select c.screen_id, c.ref, c.name, k.cinema_id, k.ref as cinema_ref, k.name as cinema_name,
    y.city_id, y.ref as city_ref, y.name as city_name, y.currency, y.time_zone
from cinema.screen c
join cinema.cinema k on k.cinema_id = c.cinema_id
join cinema.city y on y.city_id = k.city_id

-- name: words
-- What is kept of translations, of the cities, cinemas, screens and films with these ids.
select city_id as id, translations from cinema.city where city_id = any($1)
union all
select cinema_id, translations from cinema.cinema where cinema_id = any($1)
union all
select screen_id, translations from cinema.screen where screen_id = any($1)
union all
select film_id, translations from cinema.film where film_id = any($1)

-- name: show_words
-- What is kept of translations, of the shows with these references.
select ref, said -> 'translations' as translations from cinema.show where ref = any($1)

-- name: pricings
-- The pricing of cinemas, which no sheet can say.
select cinema_id, pricing from cinema.cinema where cinema_id = any($1)

-- name: hues
-- The colours of films without a picture, which no sheet can say.
select film_id, ref, hues from cinema.film where film_id = any($1)

-- name: all_films
-- Films as they are kept, for a sheet of all.
select * from cinema.film order by title, film_id
