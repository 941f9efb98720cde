-- name: insert_city
-- A new city; no row where its reference is taken.
insert into cinema.city (city_id, ref, name, country, time_zone, currency, content, translations)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning city_id

-- name: city
-- A city as it is, locked.
select * from cinema.city where city_id = $1 for update

-- name: update_city
-- What may change of a city; its clocks and its currency are in what was sold.
update cinema.city set name = $2, country = $3, content = $4, translations = $5 where city_id = $1

-- name: insert_cinema
-- A new cinema; no row where its reference is taken.
insert into cinema.cinema (cinema_id, ref, city_id, name, address, pricing, content, translations)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning cinema_id

-- name: cinema
-- A cinema as it is, locked.
select * from cinema.cinema where cinema_id = $1 for update

-- name: update_cinema
-- What may change of a cinema.
update cinema.cinema set name = $2, address = $3, pricing = $4, content = $5, translations = $6
where cinema_id = $1

-- name: insert_screen
-- A new screen; no row where its reference is taken.
insert into cinema.screen (screen_id, ref, cinema_id, name, features, cleaning_minutes, plan, seats,
    accessible, content, translations)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing returning screen_id

-- name: screen
-- A screen as it is, locked.
select * from cinema.screen where screen_id = $1 for update

-- name: update_screen
-- What may change of a screen.
update cinema.screen set name = $2, features = $3, cleaning_minutes = $4, plan = $5, seats = $6,
    accessible = $7, content = $8, translations = $9
where screen_id = $1

-- name: seats_back
-- Which of these seats were retired before.
select s.unit from cinema.seat s
where s.screen_id = $1 and s.unit = any($2::text[]) and s.retired_at is not null
order by s.unit limit 20

-- name: keep_seats
-- The seats of a plan; those that are there stay.
insert into cinema.seat (screen_id, unit, category)
select $1, n.unit, n.category from unnest($2::text[], $3::text[]) as n(unit, category)
on conflict (screen_id, unit) do update set category = excluded.category
where seat.category <> excluded.category

-- name: retire_seats
-- The seats that a new plan lacks.
update cinema.seat set retired_at = bespeak.now()
where screen_id = $1 and retired_at is null and unit <> all($2::text[])

-- name: insert_film
-- A new film; no row where its reference is taken.
insert into cinema.film (film_id, ref, title, original_title, tagline, synopsis, minutes, rating,
    genres, director, players, released, hues, searched, content,
    translations)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict do nothing returning film_id

-- name: film
-- A film as it is, locked.
select * from cinema.film where film_id = $1 for update

-- name: update_film
-- What may change of a film.
update cinema.film set title = $2, original_title = $3, tagline = $4, synopsis = $5, minutes = $6,
    rating = $7, genres = $8, director = $9, players = $10, released = $11, hues = $12,
    searched = $13, content = $14, translations = $15
where film_id = $1

-- name: rooms
-- Screens with all that a show in them needs to know.
select c.screen_id, c.number, c.name, c.cleaning_minutes, c.plan, k.cinema_id, k.name as cinema_name,
    k.address, c.translations as screen_translations,
    k.translations as cinema_translations, y.translations as city_translations,
    k.pricing, y.city_id, y.name as city_name, y.time_zone,
    y.currency
from cinema.screen c
join cinema.cinema k on k.cinema_id = c.cinema_id
join cinema.city y on y.city_id = k.city_id
where c.screen_id = any($1::text[])

-- name: titles
-- Films with all that a show of them needs to know.
select f.film_id, f.title, f.minutes, f.rating, f.translations
from cinema.film f where f.film_id = any($1::text[])

-- name: shows_by_ref
-- Which shows there are already, with what was said of them, locked.
select s.ref, s.resource_id, s.screen_id, s.said from cinema.show s
where s.ref = any($1::text[]) order by s.ref for update

-- name: show_by_number
-- One show with what was said of it.
select s.ref, s.resource_id, s.screen_id, s.said from cinema.show s where s.resource_id = $1

-- name: lock_screens
-- One writer of shows at a time in a screen, so that a twin waits and then sees what was written.
select 1 from cinema.screen c where c.screen_id = any($1::text[]) order by c.screen_id for update

-- name: occupant
-- A show that is in a screen within this stretch of time.
select s.resource_id from cinema.show s
where s.occupied && int8range($1, $2) and s.resource_id is distinct from $3
order by s.starts_at limit 1

-- name: vacate
-- Lets the screens of shows that were called off be used again.
update cinema.show s set occupied = null
where s.screen_id = any($1::text[]) and s.occupied is not null
    and exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)

-- name: defer_occupied
-- Shows that change places are judged together, once all have moved.
set constraints cinema.show_screen_free deferred

-- name: judge_occupied
-- Judges the shows that were moved; the constraint is the last word.
set constraints cinema.show_screen_free immediate

-- name: clashes
-- Which of these shows are in a screen at a time at which another show is.
select s.ref, o.ref as other_ref, o.resource_id as other_id
from cinema.show s
join cinema.show o on o.occupied && s.occupied and o.resource_id <> s.resource_id
where s.resource_id = any($1::bigint[])
order by s.starts_at, s.resource_id limit 100

-- name: insert_shows
-- New shows beside their resources.
insert into cinema.show (resource_id, ref, film_id, screen_id, cinema_id, city_id, starts_at,
    ends_at, day, language, subtitles, format, accessible, units_total, areas, price_from,
    occupied, said)
select n.resource_id, n.ref, n.film_id, n.screen_id, n.cinema_id, n.city_id, n.starts_at,
    n.ends_at, n.day, n.language, n.subtitles, n.format, n.accessible, n.units_total,
    array(select jsonb_array_elements_text(n.areas::jsonb)), n.price_from,
    int8range(n.occupied_from, n.occupied_until), n.said::jsonb
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::timestamptz[], $8::timestamptz[], $9::date[], $10::text[], $11::text[], $12::text[],
        $13::boolean[], $14::integer[], $15::text[], $16::bigint[], $17::bigint[], $18::bigint[],
        $19::text[])
    as n(resource_id, ref, film_id, screen_id, cinema_id, city_id, starts_at, ends_at, day, language,
        subtitles, format, accessible, units_total, areas, price_from, occupied_from,
        occupied_until, said)

-- name: update_show
-- A show that was changed with its resource. One that was called off stays out of its screen.
update cinema.show s set film_id = $3, screen_id = $4, cinema_id = $5, city_id = $6,
    starts_at = $7, ends_at = $8, day = $9, language = $10, subtitles = $11, format = $12,
    accessible = $13, units_total = $14,
    areas = array(select jsonb_array_elements_text($15::text::jsonb)), price_from = $16,
    occupied = case when exists (select from bespeak.cancellation x
        where x.resource_id = s.resource_id) then null else int8range($17, $18) end,
    said = $19::jsonb
where s.resource_id = $1 and s.ref = $2
