-- The single forms: one hold, one booking, in the caller's own transaction, from any language.
-- They check the request themselves and refuse with an SQLSTATE of class BS, one for each code of
-- the error reference; the hint says whether a retry may help. The verbs beneath do the work.

-- Raises a refusal. The message is the stable code, the detail is what a program needs of it.
create function bespeak.refuse(code text, state text, detail jsonb default null, hint text default null)
returns void language plpgsql as $$
begin
    raise exception '%', code using errcode = state,
        detail = coalesce(detail::text, ''), hint = coalesce(hint, 'do not retry');
end
$$;

-- The units that a plan has, each with its capacity (null: an exclusive unit) and the price of its
-- category in minor units (null: the plan gives none). Counted rows count from `first` by `step`,
-- listed rows and tables name their seats; a table sold whole is one unit.
create function bespeak.plan_units(plan jsonb)
returns table (unit text, capacity integer, price bigint)
language sql immutable as $$
    with prices as materialized (
        select coalesce(jsonb_object_agg(c.value->>'name', c.value->'price')
            filter (where c.value ? 'price'), '{}') as of_category
        from jsonb_array_elements(plan->'categories') c
    ),
    sections as materialized (
        select coalesce(s.value->>'prefix', '') as prefix,
            coalesce(s.value->>'category', 'standard') as category,
            s.value->'rows' as seat_rows, s.value->'tables' as tables
        from jsonb_array_elements(plan->'sections') s
    ),
    seat_rows as materialized (
        select s.prefix || (r.value->>'name') as start,
            coalesce(r.value->>'category', s.category) as category,
            coalesce((r.value->>'first')::integer, 1) as first,
            coalesce((r.value->>'step')::integer, 1) as step,
            (r.value->>'seats')::integer as seats,
            (select array_agg(w.value::integer) from jsonb_array_elements(r.value->'without') w)
                as without,
            r.value->'list' as listed
        from sections s, jsonb_array_elements(s.seat_rows) r
    )
    select r.start || n, null::integer, (p.of_category->>r.category)::bigint
    from prices p, seat_rows r,
        generate_series(r.first, r.first + (r.seats - 1) * r.step, r.step) n
    where r.without is null or n <> all (r.without)
    union all
    select r.start || l.label, null, (p.of_category->>coalesce(l.category, r.category))::bigint
    from prices p, seat_rows r, jsonb_to_recordset(r.listed) as l(label text, category text)
    union all
    select s.prefix || t.name || case when t.whole then '' else '-' || n end, null,
        (p.of_category->>coalesce(t.category, s.category))::bigint
    from prices p, sections s,
        jsonb_to_recordset(s.tables) as t(name text, seats integer, category text, whole boolean),
        generate_series(1, case when t.whole then 1 else t.seats end) n
    union all
    select o.unit, o.capacity, (p.of_category->>o.category)::bigint
    from prices p,
        jsonb_to_recordset(plan->'pools') as o(unit text, capacity integer, category text)
$$;

-- Eight bytes that stand for one field of a request; a fingerprint is one for each field.
create function bespeak.field_print(content text) returns bytea
language sql immutable parallel safe as $$
    select substr(sha256(convert_to(coalesce(content, ''), 'UTF8')), 1, 8)
$$;

-- Lines as one text, the same in every language that makes fingerprints.
create function bespeak.lines_text(in_resources bigint[], in_units text[], in_quantities integer[])
returns text language sql immutable as $$
    select string_agg(bespeak.resource_text(l.resource_id) || ' ' || l.unit || ' '
        || coalesce(l.quantity::text, ''), E'\n' order by l.n)
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
$$;

-- Refuses a text that is empty, too long, or has control characters; null is no text.
create function bespeak.check_text(content text, field text, length_max integer) returns void
language plpgsql as $$
begin
    if length(content) > length_max or content !~ '^[[:print:]]+$' then
        perform bespeak.refuse('invalid_request', 'BS004', jsonb_build_object('field', field));
    end if;
end
$$;

