-- Placing holds: the hottest function of the engine. A batch of requests, each all or nothing.
--
-- The verbs are planned once and kept, and a plan that was made while a table was small reads it
-- whole for as long as nobody analyzes it: in a rush, for seconds, a hundred times slower. So they
-- forbid the ways that read whole tables (`set enable_...` in each function); what remains are
-- look-ups by primary key, which are right for any size.

-- A seat that a hold must not leave single: `unit` is beside the hold's seats, `beyond` is its other
-- neighbour (null: a wall or an aisle), and seat_row names the stretch of seats that is locked.
create type bespeak.seat_guard as (
    resource_id bigint,
    seat_row text,
    unit text,
    beyond text
);

-- One request. Lines are parallel arrays; the first line's resource is the home. A null quantity
-- claims an exclusive unit; a quantity draws from a pool whose capacity the plan says; a null unit
-- asks for the next number of a resource with tickets. The last limit_lines lines are draws from
-- the owner's limits, pools like any other. shown_quantities, `shown`, amounts and `quote` are stored
-- with the hold. `presale` are the resources that it may hold before they open.
create type bespeak.hold_request as (
    hold_id uuid,
    owner text,
    hold_seconds integer,
    cap_seconds integer,
    idempotency_key text,
    fingerprint bytea,
    resources bigint[],
    units text[],
    quantities integer[],
    capacities integer[],
    limit_lines integer,
    amount bigint,
    currency text,
    shown_quantities integer[],
    shown text,
    guards bespeak.seat_guard[],
    amounts bigint[],
    quote text,
    presale bigint[]
);

-- Whether a request names a resource that is not open yet, without leave to come early.
create function bespeak.comes_early(resources bigint[], presale bigint[], early bigint[])
returns boolean language sql immutable as $$
    select exists (
        select from unnest(resources) as r
        where r = any(early) and r <> all(coalesce(presale, '{}')))
$$;

-- Draws from pools for the requests that are alive, and answers which of them lost. Called with
-- the claims already made; pool rows are locked in primary-key order, after claims, as everywhere.
create function bespeak.draw_from_pools(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[]) returns integer[]
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    short_resources bigint[];
    short_units text[];
    lost integer[] := '{}';
    r record;
    fits boolean;
