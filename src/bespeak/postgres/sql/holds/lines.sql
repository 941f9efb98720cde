-- The lines of holds, bookings and blocks: until when they count, and setting them free.

-- Lets the lines of locked holds lapse at other times, and answers the outcomes with `hold_expired` for
-- the holds that no longer have all of theirs: what is left of those lapses again as it would have.
-- A hold with an outcome already, or without a new time, stays as it is.
create or replace function bespeak.retime_holds(
    holds bespeak.hold[], expiries timestamptz[], outcomes text[]) returns text[]
language plpgsql as $$
declare
    short uuid[];
    i integer;
begin
    select bespeak.retime_lines(array_agg(h.hold_id), array_agg(expiries[h.ordinality]),
        array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
    into short
    from unnest(holds) with ordinality as h,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    where outcomes[h.ordinality] is null and expiries[h.ordinality] is not null
    having count(*) > 0;
    if cardinality(short) > 0 then
        perform bespeak.retime_lines(array_agg(h.hold_id), array_agg(h.expires_at),
            array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
        from unnest(holds) as h,
            unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
        where h.hold_id = any(short);
        for i in
            select h.ordinality from unnest(holds) with ordinality as h
            where h.hold_id = any(short) and outcomes[h.ordinality] is null
        loop
            outcomes[i] := 'hold_expired';
        end loop;
    end if;
    return outcomes;
end
$$;

-- Sets when the claims and draws of holds lapse, and answers the holds that no longer have them
-- all (someone took over at the instant of expiry). Rows are locked in key order first.
create or replace function bespeak.retime_lines(
    holders uuid[], expiries timestamptz[], in_resources bigint[], in_units text[],
    in_quantities integer[]) returns uuid[]
language plpgsql as $$
#variable_conflict use_column
declare
    done integer;
    short uuid[] := '{}';
begin
    with line as materialized (
        select * from unnest(holders, expiries, in_resources, in_units, in_quantities)
            as l(hold_id, expires_at, resource_id, unit, quantity)
        -- In this order draws are looked up by key and written, as who takes back what has lapsed locks
        -- them. To lock them first, as the claims are, would write each twice.
        order by l.resource_id, l.unit collate "C", l.hold_id
    ), locked as materialized (
        select c.resource_id, c.unit, l.expires_at
        from line l join bespeak.claim c
            on c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = l.hold_id
        where l.quantity is null
        order by c.resource_id, c.unit
        for update of c
    ), claimed as (
        update bespeak.claim c set expires_at = l.expires_at
        from locked l where c.resource_id = l.resource_id and c.unit = l.unit
        returning 1
    ), drawn as (
        update bespeak.draw d set expires_at = l.expires_at
        from line l
        where l.quantity is not null and d.resource_id = l.resource_id and d.unit = l.unit
            and d.hold_id = l.hold_id
        returning 1
    )
    select (select count(*) from claimed) + (select count(*) from drawn) into done;
    if done < cardinality(holders) then
        select array_agg(distinct l.hold_id) into short
        from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        where case when l.quantity is null then not exists (
                select from bespeak.claim c where c.resource_id = l.resource_id
                    and c.unit = l.unit and c.hold_id = l.hold_id)
            else not exists (
                select from bespeak.draw d where d.resource_id = l.resource_id
                    and d.unit = l.unit and d.hold_id = l.hold_id)
            end;
    end if;
    return short;
end
$$;

-- Locks the claims of all these holds and bookings, then their pools, each by key, before the first is
-- written: whoever changes some and then others goes through claims and pools more than once, and would
-- come to claims while it has pools.
create or replace function bespeak.lock_lines(in_holds uuid[]) returns void
language plpgsql as $$
begin
    perform from unnest(in_holds) as u(id)
    join bespeak.hold h on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
    cross join unnest(h.resources, h.units) as l(resource_id, unit)
    join bespeak.claim c
        on c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = h.hold_id
    order by c.resource_id, c.unit for update of c;
    perform from unnest(in_holds) as u(id)
    join bespeak.hold h on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
    cross join unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    join bespeak.pool p on p.resource_id = l.resource_id and p.unit = l.unit
    where l.quantity is not null
    order by p.resource_id, p.unit for update of p;
end
$$;

-- Frees lines of holds, bookings or blocks and answers what was really theirs to free: a unit
-- that someone took over after the lapse is not touched and not listed.
create or replace function bespeak.free_lines(
    holders uuid[], in_resources bigint[], in_units text[], in_quantities integer[])
returns table (hold_id uuid, resource_id bigint, unit text, quantity integer)
language plpgsql as $$
#variable_conflict use_column
begin
    return query
    with locked as materialized (
        select c.resource_id, c.unit
        from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        join bespeak.claim c
            on c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = l.hold_id
        where l.quantity is null
        order by c.resource_id, c.unit
        for update of c
    )
    delete from bespeak.claim c using locked l
    where c.resource_id = l.resource_id and c.unit = l.unit
    returning c.hold_id, c.resource_id, c.unit, null::integer;

    perform from bespeak.pool p
    join (
        select distinct l.resource_id, l.unit
        from unnest(in_resources, in_units, in_quantities) as l(resource_id, unit, quantity)
        where l.quantity is not null
    ) l on p.resource_id = l.resource_id and p.unit = l.unit
    order by p.resource_id, p.unit
    for update of p;

    return query
    with line as materialized (
        select * from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        where l.quantity is not null
    ), gone as (
        delete from bespeak.draw d using line l
        where d.resource_id = l.resource_id and d.unit = l.unit and d.hold_id = l.hold_id
            and d.quantity <= l.quantity
        returning d.hold_id, d.resource_id, d.unit, d.quantity
    ), cut as (
        update bespeak.draw d set quantity = d.quantity - l.quantity
        from line l
        where d.resource_id = l.resource_id and d.unit = l.unit and d.hold_id = l.hold_id
            and d.quantity > l.quantity
        returning d.hold_id, d.resource_id, d.unit, l.quantity
    ), freed as (
        select * from gone union all select * from cut
    ), returned as (
        update bespeak.pool p set taken = p.taken - f.quantity
        from (
            select f.resource_id, f.unit, sum(f.quantity)::integer as quantity
            from freed f group by f.resource_id, f.unit
        ) f
        where p.resource_id = f.resource_id and p.unit = f.unit
        returning 1
    )
    select f.hold_id, f.resource_id, f.unit, f.quantity from freed f;
end
$$;
