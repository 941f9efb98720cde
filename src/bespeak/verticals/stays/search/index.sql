-- name: page
-- Listings with all that the search knows of them, a page by number: what they are, by which rules they are
-- sold, and what of them is taken from a date on. Without claims or draws that have lapsed.
select l.*, f.digest as picture, c.width as picture_width, c.height as picture_height,
    f.description as picture_description
from (
    select s.resource_id, s.workspace, s.name, s.summary, s.guests, s.beds, s.amenities, s.translations,
        p.property_id, p.name as property_name, p.kind, p.stars, p.city, p.country, p.lat, p.lon,
        stays.rating_of(p) as rating, stays.ratings_of(p) as ratings,
        p.amenities as property_amenities, p.translations as property_translations,
        r.plan, jsonb_strip_nulls(jsonb_build_object(
            'fees', r.pricing -> 'fees', 'taxes', r.pricing -> 'taxes')) as charges,
        r.price_amount, r.currency, r.time_zone, r.published, r.state, r.opens_at, r.closes_at,
        array(select c.unit from bespeak.claim c where c.resource_id = s.resource_id
            and c.expires_at > bespeak.now() and right(c.unit, 10) >= $3) as claimed,
        array(select o.unit from bespeak.pool o where o.resource_id = s.resource_id
            and o.unit not like 'owner:%' and right(o.unit, 10) >= $3 order by o.unit) as pools,
        array(select stays.drawn(o.resource_id, o.unit) from bespeak.pool o
            where o.resource_id = s.resource_id and o.unit not like 'owner:%'
                and right(o.unit, 10) >= $3 order by o.unit) as drawn
    from stays.listing s
    join stays.property p on p.property_id = s.property_id
    join bespeak.resource r on r.resource_id = s.resource_id
    -- Somebody may have given the resource a plan of another shape: it is no listing then.
    where s.resource_id > $1 and r.plan ->> 'type' = 'nights'
        and ($4::bigint[] is null or s.resource_id = any($4))
        -- Of a region, where $5 is not null: up to $6 degrees eastwards of $5, from the parallel $7 to $8.
        and ($5::float8 is null or (p.lat between $7 and $8
            and p.lon - $5 - 360 * floor((p.lon - $5) / 360) <= $6))
    order by s.resource_id limit $2
) l
-- Its own first picture, or that of its property: looked up for the page alone, each by its index.
left join lateral (
    (select w.digest, w.description, 1 as turn from stays.shown_picture w
    where w.resource_id = l.resource_id order by w.place limit 1)
    union all
    (select w.digest, w.description, 2 from stays.shown_picture w
    where w.property_id = l.property_id collate "default" order by w.place limit 1)
    order by turn limit 1
) f on true
left join stays.picture c on c.digest = f.digest
order by l.resource_id

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
