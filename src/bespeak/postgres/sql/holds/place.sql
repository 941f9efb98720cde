-- Placing holds: the hottest function of the engine. A batch of requests, each all or nothing.
--
-- The verbs are planned once and kept, and a plan that was made while a table was small reads it
-- whole for as long as nobody analyzes it: in a rush, for seconds, a hundred times slower. So the
-- verbs forbid the ways that read whole tables (`set enable_...`); what remains are look-ups by
-- primary key, which are right for any size. Their steps are called by them alone and inherit it.
-- Planned once is meant: left to itself, PostgreSQL plans anew for small batches, again and again,
-- because what it estimates for two lines is less than what it estimates for any number.

-- Places a batch of holds, first come first served, in one round trip. Each is granted whole or
-- leaves nothing behind. The caller has checked the requests against (resource, version) pairs,
-- which are compared here; it names an exclusive unit, and a row of guarded seats, at most once a
-- batch. The hold is answered where numbers were given out, for the caller to learn them.
--
-- Locks are taken in one global order, so two batches cannot wait for each other: plans, the counters
-- of numbers, keys, then hold rows, then rows of guarded seats, then claims, then pools, each in key order.
-- Outcomes: held, replayed, key_reused, erased, unavailable, taken, orphan (details: the single seats).
create or replace function bespeak.place_holds(
    home bigint, requests bespeak.hold_request[], resource_ids bigint[], versions integer[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    shut bigint[];
    early bigint[];
    seen record;
    -- Which requests can still be granted; whoever is not at the end was refused.
    alive boolean[] := array_fill(true, array[cardinality(requests)]);
    written boolean[];  -- which have a hold row of this batch
    orphans jsonb[];  -- by request: the seats that it would leave single
    shortages jsonb[];  -- by request: the numbers that it does not get
    numbered integer[] := '{}';
    r record;
begin
    perform bespeak.keep_plans(resource_ids);
    -- Nearly all that come alone are held by this, and who is not has left nothing.
    if cardinality(requests) = 1 and cardinality(versions) = 1
            and bespeak.place_plain_hold(v_now, requests[1], versions[1]) then
        ordinal := 1; outcome := 'held'; answered_at := v_now;
        return next;
        return;
    end if;
    select s.* into shut, early from bespeak.shut_resources(v_now, resource_ids, versions) s;
    select l.* into seen from bespeak.first_look(v_now, requests, shut, early) l;
    if seen.refused is not null then
        alive := bespeak.without(alive, seen.refused);
    end if;
    if true = any(alive) then
        if seen.has_next then
            select g.requests, g.alive, g.shortages, g.numbered
            into requests, alive, shortages, numbered
            from bespeak.give_numbers(v_now, requests, alive) g;
        end if;
        if seen.has_keys then
            alive := bespeak.write_keys(requests, alive);
        end if;
        alive := bespeak.write_holds(v_now, requests, alive);
        written := alive;
        if seen.has_guards then
            perform bespeak.lock_seat_rows(requests, alive);
        end if;
        alive := bespeak.take_units(v_now, requests, alive, seen.has_units, seen.has_rivals);
        if seen.has_guards then
            for r in select * from bespeak.single_seats(v_now, requests, alive) loop
                orphans[r.ordinal] := r.details;
                alive[r.ordinal] := false;
            end loop;
        end if;
        if seen.has_pools then
            alive := bespeak.draw_from_pools(v_now, requests, alive);
        end if;
        if alive <> written then
            perform bespeak.undo_holds(requests, written, alive);
        end if;
        perform bespeak.tell_held(v_now, requests, alive, seen.has_many);
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
    if false = any(alive) then
        return query select * from bespeak.refused_holds(
            v_now, requests, alive, shut, early, orphans, shortages);
    end if;
end
$$;

-- Of the resources that the caller has checked requests against: which are shut (closed, or changed
-- since), and which open later. Like `first_look` it answers a table of one row, because such a function
-- is planned into the statement that uses it.
create or replace function bespeak.shut_resources(
    v_now timestamptz, resource_ids bigint[], versions integer[])
returns table (shut bigint[], early bigint[])
language sql stable as $$
    -- A scalar subquery for each resource is an index look-up whatever the planner knows or not;
    -- as a join it may read the whole table while its statistics are young.
    select array_agg(s.resource_id) filter (where s.is_early is null),
        array_agg(s.resource_id) filter (where s.is_early)
    from (
        select w.resource_id, (
            select coalesce(r.opens_at > v_now, false) from bespeak.resource r
            where r.resource_id = w.resource_id and r.state = 'open' and r.version = w.version
                and (r.closes_at is null or r.closes_at > v_now)) as is_early
        from unnest(resource_ids, versions) as w(resource_id, version)
        offset 0  -- as it stands: looked up once
    ) s
$$;

-- Which requests are refused at once, because a look shows something of them to be shut or taken, so
-- that a lost race writes nothing. It decides no grant: those are decided by the claims' primary key
-- and the pools' CHECK. And what the batch has in it, so that steps can be left out; `has_rivals` says
-- that a claim was seen, or that there may be one: of a number nobody knows yet.
create or replace function bespeak.first_look(
    v_now timestamptz, requests bespeak.hold_request[], shut bigint[], early bigint[])
returns table (refused integer[], has_units boolean, has_rivals boolean, has_pools boolean,
    has_many boolean, has_next boolean, has_guards boolean, has_keys boolean)
language sql stable as $$
    select array_agg(distinct q.ordinality::integer) filter (where
            q.resources && shut
            or (early is not null and bespeak.comes_early(q.resources, q.presale, early))
            or l.is_taken
            or (l.quantity is not null and (l.quantity > l.capacity or (
                select p.taken + l.quantity > l.capacity and p.lapses_at > v_now
                from bespeak.pool p
                where p.resource_id = l.resource_id and p.unit = l.unit)))),
        bool_or(l.quantity is null), bool_or(l.unit is null or l.is_taken is not null),
        bool_or(l.quantity is not null), bool_or(l.resource_id <> q.resources[1]),
        bool_or(l.unit is null), bool_or(q.guards is not null),
        bool_or(q.idempotency_key is not null)
    from unnest(requests) with ordinality as q
    cross join lateral (
        select u.*, case when u.quantity is null then (
            select c.expires_at > v_now from bespeak.claim c
            where c.resource_id = u.resource_id and c.unit = u.unit) end as is_taken
        from unnest(q.resources, q.units, q.quantities, q.capacities)
            as u(resource_id, unit, quantity, capacity)
        offset 0  -- as it stands: looked up once
    ) l
$$;

-- Whether a request names a resource that is not open yet, without leave to come early.
create or replace function bespeak.comes_early(
    resources bigint[], presale bigint[], early bigint[]) returns boolean
language sql immutable as $$
    select exists (
        select from unnest(resources) as r
        where r = any(early) and r <> all(coalesce(presale, '{}')))
$$;

-- The requests that are alive, without those that were lost.
create or replace function bespeak.without(alive boolean[], lost integer[]) returns boolean[]
language plpgsql immutable as $$
declare
    i integer;
begin
    foreach i in array coalesce(lost, '{}') loop
        alive[i] := false;
    end loop;
    return alive;
end
$$;

-- Writes the idempotency keys, and answers who is alive after it: not whose key was used before, also if
-- that was erased since. They come before all but the counters: a twin with the same key waits here for
-- its sibling, and sees it; as one that comes while its key is being erased sees that it was.
create or replace function bespeak.write_keys(requests bespeak.hold_request[], alive boolean[])
returns boolean[]
language plpgsql as $$
declare
    known uuid[];
    missing integer;
    erased uuid[];
begin
    with wanted as materialized (
        select q.owner, q.idempotency_key, q.resources[1] as home, q.hold_id
        from unnest(requests) with ordinality as q
        where alive[q.ordinality] and q.idempotency_key is not null
    ), made as (
        insert into bespeak.hold_key (owner, idempotency_key, resource_id, hold_id)
        select owner, idempotency_key, home, hold_id from wanted order by owner, idempotency_key
        on conflict do nothing
        returning hold_id
    )
    select coalesce(array_agg(hold_id), '{}'), (select count(*) from wanted) - count(*)
    into known, missing from made;
    -- Only now: who waited for the row of a key that was being erased sees here that it was.
    if exists (select from bespeak.erased_key) then
        erased := bespeak.erased_keys(requests);
        if erased is not null then
            delete from bespeak.hold_key k
            using unnest(requests) as q
            where q.hold_id = any(erased) and k.owner = q.owner
                and k.idempotency_key = q.idempotency_key and k.hold_id = q.hold_id;
            known := array(select n from unnest(known) as n where n <> all(erased));
            missing := missing + cardinality(erased);
        end if;
    end if;
    if missing = 0 then
        return alive;
    end if;
    return array(
        select alive[q.ordinality] and (q.idempotency_key is null or q.hold_id = any(known))
        from unnest(requests) with ordinality as q order by q.ordinality);
end
$$;

-- Writes the hold rows, and answers who is alive after it: not who has one already.
create or replace function bespeak.write_holds(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[]) returns boolean[]
language plpgsql as $$
declare
    -- The plans are kept since before this: a change of one of them gets a higher number.
    v_plans constant bigint := pg_sequence_last_value('bespeak.plan_changes');
    made_ids uuid[];
begin
    with made as (
        insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
            limit_lines, created_at, expires_at, extends_until, idempotency_key, fingerprint,
            amount, currency, shown_quantities, shown, amounts, quote, plans_seen, placed_by)
        select q.resources[1], q.hold_id, q.owner, 'held', q.resources, q.units, q.quantities,
            q.limit_lines, v_now, v_now + make_interval(secs => q.hold_seconds),
            v_now + make_interval(secs => q.cap_seconds), q.idempotency_key, q.fingerprint,
            q.amount, q.currency, q.shown_quantities, q.shown::jsonb, q.amounts, q.quote::jsonb,
            v_plans, q.actor
        from unnest(requests) with ordinality as q
        where alive[q.ordinality]
        order by q.resources[1], q.hold_id
        on conflict do nothing
        returning hold_id
    )
    select coalesce(array_agg(hold_id), '{}') into made_ids from made;
    if cardinality(made_ids) = cardinality(array_positions(alive, true)) then
        return alive;
    end if;
    return array(
        select alive[q.ordinality] and q.hold_id = any(made_ids)
        from unnest(requests) with ordinality as q order by q.ordinality);
end
$$;

-- All or nothing: whose hold row was written and who lost something since keeps nothing. Its rows are
-- known to nobody yet. Draws it has none: they were not written, and the pools have theirs back. A
-- claim that it took over is the lapsed hold's again, whose end tells followers that the unit is free.
create or replace function bespeak.undo_holds(
    requests bespeak.hold_request[], written boolean[], alive boolean[]) returns void
language plpgsql as $$
begin
    update bespeak.claim c
    set hold_id = c.taken_from, expires_at = '-infinity', taken_from = null
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units) as l(resource_id, unit)
    where written[q.ordinality] and not alive[q.ordinality] and c.taken_from is not null
        and c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = q.hold_id;
    delete from bespeak.claim c
    using unnest(requests) with ordinality as q,
        unnest(q.resources, q.units) as l(resource_id, unit)
    where written[q.ordinality] and not alive[q.ordinality]
        and c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = q.hold_id;
    delete from bespeak.hold_key k
    using unnest(requests) with ordinality as q
    where written[q.ordinality] and not alive[q.ordinality]
        and k.owner = q.owner and k.idempotency_key = q.idempotency_key and k.hold_id = q.hold_id;
    delete from bespeak.hold h
    using unnest(requests) with ordinality as q
    where written[q.ordinality] and not alive[q.ordinality]
        and h.resource_id = q.resources[1] and h.hold_id = q.hold_id;
