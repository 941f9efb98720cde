-- name: one_import
-- Imports into a workspace come one after the other: each locks many properties.
select pg_advisory_xact_lock(hashtextextended('stays import ' || $1, 0))

-- name: property_named
-- The property that a reference or an id names; what is called so comes before what has that id.
select p.property_id, p.ref from stays.property p
where p.workspace = $1 and (p.ref = $2 or p.property_id = $2) order by (p.ref = $2) is true desc limit 1

-- name: listing_named
-- The listing that a reference or a number names.
select s.resource_id, s.property_id, s.ref from stays.listing s
where s.workspace = $1 and (s.ref = $2 or s.resource_id = $3) order by (s.ref = $2) is true desc limit 1

-- name: properties
-- The properties of a workspace as they are kept, by what a sheet calls them: all, or those named so.
select p.* from stays.property p
where p.workspace = $1 and ($2::text[] is null or p.ref = any($2) or p.property_id = any($2))
order by coalesce(p.ref, p.property_id) collate "C"

-- name: listings
-- The listings of a workspace as they are kept, with what their resources say, by what a sheet calls them:
-- all, or those named so.
select s.*, coalesce(p.ref, p.property_id) as property, r.plan, r.price_amount, r.currency, r.payment,
    r.published
from stays.listing s
join stays.property p on p.property_id = s.property_id
join bespeak.resource r on r.resource_id = s.resource_id
where s.workspace = $1 and r.plan ->> 'type' = 'nights'
    and ($2::text[] is null or s.ref = any($2) or s.resource_id = any($3::bigint[]))
order by coalesce(p.ref, p.property_id) collate "C", s.ref collate "C" nulls last, s.resource_id
