-- Numbered tickets: numbers are given out in order and none twice. The plan says how many there are,
-- where they begin, and whether a number that is free again is given out again (`refill`: freed) or
-- never.

-- Gives numbers to the requests that ask for them, first come first served, and answers the requests
-- with the numbers in place; who finds too few is refused, with the shortage as `conflicts` would
-- tell it, and so is a twin of a request that has its hold already, before it could use up a number.
create or replace function bespeak.give_numbers(
    v_now timestamptz, inout requests bespeak.hold_request[], inout alive boolean[],
    out shortages jsonb[], out numbered integer[])
language plpgsql as $$
#variable_conflict use_column
declare
    counted bigint[];  -- the resources whose numbers are asked for, and of each, at the same place:
    prefixes text[];
    counts integer[];
    used integer[];  -- how far its part of the pile is given out
    ends integer[];  -- where its part of the pile ends
    pile integer[];
    begins integer[];
    reached integer[];
    names text[];
    lacking integer[];
    r record;
    k integer;
begin
    numbered := '{}';
    shortages := array_fill(null::jsonb, array[cardinality(requests)]);
    counted := bespeak.lock_counters(requests, alive);
    if counted is null then
        return;
    end if;
    alive := bespeak.without(alive, bespeak.numbered_twins(requests, alive));
    select p.counted, p.prefixes, p.counts, p.begins, p.ends, p.pile
    into counted, prefixes, counts, begins, ends, pile
    from bespeak.pile_numbers(v_now, requests, alive) p;
    used := begins;

    for r in
        select q.ordinality::integer as n, q.resources, q.units
        from unnest(requests) with ordinality as q
        where alive[q.ordinality] and array_position(q.units, null) is not null
        order by q.ordinality
    loop
        names := r.units;
        reached := used;
        lacking := '{}';
        for i in 1 .. cardinality(names) loop
            continue when names[i] is not null;
            k := array_position(counted, r.resources[i]);
            if reached[k] < ends[k] then
                reached[k] := reached[k] + 1;
                names[i] := prefixes[k] || pile[reached[k]];
            elsif k <> all(lacking) then
                lacking := lacking || k;
            end if;
        end loop;
        if cardinality(lacking) = 0 then
            used := reached;
            requests[r.n].units := names;
            numbered := numbered || r.n;
        else
            alive[r.n] := false;
            shortages[r.n] := (
                select jsonb_agg(jsonb_build_object(
                    'resource_id', counted[s.k], 'unit', 'next', 'state', 'short',
                    'capacity', counts[s.k], 'available', ends[s.k] - used[s.k]))
                from unnest(lacking) as s(k));
        end if;
    end loop;

    -- A number that fills a gap leaves the counter where it is.
    update bespeak.counter c set last = pile[u.used]
    from unnest(counted, begins, used) as u(resource_id, low, used)
    where c.resource_id = u.resource_id and u.used > u.low and pile[u.used] > c.last;
end
$$;

-- Locks the counters of the resources whose numbers are asked for, in key order, before anything else:
-- until the commit nobody else gives numbers of these resources, so a later number always goes to a
-- later hold. Null where no number is asked for.
create or replace function bespeak.lock_counters(
    requests bespeak.hold_request[], alive boolean[]) returns bigint[]
language plpgsql as $$
declare
    counted bigint[];
begin
    select array_agg(distinct l.resource_id) into counted
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units) as l(resource_id, unit)
    where alive[q.ordinality] and l.unit is null;
    insert into bespeak.counter (resource_id, last)
    select c.resource_id, coalesce((
            select (p.plan->>'first')::integer from bespeak.resource p
            where p.resource_id = c.resource_id), 1) - 1
    from unnest(counted) as c(resource_id)
    where not exists (select from bespeak.counter n where n.resource_id = c.resource_id)
    order by c.resource_id
    on conflict do nothing;
    perform from bespeak.counter n where n.resource_id = any(counted)
    order by n.resource_id for update;
    return counted;
end
$$;

-- The requests for numbers whose hold is there already, or that come twice in the batch. Whoever
-- placed a twin of one of these had the counter before, and has committed.
create or replace function bespeak.numbered_twins(
    requests bespeak.hold_request[], alive boolean[]) returns integer[]