begin
    -- The common case in one statement: every pool has room for all that this batch asks of it.
    with demand as materialized (
        select l.resource_id, l.unit, max(l.capacity) as capacity, sum(l.quantity)::integer as quantity,
            v_now + make_interval(secs => min(q.hold_seconds)) as lapses_at
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities, q.capacities)
                as l(resource_id, unit, quantity, capacity)
        where alive[q.ordinality] and l.quantity is not null
        group by l.resource_id, l.unit
    ), drawn as (
        -- Every pool in key order, also those that can never fit: their rows are locked here.
        insert into bespeak.pool as p (resource_id, unit, capacity, taken, lapses_at)
        select resource_id, unit, capacity,
            case when quantity <= capacity then quantity else 0 end, lapses_at
        from demand
        order by resource_id, unit
        on conflict (resource_id, unit) do update
            set taken = p.taken + excluded.taken, capacity = excluded.capacity,
                lapses_at = least(p.lapses_at, excluded.lapses_at)
            where p.taken + excluded.taken <= excluded.capacity
        returning resource_id, unit
    )
    select array_agg(d.resource_id order by d.resource_id, d.unit),
        array_agg(d.unit order by d.resource_id, d.unit)
    into short_resources, short_units
    from demand d
    where ((select count(*) from drawn) < (select count(*) from demand)
            or exists (select from demand where quantity > capacity))
        and (d.quantity > d.capacity or not exists (
            select from drawn w where w.resource_id = d.resource_id and w.unit = d.unit));
    if short_resources is null then
        return lost;
    end if;

    -- Some pools are short (their rows are locked by the attempt). Take back what has lapsed.
    perform bespeak.reclaim_draws(v_now, short_resources, short_units);

    -- First come, first served, one request after the other, over the pools that are short.
    for r in
        select q.ordinality, q.hold_id, q.resources, q.units, q.quantities, q.capacities, q.hold_seconds
        from unnest(requests) with ordinality as q
        where alive[q.ordinality] and exists (
            select from unnest(q.resources, q.units) as l(resource_id, unit)
            join unnest(short_resources, short_units) as s(resource_id, unit)
                on s.resource_id = l.resource_id and s.unit = l.unit)
        order by q.ordinality
    loop
        select bool_and(p.taken + l.quantity <= l.capacity) into fits
        from unnest(r.resources, r.units, r.quantities, r.capacities)
            as l(resource_id, unit, quantity, capacity)
        join unnest(short_resources, short_units) as s(resource_id, unit)
            on s.resource_id = l.resource_id and s.unit = l.unit
        join bespeak.pool p on p.resource_id = l.resource_id and p.unit = l.unit
        where l.quantity is not null;
        if fits then
            update bespeak.pool p
            set taken = p.taken + l.quantity, capacity = l.capacity,
                lapses_at = least(p.lapses_at, v_now + make_interval(secs => r.hold_seconds))
            from unnest(r.resources, r.units, r.quantities, r.capacities)
                as l(resource_id, unit, quantity, capacity)
            join unnest(short_resources, short_units) as s(resource_id, unit)
                on s.resource_id = l.resource_id and s.unit = l.unit
            where p.resource_id = l.resource_id and p.unit = l.unit and l.quantity is not null;
        else
            -- It lost; what the first statement drew for it from the other pools goes back.
            lost := lost || r.ordinality::integer;
            update bespeak.pool p
            set taken = p.taken - l.quantity
            from unnest(r.resources, r.units, r.quantities) as l(resource_id, unit, quantity)
            where p.resource_id = l.resource_id and p.unit = l.unit and l.quantity is not null
                and not exists (
                    select from unnest(short_resources, short_units) as s(resource_id, unit)
                    where s.resource_id = l.resource_id and s.unit = l.unit);
        end if;
    end loop;
    return lost;
end
$$;

-- Takes lapsed draws out of pools whose rows the caller has locked, so that expiry needs nobody.
-- The draw row is the proof that the pool still counts it: who deletes it, decrements, once.
create function bespeak.reclaim_draws(
    v_now timestamptz, in_resources bigint[], in_units text[]) returns void
language sql as $$
    with gone as (
        delete from bespeak.draw d
        using unnest(in_resources, in_units) as s(resource_id, unit), bespeak.pool p
        where d.resource_id = s.resource_id and d.unit = s.unit and d.expires_at <= v_now
            and p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now
        returning d.resource_id, d.unit, d.quantity
    ), freed as (
        select resource_id, unit, sum(quantity)::integer as quantity
        from gone group by resource_id, unit
    )
    update bespeak.pool p
    set taken = p.taken - coalesce(f.quantity, 0),
        lapses_at = coalesce((
            select min(d.expires_at) from bespeak.draw d
            where d.resource_id = p.resource_id and d.unit = p.unit and d.expires_at > v_now),
            'infinity')
    from unnest(in_resources, in_units) as s(resource_id, unit)
    left join freed f on f.resource_id = s.resource_id and f.unit = s.unit
    where p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now
$$;

-- Why a refused request was refused: the units that are taken and the pools that are short. It
-- answers a table of one row, because such a function is planned into the statement that uses it.
create function bespeak.conflicts(
    v_now timestamptz, own uuid, in_resources bigint[], in_units text[], in_quantities integer[],
    in_capacities integer[]) returns table (details jsonb)
