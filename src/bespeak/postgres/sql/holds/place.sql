-- Placing holds: the hottest function of the engine. A batch of requests, each all or nothing.
--
-- The verbs are planned once and kept, and a plan that was made while a table was small reads it
-- whole for as long as nobody analyzes it: in a rush, for seconds, a hundred times slower. So they
-- forbid the ways that read whole tables (`set enable_...` in each function); what remains are
-- look-ups by primary key, which are right for any size.

-- Places a batch of holds, first come first served, in one round trip. Each is granted whole or
-- leaves nothing behind. The caller has checked the requests against (resource, version) pairs,
-- which are compared here; it names an exclusive unit, and a row of guarded seats, at most once a
-- batch. The hold is answered where numbers were given out, for the caller to learn them.
--
-- Locks are taken in one global order, so two batches cannot wait for each other: the counters of
-- numbers, then hold rows, then rows of guarded seats, then claims, then pools, each in key order.
-- Outcomes: held, replayed, key_reused, unavailable, taken, orphan (details: the single seats).
create or replace function bespeak.place_holds(
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

-- Whether a request names a resource that is not open yet, without leave to come early.
create or replace function bespeak.comes_early(resources bigint[], presale bigint[], early bigint[])
returns boolean language sql immutable as $$
    select exists (
        select from unnest(resources) as r
        where r = any(early) and r <> all(coalesce(presale, '{}')))
$$;
