-- name: properties
-- The properties of a workspace, a page by name, or one by its id; for guests ($2) those with a published
-- listing.
select p.*, stays.pictures_of(p.property_id, null) as pictures, stays.rating_of(p) as rating,
    stays.ratings_of(p) as ratings,
    (select count(*) from stays.listing s join bespeak.resource r on r.resource_id = s.resource_id
    where s.property_id = p.property_id and (r.published or not $2::boolean))::integer as listings
from stays.property p
where p.workspace = $1
    and ($3::text is null or p.property_id = $3)
    and p.searched like all($4::text[])
    and ($5::text is null or (p.name, p.property_id) > ($5, $6::text))
    and (not $2::boolean or exists (select
        from stays.listing s join bespeak.resource r on r.resource_id = s.resource_id
        where s.property_id = p.property_id and r.published))
order by p.name, p.property_id limit $7

-- name: listings
-- The listings of a workspace with their resources and properties, a page by name, or one by its number;
-- for guests ($2) what is published.
select s.*, r.price_amount, r.currency, r.payment, r.pricing, r.owner_limit, r.hold_seconds,
    r.hold_seconds_max, r.state, r.published, r.questions, r.plan, r.version,
    stays.pictures_of(null, s.resource_id) as pictures,
    to_jsonb(p) - 'searched'
        || jsonb_build_object('pictures', stays.pictures_of(p.property_id, null),
            'rating', stays.rating_of(p), 'ratings', stays.ratings_of(p)) as property,
    (select count(*) from stays.listing o join bespeak.resource q on q.resource_id = o.resource_id
        where o.property_id = p.property_id and (q.published or not $2::boolean))::integer as siblings
from stays.listing s
join stays.property p on p.property_id = s.property_id
join bespeak.resource r on r.resource_id = s.resource_id
-- Somebody may have given the resource a plan of another shape: it is no listing then.
where s.workspace = $1 and r.plan ->> 'type' = 'nights'
    and (r.published or not $2::boolean)
    and ($3::bigint is null or s.resource_id = $3)
    and ($4::text is null or s.property_id = $4)
    and ($5::text is null or (s.name, s.resource_id) > ($5, $6::bigint))
order by s.name, s.resource_id limit $7