-- Refuses lines that make no sense: none, nulls, arrays of other lengths, quantities below 1.
create function bespeak.check_lines(in_resources text[], in_units text[], in_quantities integer[])
returns void language plpgsql as $$
begin
    if coalesce(cardinality(in_units), 0) not between 1 and 10000
        or coalesce(cardinality(in_resources), 0) not in (1, cardinality(in_units))
        or cardinality(in_quantities) <> cardinality(in_units)
        or array_position(in_units, null) is not null
        or array_position(in_resources, null) is not null
        or 0 >= any(in_quantities) then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "lines"}');
    end if;
end
$$;

-- Refuses the same unit of one resource twice.
create function bespeak.check_units(in_units text[]) returns void
language plpgsql as $$
declare
    twice jsonb;
begin
    select jsonb_agg(t.unit) into twice
    from (select u.unit from unnest(in_units) as u(unit) group by u.unit having count(*) > 1) t;
    if twice is not null then
        perform bespeak.refuse('duplicate_line', 'BS007', twice);
    end if;
end
$$;

-- The lines or conflicts in the details of a refusal as they are shown outside: with resource ids,
-- without owners, and without the limits that only the engine knows as pools.
create function bespeak.shown_details(details jsonb) returns jsonb
language sql immutable as $$
    select coalesce(jsonb_agg((d - 'owner') || jsonb_build_object('resource_id',
        bespeak.resource_text((d->>'resource_id')::bigint))), '[]')
    from jsonb_array_elements(details) d where d->>'unit' not like 'owner:%'
$$;

-- Refuses a plan whose rules SQL does not know: all but seats and pools. A room that forbids to leave
-- single seats is refused to holds, because who is beside whom is not known here either.
create function bespeak.check_plan(in_resource bigint, plan jsonb, is_hold boolean) returns void
language plpgsql as $$
begin
    if coalesce(plan->>'type', 'seats') <> 'seats'
        or (is_hold and coalesce(plan->>'orphans', 'off') <> 'off') then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;

-- Refuses a resource whose prices have rules that SQL does not know: fees, taxes, steps, terms.
create function bespeak.check_pricing(in_resource bigint, pricing jsonb) returns void
language plpgsql as $$
begin
    if pricing <> '{}' then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;

-- Checks the lines of a request against the plans and answers the request for place_holds.
create function bespeak.checked_request(
    in_owner text, in_resources bigint[], in_units text[], in_quantities integer[],
    in_hold_seconds integer, key text)
returns bespeak.hold_request
language plpgsql as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    result bespeak.hold_request;
    policy record;
    bad jsonb;
    limits record;
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

    select min(r.hold_seconds) as seconds, min(r.hold_seconds_max) as cap,
        count(*) as known, count(distinct r.currency) as currencies,
        min(r.resource_id) filter (where r.state <> 'open' or r.closes_at <= v_now) as closed,
        min(r.resource_id) filter (where r.opens_at > v_now) as early
    into policy
    from bespeak.resource r where r.resource_id = any(in_resources);
    if policy.known < (select count(distinct n) from unnest(in_resources) as n) then
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
    left join lateral bespeak.plan_units(r.plan) p on p.unit = l.unit;
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

-- Places one hold. One resource may stand for all units; without quantities all are exclusive.
create function bespeak.place_hold(
    owner text, resources text[], units text[], quantities integer[] default null,
    hold_seconds integer default null, idempotency_key text default null)
