-- name: venues
-- The venues of a workspace, a page by name, or one by its id.
select v.*, (select count(*) from programme.hall h where h.venue_id = v.venue_id
    and not h.archived)::integer as halls
from programme.venue v
where v.workspace = $1
    and ($2::text is null or v.venue_id = $2)
    and ($3::boolean or not v.archived)
    and ($4::text is null or (v.name, v.venue_id) > ($4, $5::text))
order by v.name, v.venue_id limit $6

-- name: halls
-- The halls of a workspace, a page by name, without their plans; or one by its id, with it.
select h.hall_id, h.name, h.capacity, h.archived, h.translations, v.venue_id,
    v.name as venue_name, v.translations as venue_translations,
    h.plan -> 'categories' as categories,
    coalesce(h.plan -> 'translations', '[]') as plan_translations,
    case when $2::text is null then null else h.plan end as plan
from programme.hall h
join programme.venue v on v.venue_id = h.venue_id
where h.workspace = $1
    and ($2::text is null or h.hall_id = $2)
    and ($3::text is null or h.venue_id = $3)
    and ($4::boolean or not h.archived)
    and ($5::text is null or (h.name, h.hall_id) > ($5, $6::text))
order by h.name, h.hall_id limit $7

-- name: productions
-- The productions of a workspace with what is known of their performances to come: a page, those first
-- whose next performance is soonest (of past ones the latest first), or one by its id. For guests ($2) what
-- is published; one by its id also when it is over.
with moment as materialized (
    select bespeak.now() as now
), found as materialized (
    select p.* from programme.production p
    where p.workspace = $1
        and ($3::text is null or p.production_id = $3)
        and ($3::text is not null or not p.archived or $11 = 'all')
        and p.searched like all($4::text[])
        and ($5::text is null or p.kind = $5)
        and ($6::text is null or p.series = $6)
), shown as materialized (
    select s.*, v.name as venue_name, v.city, v.time_zone, r.currency,
        r.state as resource_state, r.opens_at, r.closes_at,
        x.resource_id is not null as called_off
    from found f
    join programme.performance s on s.production_id = f.production_id
    join programme.venue v on v.venue_id = s.venue_id
    join bespeak.resource r on r.resource_id = s.resource_id
    left join bespeak.cancellation x on x.resource_id = s.resource_id
    where (r.published or not $2::boolean)
        and ($7::date is null or s.day >= $7)
        and ($8::date is null or s.day <= $8)
        and ($9::text is null or s.venue_id = $9)
        and ($10::text is null or v.city = $10 or exists (select
            from jsonb_array_elements(v.translations) w where w -> 'words' ->> v.city = $10))
), ranked as (
    select f.production_id, count(s.resource_id) as performances,
        min(s.starts_at) filter (where s.starts_at > m.now) as next_at,
        max(s.starts_at) as last_at
    from found f
    cross join moment m
    left join shown s on s.production_id = f.production_id
    group by f.production_id
), placed as (
    select k.production_id,
        case when $11 = 'past' then -(extract(epoch from k.last_at) * 1000000)::bigint
            else coalesce((extract(epoch from k.next_at) * 1000000)::bigint, 4000000000000000000)
        end as place
    from ranked k
    where case
        when $3::text is not null then not $2::boolean or k.performances > 0
        when $2::boolean then k.next_at is not null
        when $11 = 'upcoming' then k.next_at is not null
        when $11 = 'past' then k.next_at is null and k.last_at is not null
        else k.performances > 0
            or ($7::date is null and $8::date is null and $9::text is null and $10::text is null)
    end
), page as materialized (
    select * from placed c
    where $12::bigint is null or (c.place, c.production_id) > ($12, $13::text)
    order by c.place, c.production_id limit $14
), counted as materialized (
    select s.*, greatest(0, s.units_total - t.taken) as units_free,
        case when $2::boolean then null else programme.sold(s.resource_id, s.areas, m.now) end
            as sold,
        case
            when s.called_off then 'called_off'
            when s.resource_state = 'closed' or s.closes_at <= m.now then 'closed'
            when s.opens_at > m.now then 'not_yet'
            when s.units_total <= t.taken then 'sold_out'
            else 'on_sale'
        end as state
    from page g
    join shown s on s.production_id = g.production_id
    cross join moment m
    cross join lateral bespeak.places_taken(s.resource_id, s.areas, m.now) t
    where s.starts_at > m.now
)
select f.*, g.place, n.*,
    (select jsonb_agg(jsonb_build_object('id', w.venue_id, 'name', w.venue_name, 'city', w.city,
            'translations', w.translations) order by w.first_at, w.venue_id)
        from (select c.venue_id, c.venue_name, c.city, v.translations, min(c.starts_at) as first_at
            from counted c join programme.venue v on v.venue_id = c.venue_id
            where c.production_id = f.production_id and not c.called_off
            group by c.venue_id, c.venue_name, c.city, v.translations) w) as venues
