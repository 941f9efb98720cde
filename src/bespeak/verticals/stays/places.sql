-- name: has_place
-- Whether the default workspace has this property: keys of others are bound to no place.
select exists (select from stays.property where property_id = $1 and workspace = 'default')

-- name: resources_in_place
-- Which of these resources are listings of this property.
select resource_id from stays.listing where property_id = $1 and resource_id = any($2::bigint[])