returns table (id text, state text, expires_at timestamptz, extends_until timestamptz, replayed boolean)
language plpgsql as $$
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
    select array_agg(bespeak.resource_number(
        case when cardinality($2) = 1 then $2[1] else $2[n] end) order by n)
    into numbers from generate_subscripts($3, 1) as n;
    -- A repeat is answered from the hold itself, even when its resource has closed since.
    request := null;
    if $6 is not null then
        select h.* into k from bespeak.hold h
        where h.resource_id = numbers[1] and h.owner = $1 and h.idempotency_key = $6;
    end if;
    if k.hold_id is null then
        request := bespeak.checked_request($1, numbers, $3,
            coalesce($4, array_fill(null::integer, array[cardinality($3)])), $5, $6);
        select p.* into answer from bespeak.place_holds(numbers[1], array[request],
            (select array_agg(r.resource_id) from bespeak.resource r where r.resource_id = any(numbers)),
            (select array_agg(r.version) from bespeak.resource r where r.resource_id = any(numbers))) p;
        outcome := answer.outcome;
        if answer.outcome = 'unavailable' then
            perform bespeak.refuse('plan_changed', 'BS070', null, 'retry now');
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
        where h.resource_id = numbers[1]
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

-- The refusal that an outcome of the change verbs stands for; nothing for a success.
create function bespeak.refuse_outcome(outcome text, details jsonb) returns void
language plpgsql as $$
declare
    states constant jsonb := '{
        "not_found": ["hold_not_found", "BS020"], "not_owner": ["not_owner", "BS021"],
        "hold_expired": ["hold_expired", "BS022"], "hold_released": ["hold_released", "BS023"],
        "hold_confirmed": ["hold_confirmed", "BS024"], "beyond_cap": ["extension_beyond_cap", "BS025"],
        "payment_required": ["payment_required", "BS026"],
        "booking_not_found": ["booking_not_found", "BS030"],
        "booking_cancelled": ["booking_cancelled", "BS031"], "ticket_used": ["ticket_used", "BS033"],
        "not_in_booking": ["not_in_booking", "BS032"], "block_not_found": ["block_not_found", "BS040"],
        "not_blocked": ["not_blocked", "BS041"], "taken": ["unit_taken", "BS010"],
        "key_reused": ["idempotency_key_reused", "BS050"]}';
begin
    if states ? outcome then
        perform bespeak.refuse(states->outcome->>0, states->outcome->>1, case
            when jsonb_typeof(details) = 'array' then bespeak.shown_details(details)
            else details end);
    end if;
end
$$;

create function bespeak.one_change(
    id text, owner text, key text, seconds integer, reason text, in_resources bigint[],
    in_units text[], in_quantities integer[], content bytea)
returns bespeak.change_request language sql as $$
    select row(u.hold_id, bespeak.home_of(u.hold_id), $2, $3, $9, $4, $5, $6, $7, $8, null, null, null,
            null, null, null)
        ::bespeak.change_request
    from (select bespeak.id_uuid($1) as hold_id) u
$$;

-- Confirms one hold; no owner means a trusted caller.
create function bespeak.confirm_hold(
    id text, owner text default null, idempotency_key text default null)
returns table (booking_id text, state text, amount bigint, currency text, confirmed_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $2, $3, null, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text));
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    select c.* into answer from bespeak.confirm_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).amount, (answer.booking).currency,
        (answer.booking).confirmed_at;
end
$$;

-- Extends one hold to `seconds` from now.
create function bespeak.extend_hold(
    id text, seconds integer, owner text default null, idempotency_key text default null)
returns table (hold_id text, state text, expires_at timestamptz, extends_until timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $3, $4, $2, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2::text));
    answer record;
begin
    if $2 is null or $2 < 1 then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "seconds"}');
    end if;
    perform bespeak.check_text($4, 'idempotency_key', 200);
    select c.* into answer from bespeak.extend_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, case when answer.outcome = 'beyond_cap' then
        jsonb_build_object('extends_until', (answer.hold).extends_until) end);
    return query select $1, (answer.hold).state, (answer.hold).expires_at,
        (answer.hold).extends_until;
end
$$;

-- Releases one hold.
create function bespeak.release_hold(
    id text, owner text default null, idempotency_key text default null)
returns table (hold_id text, state text, ended_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $2, $3, null, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text));
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    select c.* into answer from bespeak.release_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select $1, (answer.hold).state, (answer.hold).ended_at;
end
$$;

