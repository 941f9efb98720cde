-- name: loaded
-- How far the demo's listings are loaded: the reference of the last house, how many listings there are, and
-- in how many cities.
select max(p.ref collate "C") as last, count(s.resource_id)::integer as listings,
    count(distinct p.city)::integer as cities
from stays.property p
left join stays.listing s on s.property_id = p.property_id
where p.workspace = $1 and p.ref ~ '^demo-[0-9]{7}$'

-- name: insert_properties
-- New properties, as JSON rows of the table's own columns; it comes as text, for no codec.
insert into stays.property (
    workspace, property_id, ref, name, kind, stars, address, city, country, lat, lon, time_zone,
    check_in_time, check_out_time, summary, description, house_rules, amenities, languages,
    website, translations, searched, rated_elsewhere)
select
    n.workspace, n.property_id, n.ref, n.name, n.kind, n.stars, n.address, n.city, n.country,
    n.lat, n.lon, n.time_zone, n.check_in_time, n.check_out_time, n.summary, n.description,
    n.house_rules, n.amenities, n.languages, n.website, n.translations, n.searched,
    nullif(n.rated_elsewhere, 'null')
from jsonb_populate_recordset(null::stays.property, $1::text::jsonb) n

-- name: insert_listings
-- New listings, as JSON rows of the table's own columns; it comes as text, for no codec.
insert into stays.listing (
    workspace, resource_id, property_id, ref, name, guests, beds, square_metres, amenities,
    summary, description, translations)
select
    n.workspace, n.resource_id, n.property_id, n.ref, n.name, n.guests, n.beds, n.square_metres,
    n.amenities, n.summary, n.description, n.translations
from jsonb_populate_recordset(null::stays.listing, $1::text::jsonb) n

-- name: keep_pictures
-- Keeps the drawings. As new as they are, nobody lets them go before they are shown.
insert into stays.picture (digest, content, card, width, height, added_at)
select d.digest, d.content, d.card, d.width, d.height, bespeak.now()
from unnest($1::text[], $2::bytea[], $3::bytea[], $4::integer[], $5::integer[])
    as d(digest, content, card, width, height)
on conflict (digest) do update set added_at = excluded.added_at

-- name: show_pictures
-- What new properties and listings show, as JSON rows of the table's own columns.
insert into stays.shown_picture (property_id, resource_id, place, digest, description)
select n.property_id, n.resource_id, n.place, n.digest, n.description
from jsonb_populate_recordset(null::stays.shown_picture, $1::text::jsonb) n

-- name: block_nights
-- Takes nights out of sale, a block for each listing, as `bespeak.block_units` does it for one. The listings
-- are new in this transaction, so that nobody else takes of them.
with night as materialized (
    select s.resource_id, s.block_id, s.quantity, s.capacity,
        coalesce(s.room || '@', '') || to_char(s.start + n.n, 'YYYY-MM-DD') as unit
    from unnest($1::bigint[], $2::uuid[], $3::date[], $4::integer[], $5::text[], $6::integer[],
            $7::integer[])
        as s(resource_id, block_id, start, nights, room, quantity, capacity)
    cross join generate_series(0, s.nights - 1) as n(n)
), blocked as (
    insert into bespeak.block (resource_id, block_id, reason, units, quantities, created_at)
    select n.resource_id, n.block_id, $8, array_agg(n.unit order by n.unit),
        array_agg(n.quantity order by n.unit), bespeak.now()
    from night n group by n.resource_id, n.block_id
    returning resource_id, block_id, units, quantities
), claimed as (
    insert into bespeak.claim (resource_id, unit, hold_id, expires_at)
    select n.resource_id, n.unit, n.block_id, 'infinity' from night n
    where n.quantity is null order by n.resource_id, n.unit collate "C"
), pooled as (
    insert into bespeak.pool (resource_id, unit, capacity, taken)
    select n.resource_id, n.unit, n.capacity, n.quantity from night n
    where n.quantity is not null order by n.resource_id, n.unit collate "C"
), drawn as (
    insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
    select n.resource_id, n.unit, n.block_id, n.quantity, 'infinity' from night n
    where n.quantity is not null order by n.resource_id, n.unit collate "C"
)
insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
select b.resource_id, bespeak.horizon(), 'blocked', b.block_id, b.units, b.quantities, bespeak.now(),
    null  -- nobody acts where a demo is loaded
from blocked b order by b.resource_id

-- name: featured
-- The first listings of the demo.
select s.resource_id from stays.listing s
where s.workspace = $1 and s.ref ~ '^demo-' order by s.ref collate "C" limit $2

-- name: settle
-- Writes all of the load to disk now, so that a server that is told to stop need not do it then.
checkpoint

-- name: count_rows
-- Tells the planner at once how much there is, for what asks for all of it before it finds out by itself.
analyze bespeak.resource, bespeak.block, bespeak.claim, bespeak.pool, bespeak.draw,
    stays.property, stays.listing, stays.shown_picture