from page g
join found f on f.production_id = g.production_id
cross join lateral (
    select count(*) filter (where not c.called_off)::integer as performances,
        coalesce(sum(c.units_free) filter (where c.state = 'on_sale'), 0)::integer as units_free,
        (sum(c.units_total) filter (where not c.called_off and not $2::boolean))::integer
            as units_total,
        (sum(c.sold) filter (where not c.called_off))::integer as sold,
        (array_agg(jsonb_build_object('id', c.resource_id, 'starts_at', c.starts_at, 'time_zone',
            c.time_zone, 'venue', c.venue_id) order by c.called_off, c.starts_at, c.resource_id))[1]
            as next_performance,
        (array_agg(jsonb_build_object('amount', c.price_from, 'currency', c.currency)
            order by c.price_from, c.starts_at) filter (where not c.called_off))[1] as price_from,
        array_agg(distinct c.state) as states
    from counted c where c.production_id = f.production_id
) n
order by g.place, f.production_id

-- name: performances
-- A page of performances by time, or some by their numbers, each with how much of it is free: claims and
-- draws that have lapsed are not counted, as the next taker would not be stopped by them either. Guests
-- ($2) see those that are published.
with moment as materialized (
    select bespeak.now() as now
), page as materialized (
    select s.* from programme.performance s cross join moment m
    where s.workspace = $1
        and ($3::bigint[] is null or s.resource_id = any($3))
        and ($4::text is null or s.production_id = $4)
        and ($5::text is null or s.venue_id = $5)
        and ($6::date is null or s.day >= $6)
        and ($7::date is null or s.day <= $7)
        and ($6::date is not null or $3::bigint[] is not null or s.starts_at > m.now)
        and ($8::timestamptz is null or (s.starts_at, s.resource_id) > ($8, $9::bigint))
        and (not $2::boolean or exists (select from bespeak.resource u
            where u.resource_id = s.resource_id and u.published))
    order by s.starts_at, s.resource_id limit $10
)
select p.resource_id, p.starts_at, p.ends_at, p.doors_at, p.note, p.units_total, p.price_from,
    p.translations as own_translations,
    d.production_id, d.title, d.kind, d.picture, d.translations as production_translations,
    v.venue_id, v.name as venue_name, v.address, v.city, v.country, v.accessibility, v.time_zone,
    v.translations as venue_translations,
    h.hall_id, h.name as hall_name, h.translations as hall_translations,
    r.currency, r.plan -> 'categories' as categories,
    coalesce(r.plan -> 'translations', '[]') as plan_translations,
    r.opens_at, r.closes_at, r.published, r.payment, r.pricing, r.owner_limit, r.hold_seconds,
    r.hold_seconds_max, r.questions,
    greatest(0, p.units_total - t.taken) as units_free,
    case when $2::boolean then null else programme.sold(p.resource_id, p.areas, m.now) end as sold,
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
join programme.production d on d.production_id = p.production_id
join programme.venue v on v.venue_id = p.venue_id
join programme.hall h on h.hall_id = p.hall_id
cross join lateral bespeak.places_taken(p.resource_id, p.areas, m.now) t
order by p.starts_at, p.resource_id

-- name: picture
-- The picture of a production; no row where there is no such production.
select d.picture, case when $2::boolean then c.card else c.content end as content
from programme.production d
left join programme.picture c on c.digest = d.picture
where d.production_id = $1