language sql stable as $$
    select jsonb_agg(jsonb_build_object(
        'resource_id', l.resource_id, 'unit', l.unit,
        'state', case
            when l.quantity is not null then 'short'
            when c.expires_at < 'infinity' then 'held'
            when bespeak.is_block(c.hold_id) then 'blocked'
            else 'booked' end,
        'until', case when c.expires_at < 'infinity' then extract(epoch from c.expires_at) end,
        'owner', h.owner,
        'capacity', l.capacity,
        'available', case when l.quantity is not null then l.capacity - coalesce(p.taken, 0) end))
    from unnest(in_resources, in_units, in_quantities, in_capacities)
        as l(resource_id, unit, quantity, capacity)
    left join bespeak.claim c on l.quantity is null
        and c.resource_id = l.resource_id and c.unit = l.unit
        and c.expires_at > v_now and c.hold_id <> own
    left join bespeak.hold h on h.resource_id = bespeak.home_of(c.hold_id) and h.hold_id = c.hold_id
    left join lateral (
        -- Without the draws that have lapsed, which the next taker gets.
        select k.taken - case when k.lapses_at <= v_now then coalesce((
            select sum(d.quantity) from bespeak.draw d
            where d.resource_id = k.resource_id and d.unit = k.unit
                and d.expires_at <= v_now), 0) else 0 end as taken
        from bespeak.pool k
        where l.quantity is not null and k.resource_id = l.resource_id and k.unit = l.unit
    ) p on true
    where c.hold_id is not null
        or (l.quantity is not null and coalesce(p.taken, 0) + l.quantity > l.capacity)
$$;

-- Holds the rows of seats that the guards of these requests name until the transaction ends. Two
-- holds that are placed at once beside each other lock no row in common, so without this neither
-- would see that both together leave a seat single. In the order of the lock's own numbers.
create function bespeak.lock_seat_rows(requests bespeak.hold_request[], alive boolean[]) returns void
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(k.key)
    from (
        select distinct hashtextextended(g.resource_id || ':' || g.seat_row, 0) as key
        from unnest(requests) with ordinality as q, unnest(q.guards) as g
        where alive[q.ordinality]
        order by 1
    ) k;
end
$$;

-- Which requests that are alive leave seats single, and which seats: the seat is free, and its other
-- neighbour is a wall or taken. Called with the rows locked and the claims made, so that a neighbour
-- which is the hold's own is taken too.
create function bespeak.single_seats(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[])
returns table (ordinal integer, details jsonb)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    select q.ordinality::integer,
        jsonb_agg(distinct jsonb_build_object('resource_id', g.resource_id, 'unit', g.unit))
    from unnest(requests) with ordinality as q, unnest(q.guards) as g
    where alive[q.ordinality]
        and not exists (
            select from bespeak.claim c where c.resource_id = g.resource_id and c.unit = g.unit
                and c.expires_at > v_now)
        and (g.beyond is null
            or exists (
                select from bespeak.claim c where c.resource_id = g.resource_id
                    and c.unit = g.beyond and c.expires_at > v_now))
    group by q.ordinality
$$;

