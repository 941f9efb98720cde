-- The single forms: one hold, one booking, in the caller's own transaction, from any language.
-- They check the request themselves and refuse with an SQLSTATE of class BS, one for each code of
-- the error reference; the hint says whether a retry may help. The verbs beneath do the work. Like them
-- these are planned once: to plan the statements of one hold anew takes three times as long as they do.

-- Places one hold. One resource may stand for all units; without quantities all are exclusive.
create or replace function bespeak.place_hold(
    owner text, resources text[], units text[], quantities integer[] default null,
    hold_seconds integer default null, idempotency_key text default null,
    actor text default null)
returns table (id text, state text, expires_at timestamptz, extends_until timestamptz, replayed boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    request bespeak.hold_request;
    numbers bigint[];
    answer record;
    outcome text;  -- null where the hold was there before: `answer` has no structure then
    k bespeak.hold;
    first jsonb;
begin
    perform bespeak.check_lines($2, $3, $4);
    perform bespeak.check_text($6, 'idempotency_key', 200);
    perform bespeak.check_text($7, 'actor', 64);
    select array_agg(bespeak.resource_number(
        case when cardinality($2) = 1 then $2[1] else $2[n] end) order by n)
    into numbers from generate_subscripts($3, 1) as n;
    -- A repeat is answered from the hold itself, even when its resource has closed since.
    request := null;
    if $6 is not null then
        select h.* into k from bespeak.hold_key x
        join bespeak.hold h on h.resource_id = x.resource_id and h.hold_id = x.hold_id
        where x.owner = $1 and x.idempotency_key = $6;
    end if;
    if k.hold_id is null then
        -- Before the plans are read: the versions are those that the request is checked by.
        perform bespeak.keep_plans(numbers);
        request := bespeak.checked_request($1, numbers, $3,
            coalesce($4, array_fill(null::integer, array[cardinality($3)])), $5, $6);
        request.actor := $7;
        select p.* into answer from bespeak.place_holds(numbers[1], array[request],
            (select array_agg(r.resource_id) from bespeak.resource r where r.resource_id = any(numbers)),
            (select array_agg(r.version) from bespeak.resource r where r.resource_id = any(numbers))) p;
        outcome := answer.outcome;
        if answer.outcome = 'unavailable' then
            perform bespeak.refuse('plan_changed', 'BS070', null, 'retry now');
        elsif answer.outcome = 'erased' then
            perform bespeak.refuse('hold_erased', 'BS027');
        elsif answer.outcome = 'taken' then
            select c into first from jsonb_array_elements(answer.details) c
            order by c->>'state' = 'short', c->>'unit' like 'owner:%' limit 1;
            perform bespeak.refuse(
                case when first->>'unit' like 'owner:%' then 'owner_limit_reached'
                    when first->>'state' = 'short' then 'sold_out' else 'unit_taken' end,
                case when first->>'unit' like 'owner:%' then 'BS012'
                    when first->>'state' = 'short' then 'BS011' else 'BS010' end,
                case when first->>'unit' like 'owner:%'
                    then jsonb_build_object('owner_limit', first->'capacity',
                        'left', first->'available')
                    else bespeak.shown_details(coalesce(answer.details, '[]')) end,
                case when first->>'unit' like 'owner:%' then 'do not retry' else 'retry later' end);
        end if;
        select h.* into k from bespeak.hold h
        where h.resource_id = coalesce((answer.hold).resource_id, numbers[1])
            and h.hold_id = coalesce((answer.hold).hold_id, request.hold_id);
    end if;
    if outcome is distinct from 'held' then
        if k.fingerprint is distinct from
            bespeak.field_print(bespeak.lines_text(numbers, $3,
                coalesce($4, array_fill(null::integer, array[cardinality($3)]))))
            || bespeak.field_print($5::text) then
            perform bespeak.refuse('idempotency_key_reused', 'BS050');
        end if;
    end if;
    return query select bespeak.id_text('hold', k.hold_id), k.state, k.expires_at,
        k.extends_until, request is null or request.hold_id <> k.hold_id;
end
$$;

-- Checks the lines of a request against the plans and answers the request for place_holds.
create or replace function bespeak.checked_request(
    in_owner text, in_resources bigint[], in_units text[], in_quantities integer[],
    in_hold_seconds integer, key text)
returns bespeak.hold_request
language plpgsql as $$
#variable_conflict use_column
declare
    result bespeak.hold_request;
    policy record;
    bad jsonb;
    limits record;
begin
    perform bespeak.check_asked(in_owner, in_resources, in_units, in_quantities);
    policy := bespeak.sale_policy(in_resources, in_hold_seconds);
    perform bespeak.check_plan(r.resource_id, r.plan, true)
    from bespeak.resource r where r.resource_id = any(in_resources) order by r.resource_id;
    perform bespeak.check_pricing(r.resource_id, r.pricing)
    from bespeak.resource r where r.resource_id = any(in_resources) order by r.resource_id;
    select jsonb_agg(jsonb_build_object('resource_id', bespeak.resource_text(l.resource_id),
            'unit', l.unit)) filter (where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n),
        sum(coalesce(p.price, r.price_amount) * coalesce(l.quantity, 1)), min(r.currency),
        array_agg(coalesce(p.price, r.price_amount) * coalesce(l.quantity, 1) order by l.n)
    into bad, result.capacities, result.amount, result.currency, result.amounts
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
    join bespeak.resource r on r.resource_id = l.resource_id
    left join lateral bespeak.plan_unit(r.plan, l.unit) p on true;
    if bad is not null then
        perform bespeak.refuse('unknown_unit', 'BS003', bad);
    end if;

    select coalesce(array_agg(t.resource_id), '{}') as resources,
        coalesce(array_agg('owner:' || in_owner), '{}') as units,
        coalesce(array_agg(t.quantity), '{}') as quantities,
        coalesce(array_agg(t.owner_limit), '{}') as capacities, count(*)::integer as lines
    into limits
    from (
        select r.resource_id, r.owner_limit, sum(coalesce(l.quantity, 1))::integer as quantity
        from unnest(in_resources, in_quantities) as l(resource_id, quantity)
        join bespeak.resource r on r.resource_id = l.resource_id
        where r.owner_limit is not null
        group by r.resource_id, r.owner_limit
    ) t;

    if result.amount = 0 then
        result.amounts := null;
    end if;
    result.hold_id := bespeak.new_id(in_resources[1]);
    result.owner := in_owner;
    result.hold_seconds := coalesce(in_hold_seconds, policy.seconds);
    result.cap_seconds := policy.cap;
    result.idempotency_key := key;
    result.fingerprint := bespeak.field_print(
            bespeak.lines_text(in_resources, in_units, in_quantities))
        || bespeak.field_print(in_hold_seconds::text);
    result.resources := in_resources || limits.resources;
    result.units := in_units || limits.units;
    result.quantities := in_quantities || limits.quantities;
    result.capacities := result.capacities || limits.capacities;
    result.limit_lines := limits.lines;
    return result;
end
$$;

-- Refuses a request that makes no sense whatever is sold: no owner, no lines, a unit twice.
create or replace function bespeak.check_asked(
    in_owner text, in_resources bigint[], in_units text[], in_quantities integer[]) returns void
language plpgsql as $$
declare
    bad jsonb;
begin
    if in_owner is null or in_owner !~ '^[[:print:]]{1,200}$' then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "owner"}');
    end if;
    if coalesce(cardinality(in_units), 0) not between 1 and 1000
        or cardinality(in_resources) is distinct from cardinality(in_units)
        or cardinality(in_quantities) is distinct from cardinality(in_units)
        or 0 >= any(in_quantities) then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "lines"}');
    end if;
    select jsonb_agg(jsonb_build_object('resource_id', bespeak.resource_text(d.resource_id),
        'unit', d.unit)) into bad
    from (
        select l.resource_id, l.unit from unnest(in_resources, in_units) as l(resource_id, unit)
        group by l.resource_id, l.unit having count(*) > 1
    ) d;
    if bad is not null then
        perform bespeak.refuse('duplicate_line', 'BS007', bad);
    end if;