end
$$;

-- Tells the feed of the holds, an event for each resource of each.
create or replace function bespeak.tell_held(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[], has_many boolean)
returns void
language plpgsql as $$
declare
    -- Read only now, when every lock is ours: whoever we waited for has completed.
    v_horizon constant bigint := bespeak.horizon();
begin
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    select q.resources[1], v_horizon, 'held', q.hold_id,
        trim_array(q.units, q.limit_lines), trim_array(q.quantities, q.limit_lines), v_now, q.actor
    from unnest(requests) with ordinality as q
    where alive[q.ordinality] and (not has_many or q.resources[1] = all(q.resources));
    if has_many then
        insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at,
            actor)
        select l.resource_id, v_horizon, 'held', q.hold_id,
            array_agg(l.unit), array_agg(l.quantity), v_now, q.actor
        from unnest(requests) with ordinality as q,
            unnest(trim_array(q.resources, q.limit_lines), trim_array(q.units, q.limit_lines),
                trim_array(q.quantities, q.limit_lines)) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and q.resources[1] <> any(q.resources)
        group by q.ordinality, q.hold_id, l.resource_id, q.actor;
    end if;
end
$$;

-- The answers to the requests that were refused: what they get instead of a hold (the one that their
-- key or id has already), or why not.
create or replace function bespeak.refused_holds(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[], shut bigint[],
    early bigint[], orphans jsonb[], shortages jsonb[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold, details jsonb)
language plpgsql as $$
#variable_conflict use_column
declare
    erased constant uuid[] := case when exists (select from bespeak.erased_key)
        then bespeak.erased_keys(requests) end;
begin
    return query
    select q.ordinality::integer,
        case when (h.found).hold_id is not null then
            case when (h.found).hold_id = q.hold_id
                    or (h.found).fingerprint is not distinct from q.fingerprint
                then 'replayed' else 'key_reused' end
            when q.hold_id = any(erased) then 'erased'
            when s.is_shut then 'unavailable'
            when orphans[q.ordinality] is not null then 'orphan'
            else 'taken' end,
        v_now,
        h.found,
        case when (h.found).hold_id is not null or s.is_shut then null
            else coalesce(orphans[q.ordinality], shortages[q.ordinality], (
                select c.details from bespeak.conflicts(v_now, q.hold_id, q.resources, q.units,
                    q.quantities, q.capacities) c))
        end
    from unnest(requests) with ordinality as q
    cross join lateral (
        select coalesce(q.resources && shut, false)
            or bespeak.comes_early(q.resources, q.presale, early) as is_shut
    ) s
    left join lateral (
        select k as found from bespeak.hold k
        where k.resource_id = q.resources[1] and k.hold_id = q.hold_id
        union all
        select k from bespeak.hold_key x
        join bespeak.hold k on k.resource_id = x.resource_id and k.hold_id = x.hold_id
        where x.owner = q.owner and x.idempotency_key = q.idempotency_key
        limit 1
    ) h on true
    where not alive[q.ordinality];
end
$$;
