-- name: by_starts_at
-- A page of resources by when they start, those without a time last.
select r.resource_id, r.version, r.name, r.kind, r.state, r.starts_at, r.time_zone, r.closes_at,
    r.currency, coalesce(r.starts_at, 'infinity')::text as place
from bespeak.resource r
where (coalesce(r.starts_at, 'infinity'), r.resource_id)
        > (coalesce($1::text, '-infinity')::timestamptz, $2)
    and ($3::text is null or r.kind = $3) and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or r.starts_at >= $5)
    and ($6::timestamptz is null or r.starts_at < $6)
    and ($7::text is null or r.name ilike $7 or r.resource_id = $8 or exists (
        select from jsonb_each_text(r.attributes) as a where a.value ilike $7))
    and ($10::text is null or r.workspace = $10)
order by coalesce(r.starts_at, 'infinity'), r.resource_id limit $9

-- name: by_name
-- A page of resources by their names.
select r.resource_id, r.version, r.name, r.kind, r.state, r.starts_at, r.time_zone, r.closes_at,
    r.currency, r.name as place
from bespeak.resource r
where (r.name, r.resource_id) > (coalesce($1::text, ''), $2)
    and ($3::text is null or r.kind = $3) and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or r.starts_at >= $5)
    and ($6::timestamptz is null or r.starts_at < $6)
    and ($7::text is null or r.name ilike $7 or r.resource_id = $8 or exists (
        select from jsonb_each_text(r.attributes) as a where a.value ilike $7))
    and ($10::text is null or r.workspace = $10)
order by r.name, r.resource_id limit $9

-- name: by_sold
-- A page of resources by how many of their units are sold, the most first.
select r.resource_id, r.version, r.name, r.kind, r.state, r.starts_at, r.time_zone, r.closes_at,
    r.currency, coalesce(s.sold, 0)::text as place
from bespeak.resource r
left join (
    select t.resource_id, sum(t.units)::bigint as sold from (
        select c.resource_id, count(*) as units from bespeak.claim c
        where c.expires_at = 'infinity' and not bespeak.is_block(c.hold_id) group by 1
        union all
        select d.resource_id, sum(d.quantity) from bespeak.draw d
        where d.expires_at = 'infinity' and not bespeak.is_block(d.hold_id)
            and d.unit not like 'owner:%' group by 1
    ) t group by 1
) s on s.resource_id = r.resource_id
where (-coalesce(s.sold, 0), r.resource_id) > (-coalesce($1::text, '9000000000000000')::bigint, $2)
    and ($3::text is null or r.kind = $3) and ($4::text is null or r.state = $4)
    and ($5::timestamptz is null or r.starts_at >= $5)
    and ($6::timestamptz is null or r.starts_at < $6)
    and ($7::text is null or r.name ilike $7 or r.resource_id = $8 or exists (
        select from jsonb_each_text(r.attributes) as a where a.value ilike $7))
    and ($10::text is null or r.workspace = $10)
order by -coalesce(s.sold, 0), r.resource_id limit $9

-- name: taken
-- What is taken of some resources, by what holds it; and the prices of their bookings.
select k.resource_id, t.sold, t.held, t.blocked, coalesce(b.amount, 0)::bigint as amount
from unnest($1::bigint[]) as k(resource_id)
cross join lateral (
    select
        coalesce(sum(l.units) filter (where l.lasts and not l.is_block), 0)::bigint as sold,
        coalesce(sum(l.units) filter (where not l.lasts), 0)::bigint as held,
        coalesce(sum(l.units) filter (where l.lasts and l.is_block), 0)::bigint as blocked
    from (
        select 1 as units, c.expires_at = 'infinity' as lasts,
            bespeak.is_block(c.hold_id) as is_block
        from bespeak.claim c
        where c.resource_id = k.resource_id and c.expires_at > bespeak.now()
        union all
        select d.quantity, d.expires_at = 'infinity', bespeak.is_block(d.hold_id)
        from bespeak.draw d
        where d.resource_id = k.resource_id and d.expires_at > bespeak.now()
            and d.unit not like 'owner:%'
    ) l
) t
left join lateral (
    select sum(b.amount) as amount from bespeak.booking b
    where b.resource_id = k.resource_id and b.state = 'confirmed'
) b on true
