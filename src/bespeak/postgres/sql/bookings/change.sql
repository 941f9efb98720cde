-- Changing a stay: a hold in place of a booking of the same owner's. What both have stays the booking's while
-- the hold stands, so that nothing is lost if it ends; what confirms the hold cancels the booking and takes
-- that over, in one transaction. The rest is as of every exchange: see waitlists/exchange.sql.

-- Notes of a hold, which this transaction has placed, what it is in place of.
create or replace function bespeak.note_stay_change(in_home bigint, in_hold uuid, in_exchange jsonb)
returns void
language plpgsql as $$
begin
    update bespeak.hold h set exchange = in_exchange
    where h.resource_id = in_home and h.hold_id = in_hold and h.state = 'held' and h.exchange is null;
    if not found then
        raise exception 'the hold % is not held', in_hold;
    end if;
end
$$;

-- Why a hold cannot take the place of a booking any more: it would keep what the booking has, and the booking
-- is not as it was. Null where it can, and of other holds.
create or replace function bespeak.stay_change_problem(h bespeak.hold) returns text
language sql stable as $$
    select case when not exists (
        select from bespeak.booking b
        join bespeak.hold k on k.resource_id = b.resource_id and k.hold_id = b.booking_id
        where b.resource_id = bespeak.home_of(c.instead_of) and b.booking_id = c.instead_of
            and b.state = 'confirmed' and k.units = c.known_units
            and b.cancelled is not distinct from c.known_cancelled) then 'changed' end
    from jsonb_to_record(h.exchange) as c(
        instead_of uuid, known_units text[], known_cancelled integer[], kept jsonb)
    where jsonb_array_length(c.kept) > 0
$$;

-- Gives the holds that have no outcome, which are confirmed by this transaction, what they keep of the
-- bookings that were cancelled for them just now, and lets each be all that it is from now on. The caller
-- has locked the claims and pools of both before, so that nobody else has got any of it.
create or replace function bespeak.take_kept(in_holds uuid[], outcomes text[]) returns void
language plpgsql as $$
declare
    r record;
begin
    for r in
        select h.resource_id, h.hold_id, h.resources, h.units, c.*
        from unnest(in_holds) with ordinality as u(id, n)
        join bespeak.hold h on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
        cross join jsonb_to_record(h.exchange) as c(kept jsonb, mark jsonb, "then" jsonb)
        where outcomes[u.n] is null and h.exchange ? 'then'
        order by h.resource_id, h.hold_id
    loop
        perform from (
            select array_agg(r.hold_id) as holders, array_agg(l.resource_id) as resources,
                array_agg(l.unit) as units, array_agg(1) as quantities
            from unnest(r.resources, r.units) as l(resource_id, unit)
            where l.unit = r.mark ->> 'unit') m,
            bespeak.free_lines(m.holders, m.resources, m.units, m.quantities);
        insert into bespeak.claim (resource_id, unit, hold_id, expires_at)
        select k.resource, k.unit, r.hold_id, 'infinity'
        from jsonb_to_recordset(r.kept) as k(resource bigint, unit text, quantity integer)
        where k.quantity is null
        order by k.resource, k.unit collate "C";
        update bespeak.pool p set taken = p.taken + k.quantity
        from jsonb_to_recordset(r.kept) as k(resource bigint, unit text, quantity integer)
        where k.quantity is not null and p.resource_id = k.resource and p.unit = k.unit;
        insert into bespeak.draw as d (resource_id, unit, hold_id, quantity, expires_at)
        select k.resource, k.unit, r.hold_id, k.quantity, 'infinity'
        from jsonb_to_recordset(r.kept) as k(resource bigint, unit text, quantity integer)
        where k.quantity is not null
        on conflict (resource_id, unit, hold_id) do update set quantity = d.quantity + excluded.quantity;
        update bespeak.hold h
        set resources = n.resources, units = n.units, quantities = n.quantities,
            limit_lines = n.limit_lines, shown = n.shown, exchange = h.exchange - 'then'
        from jsonb_to_record(r."then") as n(
            resources bigint[], units text[], quantities integer[], limit_lines smallint, shown jsonb)
        where h.resource_id = r.resource_id and h.hold_id = r.hold_id;
    end loop;
end
$$;
