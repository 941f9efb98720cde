-- name: cities
-- All cities with how many cinemas they have and how many shows are still to come, for guests ($2) of
-- those that are published.
select c.city_id as id, c.name, c.translations, c.country, c.time_zone, c.currency,
    (select count(*) from cinema.cinema k where k.city_id = c.city_id)::integer as cinemas,
    (select count(*) from cinema.show s where s.city_id = c.city_id and s.starts_at > bespeak.now()
        and not exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
        and (not $2::boolean or not exists (select from bespeak.resource u
            where u.resource_id = s.resource_id and not u.published))
    )::integer as shows
from cinema.city c
where $1::text is null or c.city_id = $1
order by c.name, c.city_id limit 1000

-- name: films
-- A page of films, those released last first, with what the shows that match have to offer; and of
-- each filter what is left to choose when the others stay as they are. For guests ($13) only shows that are
-- published count.
with moment as materialized (
    select bespeak.now() as now
), found as materialized (
    select f.* from cinema.film f where f.searched like all($6::text[])
), upcoming as materialized (
    select s.resource_id, s.film_id, s.starts_at, s.language, s.format, s.day, s.city_id,
        f.genres,
        $2::date is null or s.day = $2 as of_date,
        $3::text is null or s.language = $3 as of_language,
        $4::text is null or s.format = $4 as of_format,
        $7::text is null or $7 = any(f.genres) as of_genre
    from cinema.show s
    join found f on f.film_id = s.film_id
    cross join moment m
    where s.starts_at > m.now
        and ($1::text is null or s.city_id = $1)
        and ($5::boolean is not true or s.accessible)
        and not exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
        and (not $13::boolean or not exists (select from bespeak.resource u
            where u.resource_id = s.resource_id and not u.published))
), counted as (
    select u.film_id, count(*)::integer as shows,
        array_agg(distinct u.language) as languages, array_agg(distinct u.format) as formats,
        (array_agg(u.resource_id order by u.starts_at, u.resource_id))[1] as next_id
    from upcoming u where u.of_date and u.of_language and u.of_format and u.of_genre
    group by u.film_id
), page as (
    select f.film_id as id, f.title, f.original_title, f.tagline, f.synopsis, f.minutes, f.rating,
        f.translations, f.genres, f.director, f.players as "cast", f.released, f.hues,
        md5(f.poster) as picture,
        coalesce(c.languages, '{}') as languages, coalesce(c.formats, '{}') as formats,
        coalesce(c.shows, 0) as shows, c.next_id, n.starts_at as next_starts_at,
        n.city_id as next_city_id, y.time_zone as next_time_zone
    from found f
    left join counted c on c.film_id = f.film_id
    left join cinema.show n on n.resource_id = c.next_id
    left join cinema.city y on y.city_id = n.city_id
    where (c.film_id is not null or not $8::boolean)
        and ($7::text is null or $7 = any(f.genres))
        and ($9::date is null or f.released < $9 or (f.released = $9 and f.film_id > $10))
        and ($12::text is null or f.film_id = $12)
    order by f.released desc, f.film_id limit $11
)
select
    coalesce((select jsonb_agg(p order by p.released desc, p.id) from page p), '[]') as items,
    jsonb_build_object(
        'languages', (select coalesce(jsonb_agg(distinct u.language), '[]') from upcoming u
            where u.of_date and u.of_format and u.of_genre),
        'formats', (select coalesce(jsonb_agg(distinct u.format), '[]') from upcoming u
            where u.of_date and u.of_language and u.of_genre),
        'genres', (select coalesce(jsonb_agg(distinct g.genre), '[]')
            from upcoming u, unnest(u.genres) as g(genre)
            where u.of_date and u.of_language and u.of_format),
        'dates', (select coalesce(jsonb_agg(d.day order by d.day), '[]') from (
            select distinct u.day from upcoming u
            where u.of_language and u.of_format and u.of_genre order by u.day limit 60) d)
    ) as facets

