-- name: insert_many
-- New resources with their events; one is missing in the answer where its number is taken.
with made as (
    insert into bespeak.resource (resource_id, name, kind, plan, state, time_zone, opens_at,
        closes_at, hold_seconds, hold_seconds_max, owner_limit, payment, price_amount, currency,
        attributes, starts_at, ends_at, payment_seconds, late_payment, pricing,
        published, translations, questions, workspace)
    select n.resource_id, n.name, n.kind, p.plan::jsonb, n.state, n.time_zone, n.opens_at,
        n.closes_at, n.hold_seconds, n.hold_seconds_max, n.owner_limit, n.payment, n.price_amount,
        n.currency, n.attributes::jsonb, n.starts_at, n.ends_at, n.payment_seconds,
        n.late_payment, n.pricing::jsonb, n.published, n.translations::jsonb,
        n.questions::jsonb, $26
    from unnest($1::bigint[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[],
            $8::timestamptz[], $9::timestamptz[], $10::integer[], $11::integer[], $12::integer[],
            $13::text[], $14::bigint[], $15::text[], $16::text[], $17::timestamptz[],
            $18::timestamptz[], $19::integer[], $20::text[], $21::text[], $22::boolean[], $23::text[],
            $24::text[])
        as n(resource_id, plan_place, name, kind, state, time_zone, opens_at, closes_at,
            hold_seconds, hold_seconds_max, owner_limit, payment, price_amount, currency,
            attributes, starts_at, ends_at, payment_seconds, late_payment, pricing,
            published, translations, questions)
    join unnest($2::text[]) with ordinality as p(plan, place) on p.place = n.plan_place
    on conflict (resource_id) do nothing
    returning resource_id, created_at, updated_at
), told as (
    insert into bespeak.event (resource_id, horizon, kind, at, actor)
    select made.resource_id, bespeak.horizon(), 'created', bespeak.now(), $25 from made
)
select resource_id, created_at, updated_at from made
