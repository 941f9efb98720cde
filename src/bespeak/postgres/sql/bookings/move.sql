-- Moving what a booking has to other units of the same resource: a guest to another room, a seat to
-- another. The booking, its price, its payment and its tickets stay what they are.

-- Moves claims of a booking to other units of one resource; all of them or none. The caller has planned this
-- from the lines and what of them was cancelled as they are named here, by this version of the resource, and
-- says what the booking claims and how it shows its lines from then on, and which of these (from 1) begin
-- elsewhere. Who booked is written to unless `in_mail` is false. Outcomes: moved, replayed,
-- key_reused, not_found, booking_cancelled, booking_changed, resource_called_off, plan_changed,
-- ticket_used, taken (details: by whom).
--
-- Locks, in the global order: the plan, the hold and the booking, claims by key.
create or replace function bespeak.move_units(
    home bigint, in_booking uuid, in_resource bigint, in_version integer, in_resources bigint[],
    in_units text[], in_quantities integer[], in_cancelled integer[], shown_places integer[],
    in_shown jsonb, known_units text[],
    known_cancelled integer[], known_shown jsonb, key text, content bytea, in_actor text default null,
    in_mail boolean default true)
returns table (outcome text, answered_at timestamptz, hold bespeak.hold, booking bespeak.booking,
    details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    h bespeak.hold;
    b bespeak.booking;
    v_now timestamptz;
    v_outcome text;
    v_conflicts jsonb;
    left_units text[];
begin
    perform bespeak.keep_plans(array[in_resource]);
    select k.* into h from bespeak.hold k
    where k.resource_id = home and k.hold_id = in_booking for update;
    select k.* into b from bespeak.booking k
    where k.resource_id = home and k.booking_id = in_booking for update;
    v_now := bespeak.now();
    select a.outcome into v_outcome from bespeak.recall('move', home, b.owner, key, content) a;
    v_outcome := coalesce(v_outcome, case
        when b.booking_id is null then 'not_found'
        when b.state = 'cancelled' then 'booking_cancelled'
        when h.units <> known_units or b.cancelled is distinct from known_cancelled
                or h.shown is distinct from known_shown
            then 'booking_changed'
        else bespeak.move_problem(h, b, in_resource, in_version, shown_places) end);
    if v_outcome is null then
        left_units := bespeak.units_beside(in_resource, h.resources, h.units, h.quantities,
            in_resources, in_units);
        v_conflicts := bespeak.take_for_move(v_now, h, in_resource, left_units,
            bespeak.units_beside(in_resource, in_resources, in_units, in_quantities,
                h.resources, h.units));
        v_outcome := case when v_conflicts is null then 'moved' else 'taken' end;
    end if;
    if v_outcome = 'moved' then
        b.cancelled := in_cancelled;
        h.resources := in_resources;
        h.units := in_units;
        h.quantities := in_quantities;
        h.shown := in_shown;
        h := bespeak.write_move(v_now, h, b, in_resource, left_units, in_actor, in_mail);
        perform bespeak.remember('move', v_now, array[home], array[b.owner], array[key],
            array[content], array[in_booking]);
    end if;
    return query select v_outcome, v_now, h, b, v_conflicts;
end
$$;

-- Why what stands at these places of the lines that are shown cannot be moved; null where it can. The
-- caller keeps the plan, so that nobody calls the resource off meanwhile, and has the booking's row
-- locked, so that the check-ins stand.
create or replace function bespeak.move_problem(
    h bespeak.hold, b bespeak.booking, in_resource bigint, in_version integer, shown_places integer[])
returns text
language sql stable as $$
    select case
        when exists (
            select from bespeak.cancellation c
            where c.resource_id = in_resource and c.state <> 'reopened') then 'resource_called_off'
        when in_version is distinct from (
            select r.version from bespeak.resource r where r.resource_id = in_resource)
            then 'plan_changed'
        when exists (
            select from bespeak.check_in c, bespeak.line_of_ticket(h, b, c.ticket) l
            where c.resource_id = b.resource_id and c.booking_id = b.booking_id
                and l.line = any(shown_places)) then 'ticket_used'
    end
$$;

-- Takes the units that a booking is moved to, and lets go of those that it leaves, and answers null; or
-- what stands in the way, and then nothing was touched. What it leaves and what it takes is locked by one
-- statement, in key order: two that move to and fro between the same units wait for each other in one
-- direction only. A unit that it both leaves and takes stays its own.
create or replace function bespeak.take_for_move(
    v_now timestamptz, h bespeak.hold, in_resource bigint, left_units text[], to_units text[])
returns jsonb
language plpgsql as $$
declare
    missing integer;
    way jsonb;
begin
    with line as materialized (
        select distinct u as unit from unnest(left_units || to_units) as u
    ), got as (
        insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
        select in_resource, l.unit, h.hold_id, 'infinity' from line l
        order by l.unit collate "C"
        on conflict (resource_id, unit) do update
            set hold_id = excluded.hold_id, expires_at = excluded.expires_at,
                taken_from = case when c.hold_id <> excluded.hold_id then c.hold_id
                    else c.taken_from end
            where c.expires_at <= v_now or c.hold_id = excluded.hold_id
        returning 1
    )
    select (select count(*) from line) - (select count(*) from got) into missing;
    if missing > 0 then
        select coalesce(c.details, '[]') into way from bespeak.conflicts(v_now, h.hold_id,
            array_fill(in_resource, array[cardinality(to_units)]), to_units,
            array_fill(null::integer, array[cardinality(to_units)]),
            array_fill(null::integer, array[cardinality(to_units)])) c;
        -- A private code, caught right below: it only undoes what this part wrote.
        raise exception using errcode = 'ZZ001';
    end if;
    delete from bespeak.claim c
    where c.resource_id = in_resource and c.unit = any(left_units)
        and c.hold_id = h.hold_id;
    return null;
exception when sqlstate 'ZZ001' then
    return way;
end
$$;

-- The exclusive units of a resource that the first have and the others do not.
create or replace function bespeak.units_beside(
    in_resource bigint, resources bigint[], units text[], quantities integer[],
    other_resources bigint[], other_units text[]) returns text[]
language sql immutable as $$
    select coalesce(array_agg(l.unit order by l.n), '{}')
    from unnest(resources, units, quantities) with ordinality as l(resource_id, unit, quantity, n)
    where l.resource_id = in_resource and l.quantity is null and not exists (
        select from unnest(other_resources, other_units) as o(resource_id, unit)
        where o.resource_id = in_resource and o.unit = l.unit)
$$;

-- Writes where a booking is from now on, as it is given; and tells the feed what is free now, and all that
-- it has.
create or replace function bespeak.write_move(
    v_now timestamptz, h bespeak.hold, b bespeak.booking, in_resource bigint, freed text[],
    in_actor text, in_mail boolean) returns bespeak.hold
language plpgsql as $$
declare
    v_horizon constant bigint := bespeak.horizon();
    moved bespeak.hold;
begin
    update bespeak.hold k
    set shown = h.shown, resources = h.resources, units = h.units, quantities = h.quantities
    where k.resource_id = h.resource_id and k.hold_id = h.hold_id and k.state = 'confirmed'
    returning k.* into strict moved;
    update bespeak.booking k set cancelled = b.cancelled
    where k.resource_id = b.resource_id and k.booking_id = b.booking_id
        and k.cancelled is distinct from b.cancelled;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    select in_resource, v_horizon, 'vacated', h.hold_id, freed,
        array_fill(null::integer, array[cardinality(freed)]), v_now, in_actor
    where cardinality(freed) > 0;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor,
        data)
    select in_resource, v_horizon, 'moved', h.hold_id, array_agg(l.unit order by l.n),
        array_agg(l.quantity - coalesce(l.gone, 0) order by l.n), v_now, in_actor,
        case when not in_mail then jsonb '{"mail": false}' end
    from unnest(trim_array(moved.resources, moved.limit_lines),
        trim_array(moved.units, moved.limit_lines), trim_array(moved.quantities, moved.limit_lines),
        b.cancelled) with ordinality as l(resource_id, unit, quantity, gone, n)
    where l.resource_id = in_resource and coalesce(l.quantity, 1) > coalesce(l.gone, 0);
    return moved;
end
$$;
