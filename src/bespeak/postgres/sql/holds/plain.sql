-- The short way of `place_holds`: one hold, of one resource, as nearly all that come alone are.

-- Places one plain hold; or answers false, with all undone that it wrote, and the long way says why, or
-- places it. Its statements are those of the long way, in the same order of locks, with plain values
-- instead of rows that are unfolded, sorted and counted: what a statement for any number costs before its
-- first row is most of what one hold costs. What it had locked before it gave up it has still, so the long
-- way waits for none of that again.
create or replace function bespeak.place_plain_hold(
    v_now timestamptz, q bespeak.hold_request, in_version integer) returns boolean
language plpgsql as $$
declare
    home constant bigint := q.resources[1];
    v_expires constant timestamptz := v_now + make_interval(secs => q.hold_seconds);
    claims constant integer := cardinality(array_positions(q.quantities, null));
    is_free boolean;
    has_erased boolean;
    written integer;
begin
    -- Numbers, guarded seats and several resources take steps that are not here.
    if q.guards is not null or home <> any(q.resources) or array_position(q.units, null) is not null
    then
        return false;
    end if;
    select exists (
            select from bespeak.resource r
            where r.resource_id = home and r.state = 'open' and r.version = in_version
                and (r.opens_at is null or r.opens_at <= v_now or home = any(q.presale))
                and (r.closes_at is null or r.closes_at > v_now))
        and not exists (
            select from unnest(q.units, q.quantities, q.capacities) as l(unit, quantity, capacity)
            where case when l.quantity is null then (
                    select c.expires_at > v_now from bespeak.claim c
                    where c.resource_id = home and c.unit = l.unit)
                else l.quantity > l.capacity or (
                    select p.taken + l.quantity > l.capacity and p.lapses_at > v_now
                    from bespeak.pool p where p.resource_id = home and p.unit = l.unit) end)
    into is_free;
    if not is_free then
        return false;
    end if;
    if q.idempotency_key is not null then
        insert into bespeak.hold_key (owner, idempotency_key, resource_id, hold_id)
        values (q.owner, q.idempotency_key, home, q.hold_id)
        on conflict do nothing;
        if not found then
            return false;
        end if;
    end if;
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
        limit_lines, created_at, expires_at, extends_until, idempotency_key, fingerprint,
        amount, currency, shown_quantities, shown, amounts, quote, plans_seen, placed_by)
    values (home, q.hold_id, q.owner, 'held', q.resources, q.units, q.quantities,
        q.limit_lines, v_now, v_expires, v_now + make_interval(secs => q.cap_seconds),
        q.idempotency_key, q.fingerprint, q.amount, q.currency, q.shown_quantities, q.shown::jsonb,
        q.amounts, q.quote::jsonb, pg_sequence_last_value('bespeak.plan_changes'), q.actor)
    on conflict do nothing
    -- Only now: who waited for the row of a key that was being erased sees here that it was.
    returning exists (select from bespeak.erased_key) into has_erased;
    if not found then
        return false;  -- A repeat: the hold is not ours to undo, and its key is rightly there.
    end if;
    is_free := not has_erased or bespeak.erased_keys(array[q]) is null;
    if is_free and claims > 0 then
        insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
        select home, l.unit, q.hold_id, v_expires
        from unnest(q.units, q.quantities) as l(unit, quantity) where l.quantity is null
        order by l.unit collate "C"
        on conflict (resource_id, unit) do update
            set hold_id = excluded.hold_id, expires_at = excluded.expires_at,
                taken_from = c.hold_id
            where c.expires_at <= v_now;
        get diagnostics written = row_count;
        is_free := written = claims;
    end if;
    if is_free and cardinality(q.units) > claims then
        is_free := bespeak.draw_plainly(q, v_expires);
    end if;
    if not is_free then
        perform bespeak.undo_holds(array[q], '{t}', '{f}');
        return false;
    end if;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    values (home, bespeak.horizon(), 'held', q.hold_id, trim_array(q.units, q.limit_lines),
        trim_array(q.quantities, q.limit_lines), v_now, q.actor);
    return true;
end
$$;

-- Draws what one plain hold takes from pools, in key order as a batch does, and answers whether all of it
-- was drawn. If not, nothing is: what it had of the others goes back, and their rows stay ours.
create or replace function bespeak.draw_plainly(q bespeak.hold_request, v_expires timestamptz)
returns boolean
language plpgsql as $$
declare
    last constant integer := cardinality(q.units);
    drawn text[] := '{}';
    l record;
begin
    -- Nearly always it is its owner's limit alone, which stands last.
    if cardinality(array_positions(q.quantities, null)) = last - 1
            and q.quantities[last] is not null then
        return bespeak.draw_from_pool(
            q.resources[last], q.units[last], q.hold_id, q.quantities[last], q.capacities[last], v_expires);
    end if;
    for l in
        select w.unit, w.quantity, w.capacity
        from unnest(q.units, q.quantities, q.capacities) as w(unit, quantity, capacity)
        where w.quantity is not null
        order by w.unit collate "C"
    loop
        if not bespeak.draw_from_pool(
                q.resources[1], l.unit, q.hold_id, l.quantity, l.capacity, v_expires) then
            update bespeak.pool p set taken = p.taken - d.quantity
            from bespeak.draw d
            where p.resource_id = q.resources[1] and p.unit = any(drawn)
                and d.resource_id = p.resource_id and d.unit = p.unit and d.hold_id = q.hold_id;
            delete from bespeak.draw d
            where d.resource_id = q.resources[1] and d.unit = any(drawn) and d.hold_id = q.hold_id;
            return false;
        end if;
        drawn := drawn || l.unit;
    end loop;
    return true;
end
$$;

-- Draws so much from one pool, and answers whether it had room.
create or replace function bespeak.draw_from_pool(
    in_resource bigint, in_unit text, in_hold uuid, in_quantity integer, in_capacity integer,
    v_expires timestamptz)
returns boolean
language plpgsql as $$
begin
    insert into bespeak.pool as p (resource_id, unit, capacity, taken, lapses_at)
    values (in_resource, in_unit, in_capacity, in_quantity, v_expires)
    on conflict (resource_id, unit) do update
        set taken = p.taken + excluded.taken, capacity = excluded.capacity,
            lapses_at = least(p.lapses_at, excluded.lapses_at)
        where p.taken + excluded.taken <= excluded.capacity;
    if not found then
        return false;
    end if;
    insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
    values (in_resource, in_unit, in_hold, in_quantity, v_expires);
    return true;
end
$$;