-- Cancels one booking, wholly or (with units) in part. Of a booking that shows other lines than its
-- claims, the library knows which claims go with a line; here it can be cancelled wholly.
create function bespeak.cancel_booking(
    id text, reason text, owner text default null, resources text[] default null,
    units text[] default null, quantities integer[] default null, idempotency_key text default null)
returns table (booking_id text, state text, cancelled_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    numbers bigint[];
    counts integer[];
    request bespeak.change_request;
    answer record;
begin
    if $2 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($2, 'reason', 500);
    if $5 is not null then
        perform bespeak.check_lines($4, $5, $6);
        select array_agg(bespeak.resource_number(
            case when cardinality($4) = 1 then $4[1] else $4[n] end) order by n)
        into numbers from generate_subscripts($5, 1) as n;
        counts := coalesce($6, array_fill(null::integer, array[cardinality($5)]));
    end if;
    request := bespeak.one_change($1, $3, $7, null, $2, numbers, $5, counts,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2)
        || bespeak.field_print(bespeak.lines_text(numbers, $5, counts)));
    perform bespeak.check_text($7, 'idempotency_key', 200);
    if $5 is not null and exists (
            select from bespeak.hold h
            where h.resource_id = request.home and h.hold_id = request.hold_id
                and h.shown is not null and ($3 is null or h.owner = $3)) then
        perform bespeak.refuse('plan_not_in_sql', 'BS008');
    end if;
    select c.* into answer from bespeak.cancel_bookings(request.home, array[request]) c;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'booking_not_found' else answer.outcome end,
        answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).cancelled_at;
end
$$;

-- Takes units of one resource out of sale.
create function bespeak.block(
    resource text, units text[], reason text, quantities integer[] default null,
    idempotency_key text default null)
returns table (id text, blocked_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    home constant bigint := bespeak.resource_number($1);
    counts integer[];
    capacities integer[];
    bad jsonb;
    answer record;
begin
    perform bespeak.check_lines(array[$1], $2, $4);
    perform bespeak.check_units($2);
    if $3 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($3, 'reason', 500);
    perform bespeak.check_text($5, 'idempotency_key', 200);
    counts := coalesce($4, array_fill(null::integer, array[cardinality($2)]));
    perform bespeak.check_plan(home, r.plan, false)
    from bespeak.resource r where r.resource_id = home;
    if not found then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    select jsonb_agg(l.unit) filter (
            where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n)
    into bad, capacities
    from bespeak.resource r, unnest($2, counts) with ordinality as l(unit, quantity, n)
    left join lateral (select * from bespeak.plan_units((
        select plan from bespeak.resource where resource_id = home))) p on p.unit = l.unit
    where r.resource_id = home;
    if bad is not null then
        perform bespeak.refuse('unknown_unit', 'BS003', bad);
    end if;
    select b.* into answer from bespeak.block_units(home, bespeak.new_id(home, true), $3, $2,
        counts, capacities, $5, bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[cardinality($2)]), $2, counts)) || bespeak.field_print($3)) b;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('blk', (answer.block).block_id),
        (answer.block).created_at;
end
$$;

-- Puts a block's units back on sale: all of them, or some.
create function bespeak.unblock(
    id text, units text[] default null, quantities integer[] default null,
    idempotency_key text default null)
returns table (block_id text, lifted_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
    number constant uuid := bespeak.id_uuid($1);
    home constant bigint := bespeak.home_of(number);
    counts integer[];
    answer record;
begin
    perform bespeak.check_text($4, 'idempotency_key', 200);
    if $2 is not null then
        perform bespeak.check_lines(array[$1], $2, $3);
        perform bespeak.check_units($2);
        counts := coalesce($3, array_fill(null::integer, array[cardinality($2)]));
    end if;
    select b.* into answer from bespeak.unblock_units(home, number, $2, counts, $4,
        bespeak.field_print(number::text) || bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[coalesce(cardinality($2), 0)]), $2, counts))) b;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'block_not_found' else answer.outcome end,
        answer.details);
    return query select $1, (answer.block).lifted_at;
end
$$;
