-- name: teams
-- The teams of a workspace with their resources, a page by name, or one by its number; for guests ($2) what
-- is published. A page is without hours, which nobody reads of so many.
select t.*, r.price_amount, r.currency, r.payment, r.pricing, r.owner_limit, r.hold_seconds,
    r.hold_seconds_max, r.state, r.published, r.questions, r.version, r.time_zone,
    case when $3::bigint is not null then r.plan else r.plan - array['weekly', 'exceptions', 'holidays']
        || jsonb_build_object('providers', (select coalesce(jsonb_agg(p.one - array['weekly', 'exceptions']
            order by p.place), '[]') from jsonb_array_elements(r.plan -> 'providers')
            with ordinality p(one, place))) end as plan,
    bespeak.now() as now, r.state = 'open' and not r.kept_for_waitlist
        and coalesce(r.opens_at <= bespeak.now(), true) and coalesce(r.closes_at > bespeak.now(), true)
        as on_sale
from appointments.team t
join bespeak.resource r on r.resource_id = t.resource_id
-- Somebody may have given the resource a plan of another shape: it is no team then.
where t.workspace = $1 and r.plan ->> 'type' = 'times'
    and r.plan ? 'rates' and r.plan ? 'providers'
    and (r.published or not $2::boolean)
    and ($3::bigint is null or t.resource_id = $3)
    and t.searched like all($4::text[])
    and ($5::text is null or t.city = $5 or exists (select
        from jsonb_array_elements(t.translations) w where w -> 'words' ->> t.city = $5))
    and ($6::text is null or (t.name, t.resource_id) > ($6, $7::bigint))
order by t.name, t.resource_id limit $8
