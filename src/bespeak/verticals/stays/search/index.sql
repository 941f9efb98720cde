-- name: numbers
-- The listings behind a number, so many at most: all listings are read in parts of these.
select s.resource_id from stays.listing s where s.resource_id > $1 order by s.resource_id limit $2

-- name: listings
-- Listings by their numbers with all that the search knows of them: what they are, by which rules they are
-- sold, and what of them is taken from a date on. Without claims or draws that have lapsed.
select s.resource_id, s.workspace, s.name, s.summary, s.guests, s.beds, s.amenities, s.translations,
    p.property_id, p.name as property_name, p.kind, p.stars, p.city, p.country, p.lat, p.lon,
    stays.rating_of(p) as rating, stays.ratings_of(p) as ratings,
    p.amenities as property_amenities, p.translations as property_translations,
    r.plan, jsonb_strip_nulls(jsonb_build_object(
        'fees', r.pricing -> 'fees', 'taxes', r.pricing -> 'taxes')) as charges,
    r.price_amount, r.currency, r.time_zone, r.published, r.state, r.opens_at, r.closes_at,
    array(select c.unit from bespeak.claim c where c.resource_id = s.resource_id
        and c.expires_at > (select bespeak.now()) and right(c.unit, 10) >= $2) as claimed,
    o.pools, o.drawn,
    f.digest as picture, c.width as picture_width, c.height as picture_height,
    f.description as picture_description
from unnest($1::bigint[]) as n(resource_id)
join stays.listing s on s.resource_id = n.resource_id
join stays.property p on p.property_id = s.property_id
-- Each by its key: how many plans are of nights is guessed badly, and then all resources are read for a few.
cross join lateral (select * from bespeak.resource r where r.resource_id = s.resource_id offset 0) r
-- As stays.drawn says it, by the row that is at hand.
cross join lateral (
    select coalesce(array_agg(o.unit), '{}') as pools,
        coalesce(array_agg((o.taken - case when o.lapses_at <= (select bespeak.now()) then coalesce((
            select sum(d.quantity) from bespeak.draw d
            where d.resource_id = o.resource_id and d.unit = o.unit
                and d.expires_at <= (select bespeak.now())), 0) else 0 end)::integer), '{}') as drawn
    from bespeak.pool o
    where o.resource_id = s.resource_id and o.unit not like 'owner:%' and right(o.unit, 10) >= $2
) o
-- Its own first picture, or that of its property: looked up for each by its index.
left join lateral (
    (select w.digest, w.description, 1 as turn from stays.shown_picture w
    where w.resource_id = s.resource_id order by w.place limit 1)
    union all
    (select w.digest, w.description, 2 from stays.shown_picture w
    where w.property_id = s.property_id collate "default" order by w.place limit 1)
    order by turn limit 1
) f on true
left join stays.picture c on c.digest = f.digest
-- Somebody may have given the resource a plan of another shape: it is no listing then.
where r.plan ->> 'type' = 'nights'
    -- Of a region, where $3 is not null: up to $4 degrees eastwards of $3, from the parallel $5 to $6.
    and ($3::float8 is null or (p.lat between $5 and $6
        and p.lon - $3 - 360 * floor((p.lon - $3) / 360) <= $4))
order by s.resource_id

-- name: rated
-- All listings of the properties of some listings, with what guests think of each: of a rating one listing of
-- its property is told.
select s.resource_id, coalesce(stays.rating_of(p), 0) as rating, stays.ratings_of(p) as ratings
from stays.listing s join stays.property p on p.property_id = s.property_id
where s.property_id in (select n.property_id from stays.listing n where n.resource_id = any($1::bigint[]))

-- name: units
-- How these units stand now: whether somebody has the night of a room, and how many of a type are taken.
select u.resource_id, u.unit,
    exists (select from bespeak.claim c where c.resource_id = u.resource_id and c.unit = u.unit
        and c.expires_at > bespeak.now()) as is_taken,
    coalesce(stays.drawn(u.resource_id, u.unit), 0) as drawn
from unnest($1::bigint[], $2::text[]) as u(resource_id, unit)

-- name: any
-- Whether there is any listing at all: without one there is nothing to follow.
select exists (select from stays.listing)