-- Places a batch of holds, first come first served, in one round trip. Each is granted whole or
-- leaves nothing behind. The caller has checked the requests against (resource, version) pairs,
-- which are compared here; it names an exclusive unit, and a row of guarded seats, at most once a
-- batch. The hold is answered where numbers were given out, for the caller to learn them.
--
-- Locks are taken in one global order, so two batches cannot wait for each other: the counters of
-- numbers, then hold rows, then rows of guarded seats, then claims, then pools, each in key order.
-- Outcomes: held, replayed, key_reused, unavailable, taken, orphan (details: the single seats).
create function bespeak.place_holds(
    home bigint, requests bespeak.hold_request[], resource_ids bigint[], versions integer[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    alive boolean[] := array_fill(true, array[cardinality(requests)]);
    shut bigint[];
    early bigint[];
    lost integer[];
    refused integer[] := '{}';
    made integer;
    wanted integer := cardinality(requests);
    has_pools boolean;
    has_many boolean;
    has_next boolean;
    has_guards boolean;
    shortages jsonb[];
    numbered integer[] := '{}';
    single integer[];
    singles jsonb[];
    made_ids uuid[];
    v_horizon xid8;
    i integer;
begin
    -- A change of plan takes this lock alone, so none happens between the check of the versions
    -- and the commit of the claims that rely on it.
    perform pg_advisory_xact_lock_shared(7094970116);
    -- A scalar subquery for each resource is an index look-up whatever the planner knows or not;
    -- as a join it may read the whole table while its statistics are young.
    select array_agg(s.resource_id) filter (where s.is_early is null),
        array_agg(s.resource_id) filter (where s.is_early)
    into shut, early
    from (
        select w.resource_id, (
            select coalesce(r.opens_at > v_now, false) from bespeak.resource r
            where r.resource_id = w.resource_id and r.state = 'open' and r.version = w.version
                and (r.closes_at is null or r.closes_at > v_now)) as is_early
        from unnest(resource_ids, versions) as w(resource_id, version)
        offset 0  -- as it stands: looked up once
    ) s;

    -- Refuse at once what a look shows to be taken, so that a lost race writes nothing. This look
    -- decides no grant: those are decided below, by the claims' primary key and the pools' CHECK.
    select array_agg(distinct q.ordinality) filter (where
            q.resources && shut
            or (early is not null and bespeak.comes_early(q.resources, q.presale, early))
            or (l.quantity is null and (
                select c.expires_at > v_now from bespeak.claim c
                where c.resource_id = l.resource_id and c.unit = l.unit))
            or (l.quantity is not null and (l.quantity > l.capacity or (
                select p.taken + l.quantity > l.capacity and p.lapses_at > v_now
                from bespeak.pool p
                where p.resource_id = l.resource_id and p.unit = l.unit)))),
        bool_or(l.quantity is not null), bool_or(l.resource_id <> q.resources[1]),
        bool_or(l.unit is null), bool_or(q.guards is not null)
    into lost, has_pools, has_many, has_next, has_guards
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units, q.quantities, q.capacities)
            as l(resource_id, unit, quantity, capacity);
    foreach i in array coalesce(lost, '{}') loop
        alive[i] := false;
        wanted := wanted - 1;
    end loop;
    refused := coalesce(lost, '{}');

    if has_next then
        select g.requests, g.alive, g.refused, g.shortages, g.numbered
        into requests, alive, lost, shortages, numbered
        from bespeak.give_numbers(v_now, requests, alive) g;
        wanted := wanted - cardinality(lost);
        refused := refused || lost;
    end if;

    -- The hold rows come first: a twin with the same key waits here for its sibling, and sees it.
    with made as (
        insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
            limit_lines, created_at, expires_at, extends_until, idempotency_key, fingerprint,
            amount, currency, shown_quantities, shown, amounts, quote)
        select q.resources[1], q.hold_id, q.owner, 'held', q.resources, q.units, q.quantities,
            q.limit_lines, v_now, v_now + make_interval(secs => q.hold_seconds),
            v_now + make_interval(secs => q.cap_seconds), q.idempotency_key, q.fingerprint,
            q.amount, q.currency, q.shown_quantities, q.shown::jsonb, q.amounts, q.quote::jsonb
        from unnest(requests) with ordinality as q
        where alive[q.ordinality]
        order by q.resources[1], q.owner, q.idempotency_key
        on conflict do nothing
        returning hold_id
    )
    select count(*), array_agg(hold_id) into made, made_ids from made;
    if made < wanted then
        for i in
            select q.ordinality
            from unnest(requests) with ordinality as q
            where alive[q.ordinality] and q.hold_id <> all(coalesce(made_ids, '{}'))
        loop
            alive[i] := false;
            refused := refused || i;
        end loop;
    end if;

    if has_guards then
        perform bespeak.lock_seat_rows(requests, alive);
    end if;

    -- The claims, where two takers meet. A lapsed claim is taken over in place; a live one is not.
    with line as materialized (
        select q.hold_id, l.resource_id, l.unit,
            v_now + make_interval(secs => q.hold_seconds) as expires_at
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null
    ), got as (
        insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
        select resource_id, unit, hold_id, expires_at from line order by resource_id, unit
        on conflict (resource_id, unit) do update
            set hold_id = excluded.hold_id, expires_at = excluded.expires_at
            where c.expires_at <= v_now
        returning 1
    )
    select (select count(*) from line) - (select count(*) from got) into made;
    lost := '{}';
    if made > 0 then
        select array_agg(distinct q.ordinality) into lost
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null and not exists (
            select from bespeak.claim c
            where c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = q.hold_id);
        foreach i in array lost loop
            alive[i] := false;
        end loop;
    end if;

    if has_guards then
        select coalesce(array_agg(s.ordinal), '{}'), array_agg(s.details) into single, singles
        from bespeak.single_seats(v_now, requests, alive) s;
        foreach i in array single loop
            alive[i] := false;
        end loop;
        lost := lost || single;
    end if;

    if has_pools then
        lost := lost || bespeak.draw_from_pools(v_now, requests, alive);
        foreach i in array lost loop
            alive[i] := false;
        end loop;
    end if;

    -- All or nothing: who lost anything keeps nothing. Its rows are known to nobody yet.
    if cardinality(lost) > 0 then
        delete from bespeak.claim c
        using unnest(requests) with ordinality as q,
            unnest(q.resources, q.units) as l(resource_id, unit)
        where q.ordinality = any(lost) and c.resource_id = l.resource_id and c.unit = l.unit
            and c.hold_id = q.hold_id;
        delete from bespeak.hold h
        using unnest(requests) with ordinality as q
        where q.ordinality = any(lost) and h.resource_id = q.resources[1] and h.hold_id = q.hold_id;
        refused := refused || lost;
    end if;

    if has_pools then
        insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
        select l.resource_id, l.unit, q.hold_id, l.quantity,
            v_now + make_interval(secs => q.hold_seconds)
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is not null;
    end if;

    -- Read only now, when every lock is ours: whoever we waited for has completed.
    v_horizon := bespeak.horizon();
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select q.resources[1], v_horizon, 'held', q.hold_id,
        trim_array(q.units, q.limit_lines), trim_array(q.quantities, q.limit_lines), v_now
    from unnest(requests) with ordinality as q
    where alive[q.ordinality] and (not has_many or q.resources[1] = all(q.resources));
    if has_many then
        insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
        select l.resource_id, v_horizon, 'held', q.hold_id,
            array_agg(l.unit), array_agg(l.quantity), v_now
        from unnest(requests) with ordinality as q,
            unnest(trim_array(q.resources, q.limit_lines), trim_array(q.units, q.limit_lines),
                trim_array(q.quantities, q.limit_lines)) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and q.resources[1] <> any(q.resources)
        group by q.ordinality, q.hold_id, l.resource_id;
    end if;

    return query
    select n, 'held', v_now, null::bespeak.hold, null::jsonb
    from generate_subscripts(alive, 1) as n where alive[n] and n <> all(numbered);
    if cardinality(numbered) > 0 then
        return query
        select q.ordinality::integer, 'held', v_now, h, null::jsonb
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.resources[1] and h.hold_id = q.hold_id
        where alive[q.ordinality] and q.ordinality = any(numbered);
    end if;

    if cardinality(refused) > 0 then
        return query
        select q.ordinality::integer,
            case when (h.found).hold_id is not null then
                case when (h.found).hold_id = q.hold_id
                        or (h.found).fingerprint is not distinct from q.fingerprint
                    then 'replayed' else 'key_reused' end
                when q.resources && shut
                    or bespeak.comes_early(q.resources, q.presale, early) then 'unavailable'
                when q.ordinality = any(single) then 'orphan'
                else 'taken' end,
            v_now,
            h.found,
            case when (h.found).hold_id is not null or coalesce(q.resources && shut, false)
                    or bespeak.comes_early(q.resources, q.presale, early) then null
                when q.ordinality = any(single)
                    then singles[array_position(single, q.ordinality::integer)]
                when shortages[q.ordinality] is not null then shortages[q.ordinality]
                else (
                    select c.details from bespeak.conflicts(v_now, q.hold_id, q.resources, q.units,
                        q.quantities, q.capacities) c)
            end
        from unnest(requests) with ordinality as q
        left join lateral (
            select k as found from bespeak.hold k
            where k.resource_id = q.resources[1]
                and (k.hold_id = q.hold_id
                    or (k.owner = q.owner and k.idempotency_key = q.idempotency_key))
            limit 1
        ) h on true
        where q.ordinality = any(refused);
    end if;
end
$$;
