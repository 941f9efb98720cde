-- A turn of an erasure: some of an owner's holds, with all that hangs on them, get the pseudonym.
--
-- Locks: keys of holds, hold rows, booking rows, payment rows, refund rows, then pools; each in key order.
-- Who confirms, pays, cancels or checks in locks the hold or the booking first, and reads it again under
-- the lock: it is done before this, or to the pseudonym.

-- Erases the owner of holds that have ended or are booked. One that is still held, or whose money is
-- moving, is left and counted as `waiting`: there is a later turn. Rows are renamed, so that counts,
-- limits and sums stay; what goes is the keys and remembered answers, whose texts are the caller's.
create or replace function bespeak.erase_holds(
    in_owner text, in_pseudonym text, in_homes bigint[], in_ids uuid[],
    in_actor text default null)
returns table (holds integer, bookings integer, payments integer, mails_dropped integer, waiting integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_locked constant integer := bespeak.lock_erased(in_owner, in_homes, in_ids);
    v_now constant timestamptz := bespeak.now();  -- when all of them are locked
    homes bigint[];
    ids uuid[];
    counts record;
begin
    select coalesce(array_agg(h.resource_id), '{}'), coalesce(array_agg(h.hold_id), '{}')
    into homes, ids
    from unnest(in_homes, in_ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    where h.owner = in_owner and h.state <> 'held' and not bespeak.is_money_moving(h.hold_id);
    perform bespeak.rename_limits(in_owner, in_pseudonym, homes, ids);
    perform bespeak.erase_keys(in_owner, homes, ids);
    update bespeak.hold h
    set owner = in_pseudonym, idempotency_key = null, fingerprint = null,
        units = array_replace(h.units, 'owner:' || in_owner, 'owner:' || in_pseudonym),
        exchange = h.exchange - '{then,kept,known_units,known_cancelled}'::text[]
    from unnest(homes, ids) as g(home, hold_id)
    where h.resource_id = g.home and h.hold_id = g.hold_id;
    select * into counts from bespeak.erase_records(v_now, in_pseudonym, homes, ids) c;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, actor)
    select g.home, bespeak.horizon(), 'erased', g.hold_id, v_now, in_actor
    from unnest(homes, ids) as g(home, hold_id);
    return query select cardinality(ids), counts.bookings, counts.payments, counts.mails_dropped,
        v_locked - cardinality(ids);
end
$$;

-- Locks holds of an owner with all that is written of them, and answers how many are the owner's still.
create or replace function bespeak.lock_erased(in_owner text, homes bigint[], ids uuid[])
returns integer
language plpgsql as $$
declare
    v_locked integer;
begin
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id and h.owner = in_owner
    join bespeak.hold_key k on k.owner = in_owner and k.idempotency_key = h.idempotency_key
    order by k.owner, k.idempotency_key for update of k;
    select count(*) into v_locked from (
        select from unnest(homes, ids) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
        where h.owner = in_owner
        order by h.resource_id, h.hold_id for update of h
    ) h;
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
    order by b.resource_id, b.booking_id for update of b;
    perform from unnest(ids) as g(hold_id)
    join bespeak.payment p on p.hold_id = g.hold_id
    order by p.resource_id, p.payment_id for update of p;
    perform from unnest(ids) as g(hold_id)
    join bespeak.payment p on p.hold_id = g.hold_id
    join bespeak.refund f on f.payment_id = p.payment_id
    order by f.resource_id, f.refund_id for update of f;
    return v_locked;
end
$$;

-- Whether money of a hold is moving: a payment that is under way or is to be looked at once more, or a
-- refund that is not made yet.
create or replace function bespeak.is_money_moving(in_hold uuid) returns boolean
language sql stable as $$
    select exists (
        select from bespeak.payment p
        where p.hold_id = in_hold and (p.step is not null or exists (
            select from bespeak.refund f
            where f.payment_id = p.payment_id and f.state = 'pending')))
$$;

-- Moves what holds draw from their owner's limits to the pools of the pseudonym: each pool counts what its
-- own draws say, before and after. A pool that nothing is drawn from any more goes, for its name is the
-- owner's. Whoever draws from it at this instant waits here, and then makes it anew.
create or replace function bespeak.rename_limits(
    in_owner text, in_pseudonym text, homes bigint[], ids uuid[]) returns void
language plpgsql as $$
declare
    old_unit constant text := 'owner:' || in_owner;
    new_unit constant text := 'owner:' || in_pseudonym;
    limited bigint[];
    r record;
begin
    select array_agg(distinct l.resource_id) into limited
    from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
        unnest(h.resources, h.units) as l(resource_id, unit)
    where l.unit = old_unit;
    for r in
        select l.resource_id, u.unit from unnest(limited) as l(resource_id)
        cross join (values (old_unit), (new_unit)) as u(unit)
        order by l.resource_id, u.unit collate "C"
    loop
        insert into bespeak.pool (resource_id, unit, capacity, taken)
        select r.resource_id, new_unit, p.capacity, 0 from bespeak.pool p
        where r.unit = new_unit and p.resource_id = r.resource_id and p.unit = old_unit
        on conflict do nothing;
        perform from bespeak.pool p where p.resource_id = r.resource_id and p.unit = r.unit for update;
    end loop;
    with moved as (
        update bespeak.draw d set unit = new_unit
        where d.resource_id = any(limited) and d.unit = old_unit and d.hold_id = any(ids)
        returning d.resource_id, d.quantity
    ), counted as (
        select m.resource_id, sum(m.quantity)::integer as quantity from moved m group by m.resource_id
    )
    update bespeak.pool p
    set taken = p.taken + case p.unit when new_unit then c.quantity else - c.quantity end
    from counted c where p.resource_id = c.resource_id and p.unit in (old_unit, new_unit);
    delete from bespeak.pool p
    where p.resource_id = any(limited) and p.unit in (old_unit, new_unit) and p.taken = 0;
end
$$;

-- Replaces the keys of holds by digests that lead nowhere, and forgets what changes of them were answered
-- with. Repeating such a change is answered by the state of the hold.
create or replace function bespeak.erase_keys(in_owner text, homes bigint[], ids uuid[]) returns void
language plpgsql as $$
begin
    with gone as (
        delete from bespeak.hold_key k
        using unnest(homes, ids) as g(home, hold_id), bespeak.hold h
        where h.resource_id = g.home and h.hold_id = g.hold_id
            and k.owner = in_owner and k.idempotency_key = h.idempotency_key and k.hold_id = g.hold_id
        returning k.idempotency_key
    )
    insert into bespeak.erased_key (digest, erased_at)
    select bespeak.erasure_digest(in_owner, g.idempotency_key), bespeak.now() from gone g
    on conflict do nothing;
    delete from bespeak.answer a
    where a.owner = in_owner and a.resource_id = any(homes) and a.subject = any(ids);
end
$$;