end
$$;

-- For how many seconds these resources are held together, and at most. Refuses them where they are
-- not on sale now, or not together, or not for so long.
create or replace function bespeak.sale_policy(
    in_resources bigint[], in_hold_seconds integer, out seconds integer, out cap integer)
language plpgsql as $$
declare
    v_now constant timestamptz := bespeak.now();
    policy record;
begin
    select min(r.hold_seconds) as seconds, min(r.hold_seconds_max) as cap,
        count(*) as known, count(distinct r.currency) as currencies,
        count(distinct r.workspace) as workspaces,
        min(r.resource_id) filter (where r.state <> 'open' or r.closes_at <= v_now) as closed,
        min(r.resource_id) filter (where r.opens_at > v_now) as early
    into policy
    from bespeak.resource r where r.resource_id = any(in_resources);
    -- Of another workspace than the others: there it does not exist.
    if policy.known < (select count(distinct n) from unnest(in_resources) as n)
            or policy.workspaces > 1 then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    if policy.closed is not null then
        perform bespeak.refuse('resource_closed', 'BS005',
            jsonb_build_object('resource_id', bespeak.resource_text(policy.closed)));
    end if;
    if policy.early is not null then
        perform bespeak.refuse('resource_not_open', 'BS006',
            jsonb_build_object('resource_id', bespeak.resource_text(policy.early)), 'retry later');
    end if;
    if policy.currencies > 1 then
        perform bespeak.refuse('currencies_differ', 'BS061');
    end if;
    if in_hold_seconds < 1 or in_hold_seconds > policy.cap then
        perform bespeak.refuse('hold_time_beyond_cap', 'BS060',
            jsonb_build_object('hold_seconds_max', policy.cap));
    end if;
    seconds := policy.seconds;
    cap := policy.cap;
end
$$;
