-- Draws from pools, for holds and for blocks.

-- Draws from pools for the requests that are alive, and answers who is alive after it. Called with
-- the claims already made; pool rows are locked in primary-key order, after claims, as everywhere.
-- A request without hold_seconds (a block) draws for ever.
create or replace function bespeak.draw_from_pools(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[]) returns boolean[]
language plpgsql as $$
#variable_conflict use_column
declare
    short_resources bigint[];
    short_units text[];
begin
    -- The common case in one statement: every pool has room for all that this batch asks of it.
    with demand as materialized (
        select l.resource_id, l.unit, max(l.capacity) as capacity, sum(l.quantity)::integer as quantity,
            coalesce(v_now + make_interval(secs => min(q.hold_seconds)), 'infinity') as lapses_at
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
        order by resource_id, unit collate "C"
        on conflict (resource_id, unit) do update
            set taken = p.taken + excluded.taken, capacity = excluded.capacity,
                lapses_at = least(p.lapses_at, excluded.lapses_at)
            where p.taken + excluded.taken <= excluded.capacity
        returning resource_id, unit
    )
    select array_agg(d.resource_id), array_agg(d.unit)
    into short_resources, short_units
    from demand d
    where ((select count(*) from drawn) < (select count(*) from demand)
            or exists (select from demand where quantity > capacity))
        and (d.quantity > d.capacity or not exists (
            select from drawn w where w.resource_id = d.resource_id and w.unit = d.unit));
    if short_resources is not null then
        -- Some pools are short (their rows are locked by the attempt). Take back what has lapsed.
        perform bespeak.reclaim_draws(v_now, short_resources, short_units);
        alive := bespeak.draw_in_turn(v_now, requests, alive, short_resources, short_units);
    end if;

    insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
    select l.resource_id, l.unit, q.hold_id, l.quantity,
        coalesce(v_now + make_interval(secs => q.hold_seconds), 'infinity')
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
    where alive[q.ordinality] and l.quantity is not null;
    return alive;
end
$$;

-- First come, first served, one request after the other, over the pools that are short. Answers who is
-- alive after it; what the others had drawn from other pools already goes back.
create or replace function bespeak.draw_in_turn(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[], short_resources bigint[],
    short_units text[]) returns boolean[]
language plpgsql as $$
#variable_conflict use_column
declare
    r record;
    fits boolean;
begin
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
            alive[r.ordinality] := false;
            update bespeak.pool p
            set taken = p.taken - l.quantity
            from unnest(r.resources, r.units, r.quantities) as l(resource_id, unit, quantity)
            where p.resource_id = l.resource_id and p.unit = l.unit and l.quantity is not null
                and not exists (
                    select from unnest(short_resources, short_units) as s(resource_id, unit)
                    where s.resource_id = l.resource_id and s.unit = l.unit);
        end if;
    end loop;
    return alive;
end
$$;

-- Takes lapsed draws out of pools whose rows the caller has locked, so that expiry needs nobody.
-- The draw row is the proof that the pool still counts it: who deletes it, decrements, once.
create or replace function bespeak.reclaim_draws(
    v_now timestamptz, in_resources bigint[], in_units text[]) returns void
language plpgsql as $$
begin
    -- In key order: who confirms or extends a hold that lapses just now locks its draws, and not the pools.
    with lapsed as materialized (
        select d.resource_id, d.unit, d.hold_id
        from unnest(in_resources, in_units) as s(resource_id, unit)
        join bespeak.pool p on p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now
        join bespeak.draw d on d.resource_id = s.resource_id and d.unit = s.unit and d.expires_at <= v_now
        order by d.resource_id, d.unit, d.hold_id
        for update of d
    ), gone as (
        delete from bespeak.draw d using lapsed l
        where d.resource_id = l.resource_id and d.unit = l.unit and d.hold_id = l.hold_id
        returning d.resource_id, d.unit, d.quantity
    ), freed as (
        select resource_id, unit, sum(quantity)::integer as quantity
        from gone group by resource_id, unit
    )
    update bespeak.pool p set taken = p.taken - f.quantity
    from freed f where p.resource_id = f.resource_id and p.unit = f.unit;
    -- A statement of its own: the one above may have waited for an extension, whose draw it sees as it
    -- was before, and would leave out here.
    update bespeak.pool p
    set lapses_at = coalesce((
        select min(d.expires_at) from bespeak.draw d
        where d.resource_id = p.resource_id and d.unit = p.unit), 'infinity')
    from unnest(in_resources, in_units) as s(resource_id, unit)
    where p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now;
end
$$;