language plpgsql as $$
begin
    return array(
        select t.n
        from (
            select q.ordinality::integer as n, q.resources[1] as home, q.hold_id, q.owner,
                q.idempotency_key as key, row_number() over (
                    partition by q.owner, q.idempotency_key
                    order by q.ordinality) as nth
            from unnest(requests) with ordinality as q
            where alive[q.ordinality] and array_position(q.units, null) is not null
        ) t
        where (t.key is not null and t.nth > 1)
            or exists (select from bespeak.hold h
                where h.resource_id = t.home and h.hold_id = t.hold_id)
            or exists (select from bespeak.hold_key k
                where k.owner = t.owner and k.idempotency_key = t.key));
end
$$;

-- The numbers that can be given to these requests, on one pile: of each resource a part, from behind
-- `begins` to `ends`, with what its numbers are called by and how many it has.
create or replace function bespeak.pile_numbers(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[], out counted bigint[],
    out prefixes text[], out counts integer[], out begins integer[], out ends integer[],
    out pile integer[])
language plpgsql as $$
#variable_conflict use_column
declare
    r record;
begin
    pile := '{}';
    for r in
        select l.resource_id, p.plan, n.last, count(*) filter (where l.unit is null) as wanted,
            array_remove(array_agg(l.unit), null) as named
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        join bespeak.counter n on n.resource_id = l.resource_id
        join bespeak.resource p on p.resource_id = l.resource_id
        where alive[q.ordinality] and l.quantity is null
        group by l.resource_id, p.plan, n.last
    loop
        counted := counted || r.resource_id;
        prefixes := prefixes || coalesce(r.plan->>'prefix', '');
        counts := counts || (r.plan->>'count')::integer;
        begins := begins || cardinality(pile);
        pile := pile || bespeak.next_numbers(
            v_now, r.resource_id, r.plan, r.last, r.wanted::integer, r.named);
        ends := ends || cardinality(pile);
    end loop;
end
$$;

-- The next numbers of a resource, at most so many, lowest first; none of those that the batch asks
-- for by name. The caller has locked the counter.
create or replace function bespeak.next_numbers(
    v_now timestamptz, in_resource bigint, plan jsonb, in_last integer, wanted integer,
    named text[]) returns integer[]
language plpgsql as $$
#variable_conflict use_variable
declare
    prefix constant text := coalesce(plan->>'prefix', '');
    v_first constant integer := coalesce((plan->>'first')::integer, 1);
    v_end constant integer := v_first + (plan->>'count')::integer - 1;
    n integer := greatest(v_first, in_last + 1);
    found_numbers integer[] := '{}';
begin
    if plan->>'refill' = 'never' then
        -- What is beyond the last was given to nobody; only blocks may stand there.
        while n <= v_end and cardinality(found_numbers) < wanted loop
            if prefix || n <> all(named) and not exists (
                    select from bespeak.claim c
                    where c.resource_id = in_resource and c.unit = prefix || n
                        and c.expires_at > v_now) then
                found_numbers := found_numbers || n;
            end if;
            n := n + 1;
        end loop;
        return found_numbers;
    end if;

    -- The gaps between those that are taken. Taken are few enough to be read whole, because only
    -- plans of at most 10,000 numbers refill; no join, so no plan for it can go wrong.
    return (
        with lapsed as materialized (
            -- Locked, so that who confirms at this very instant cannot have it too. Whoever has it
            -- locked already is at that, and keeps it.
            select c.unit from bespeak.claim c
            where c.resource_id = in_resource and c.expires_at <= v_now
            for update skip locked
        ), taken as materialized (
            select bespeak.number_in(c.unit, prefix) as number from bespeak.claim c
            where c.resource_id = in_resource
                and (c.expires_at > v_now or not c.unit = any(array(select l.unit from lapsed l)))
            union all
            select bespeak.number_in(u.unit, prefix) from unnest(named) as u(unit)
        ), gap as (
            select t.number + 1 as lowest,
                coalesce(lead(t.number) over (order by t.number) - 1, v_end) as highest
            from (
                select v_first - 1 as number
                union all
                select taken.number from taken where taken.number between v_first and v_end
            ) t
        ), free as (
            select generate_series(g.lowest, g.highest) as number from gap g
            where g.lowest <= g.highest
            order by 1 limit wanted
        )
        select coalesce(array_agg(f.number order by f.number), '{}') from free f);
end
$$;

-- The number that a unit of this prefix carries; null where it is none. Without a regular expression,
-- which would take three quarters of the time of giving a number.
create or replace function bespeak.number_in(unit text, prefix text) returns integer
language sql immutable parallel safe as $$
    select case when starts_with(unit, prefix)
            and length(unit) - length(prefix) between 1 and 9
            and translate(substr(unit, length(prefix) + 1), '0123456789', '') = ''
        then substr(unit, length(prefix) + 1)::integer end
$$;