-- name: film
-- What a poster is made of.
select f.title, f.director, f.released, f.hues, f.poster, md5(f.poster) as picture
from cinema.film f where f.film_id = $1

-- name: shows
-- A page of shows by time, each with how much of it is free: claims that have lapsed are not counted,
-- as the next taker would not be stopped by them either. What is drawn of areas to stand in counts.
-- A date has its past shows too. Guests ($12) see those that are published.
with moment as materialized (
    select bespeak.now() as now
), page as materialized (
    select s.* from cinema.show s cross join moment m
    where ($1::text is null or s.film_id = $1)
        and ($2::text is null or s.city_id = $2)
        and ($3::text is null or s.cinema_id = $3)
        and ($4::date is null or s.day = $4)
        and ($5::text is null or s.language = $5)
        and ($6::text is null or s.format = $6)
        and ($7::boolean is not true or s.accessible)
        and ($4::date is not null or $10::bigint is not null or s.starts_at > m.now)
        and ($8::timestamptz is null or (s.starts_at, s.resource_id) > ($8, $9::bigint))
        and ($10::bigint is null or s.resource_id = $10)
        and (not $12::boolean or not exists (select from bespeak.resource u
            where u.resource_id = s.resource_id and not u.published))
    order by s.starts_at, s.resource_id limit $11
)
select p.resource_id, p.starts_at, p.ends_at, p.language, p.subtitles, p.format, p.accessible,
    p.price_from, p.units_total,
    f.film_id, f.title, f.minutes, f.rating, f.director, f.released, f.hues,
    md5(f.poster) as picture,
    k.cinema_id, k.name as cinema_name, k.address,
    y.city_id, y.name as city_name, y.time_zone,
    c.screen_id, c.name as screen_name, c.features,
    r.currency, r.published, r.translations,
    greatest(0, p.units_total - t.taken) as units_free,
    case
        when exists (select from bespeak.cancellation x where x.resource_id = p.resource_id)
            then 'called_off'
        when r.state = 'closed' or r.closes_at <= m.now then 'closed'
        when r.opens_at > m.now then 'not_yet'
        when p.units_total <= t.taken then 'sold_out'
        else 'on_sale'
    end as state
from page p
cross join moment m
join bespeak.resource r on r.resource_id = p.resource_id
join cinema.film f on f.film_id = p.film_id
join cinema.cinema k on k.cinema_id = p.cinema_id
join cinema.city y on y.city_id = p.city_id
join cinema.screen c on c.screen_id = p.screen_id
cross join lateral bespeak.places_taken(p.resource_id, p.areas, m.now) t
order by p.starts_at, p.resource_id

-- name: cinemas
-- The cinemas, of a city or all, a page by their names; or one of them, with its pricing.
select k.cinema_id, k.name, k.address, y.city_id, y.name as city_name, y.time_zone,
    k.translations, y.translations as city_translations,
    (select count(*) from cinema.screen c where c.cinema_id = k.cinema_id)::integer as screens,
    case when $5::text is null then null else k.pricing end as pricing
from cinema.cinema k
join cinema.city y on y.city_id = k.city_id
where ($1::text is null or k.city_id = $1)
    and ($2::text is null or (k.name, k.cinema_id) > ($2, $3::text))
    and ($5::text is null or k.cinema_id = $5)
order by k.name, k.cinema_id limit $4

-- name: screens
-- The screens, of a cinema or all, without their plans.
select c.screen_id, c.name, c.features, c.cleaning_minutes, c.seats, c.accessible, c.cinema_id,
    c.translations, k.translations as cinema_translations,
    k.name as cinema_name, case when $5::text is null then null else c.plan end as plan
from cinema.screen c
join cinema.cinema k on k.cinema_id = c.cinema_id
where ($1::text is null or c.cinema_id = $1)
    and ($2::text is null or (c.name, c.screen_id) > ($2, $3::text))
    and ($5::text is null or c.screen_id = $5)
order by c.name, c.screen_id limit $4
