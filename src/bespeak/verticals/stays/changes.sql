-- name: make
-- Says that something is made under an idempotency key; no row where it was used before. Of two at a time
-- the later waits.
insert into stays.made (workspace, key, kind, thing_id, content)
values ($1, $2, $3, $4, $5) on conflict do nothing returning thing_id

-- name: made
-- What was made under an idempotency key.
select m.kind, m.thing_id, m.content from stays.made m where m.workspace = $1 and m.key = $2

-- name: name_made
-- Says what was made under an idempotency key, in the transaction that made it.
update stays.made set thing_id = $3 where workspace = $1 and key = $2

-- name: insert_property
-- A new property.
insert into stays.property (workspace, property_id, ref, name, kind, stars, address, city, country, lat,
    lon, time_zone, check_in_time, check_out_time, summary, description, house_rules, amenities, languages,
    website, translations, searched, rated_elsewhere)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
    $23)

-- name: property
-- A property as it is, locked: who writes its listings, or what they take from it, comes one after the other.
select p.*, stays.pictures_of(p.property_id, null) as pictures
from stays.property p where p.workspace = $1 and p.property_id = $2 for update

-- name: update_property
-- What may change of a property.
update stays.property set ref = $3, name = $4, kind = $5, stars = $6, address = $7, city = $8, country = $9,
    lat = $10, lon = $11, time_zone = $12, check_in_time = $13, check_out_time = $14, summary = $15,
    description = $16, house_rules = $17, amenities = $18, languages = $19, website = $20,
    translations = $21, searched = $22, rated_elsewhere = $23
where workspace = $1 and property_id = $2

-- name: count_listings
-- How many listings a property has.
select count(*)::integer from stays.listing s where s.property_id = $1

-- name: listings_of_property
-- The listings of a property, by number: whoever writes several of them takes them in this order.
select s.* from stays.listing s where s.property_id = $1 order by s.resource_id

-- name: insert_listing
-- A new listing beside its resource.
insert into stays.listing (workspace, resource_id, property_id, ref, name, guests, beds, square_metres,
    amenities, summary, description, translations)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: property_of_listing
-- Of which property a listing is; that never changes.
select s.property_id from stays.listing s where s.workspace = $1 and s.resource_id = $2

-- name: listing
-- A listing as it is, locked.
select s.*, stays.pictures_of(null, s.resource_id) as pictures
from stays.listing s where s.workspace = $1 and s.resource_id = $2 for update

-- name: update_listing
-- What may change of a listing.
update stays.listing set ref = $3, name = $4, guests = $5, beds = $6, square_metres = $7, amenities = $8,
    summary = $9, description = $10, translations = $11
where workspace = $1 and resource_id = $2
