-- Claiming exclusive units, for holds and for blocks.

-- Takes the claims of a batch, if it has any, and answers who is alive after it: by the quick way, unless
-- the look has seen a claim, or another was quicker. One that lapsed is to be taken over; and where one
-- stands there is a crowd: another batch with the same units is likely to be on its way.
create or replace function bespeak.take_units(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[], has_units boolean,
    has_rivals boolean) returns boolean[]
language plpgsql as $$
begin
    if has_units and (has_rivals or not bespeak.claim_fresh_units(v_now, requests, alive)) then
        return bespeak.claim_units(v_now, requests, alive);
    end if;
    return alive;
end
$$;

-- Takes the claims of units of which a look has shown no row, and answers whether it took them all; if
-- another was quicker with one of them, it has taken none. A row of `on conflict` is written under a lock of
-- its own and confirmed in the log, which is two fifths of what a claim costs; this is done without, and
-- undone when the primary key says no.
create or replace function bespeak.claim_fresh_units(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[]) returns boolean
language plpgsql as $$
begin
    insert into bespeak.claim (resource_id, unit, hold_id, expires_at)
    select l.resource_id, l.unit, q.hold_id, v_now + make_interval(secs => q.hold_seconds)
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
    where alive[q.ordinality] and l.quantity is null
    order by l.resource_id, l.unit collate "C";
    return true;
exception when unique_violation then
    return false;
end
$$;

-- Takes the claims, where two takers meet: a lapsed claim is taken over in place, a live one is not.
-- Answers who is alive after it: who has all of theirs. Without hold_seconds (a block) they are for ever.
create or replace function bespeak.claim_units(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[]) returns boolean[]
language plpgsql as $$
declare
    missing integer;
begin
    with line as materialized (
        select q.hold_id, l.resource_id, l.unit,
            coalesce(v_now + make_interval(secs => q.hold_seconds), 'infinity') as expires_at
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null
    ), got as (
        insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
        select resource_id, unit, hold_id, expires_at from line
        order by resource_id, unit collate "C"
        on conflict (resource_id, unit) do update
            set hold_id = excluded.hold_id, expires_at = excluded.expires_at,
                taken_from = c.hold_id
            where c.expires_at <= v_now
        returning 1
    )
    select (select count(*) from line) - (select count(*) from got) into missing;
    if missing = 0 then
        return alive;
    end if;
    return bespeak.without(alive, array(
        select distinct q.ordinality::integer
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null and not exists (
            select from bespeak.claim c
            where c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = q.hold_id)));
end
$$;
