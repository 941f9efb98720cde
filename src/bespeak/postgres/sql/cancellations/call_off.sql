-- Whole resources that are called off, batch by batch.

-- Calls a resource off: closes it and writes down that all of it is to be cancelled. The caller has
-- locked its plan alone, so no hold of it comes after. Outcomes: begun, replayed,
-- key_reused, called_off (it was before), not_found.
create or replace function bespeak.call_off(
    home bigint, in_reason text, in_refund text, key text, content bytea,
    in_actor text default null)
returns table (outcome text, cancellation bespeak.cancellation)
language plpgsql as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    made bespeak.cancellation;
    v_outcome text := 'begun';
begin
    perform from bespeak.resource r where r.resource_id = home for no key update;
    if not found then
        return query select 'not_found', null::bespeak.cancellation;
        return;
    end if;
    select c.* into made from bespeak.cancellation c where c.resource_id = home;
    if found and (made.state <> 'reopened' or made.idempotency_key = key) then
        v_outcome := case
            when key is null or made.idempotency_key is distinct from key then 'called_off'
            when made.fingerprint = content then 'replayed'
            else 'key_reused' end;
        return query select v_outcome, made;
        return;
    end if;
    v_now := bespeak.now();
    update bespeak.resource r
    set state = 'closed', version = r.version + 1, updated_at = v_now
    where r.resource_id = home;
    insert into bespeak.cancellation as c (resource_id, reason, refund, state, phase, after_unit,
        after_hold, bookings_total, idempotency_key, fingerprint, begun_at,
        begun_by)
    select home, in_reason, in_refund, 'running', 'claims', '',
        '00000000-0000-0000-0000-000000000000',
        -- The claims and draws of bookings are those that never lapse.
        (select count(distinct l.hold_id) from (
            select t.hold_id, t.expires_at from bespeak.claim t where t.resource_id = home
            union all
            select t.hold_id, t.expires_at from bespeak.draw t where t.resource_id = home) l
         where l.expires_at = 'infinity' and not bespeak.is_block(l.hold_id)),
        key, content, v_now, in_actor
    on conflict (resource_id) do update
    set reason = excluded.reason, refund = excluded.refund, state = excluded.state,
        phase = excluded.phase, after_unit = excluded.after_unit, after_hold = excluded.after_hold,
        bookings_total = excluded.bookings_total, bookings_done = 0, holds_released = 0,
        idempotency_key = excluded.idempotency_key, fingerprint = excluded.fingerprint,
        begun_at = excluded.begun_at, ended_at = null, begun_by = excluded.begun_by
    returning c.* into made;
    insert into bespeak.event (resource_id, horizon, kind, at, data, actor)
    values (home, bespeak.horizon(), 'changed', v_now, null, in_actor),
        (home, bespeak.horizon(), 'called_off', v_now,
            jsonb_build_object('reason', in_reason, 'refund', in_refund), in_actor);
    return query select v_outcome, made;
end
$$;

-- Opens a resource again that was called off. What was cancelled stays so. Outcomes: reopened, running
-- (not yet: it is still being called off), not_called_off.
create or replace function bespeak.reopen(home bigint, in_actor text default null) returns text
language plpgsql as $$
declare
    v_state text;
begin
    perform from bespeak.resource r where r.resource_id = home for no key update;
    select c.state into v_state from bespeak.cancellation c where c.resource_id = home for update;
    if v_state is distinct from 'done' then
        return case when v_state = 'running' then 'running' else 'not_called_off' end;
    end if;
    update bespeak.cancellation c set state = 'reopened' where c.resource_id = home;
    update bespeak.resource r
    set state = 'open', version = r.version + 1, updated_at = bespeak.now()
    where r.resource_id = home;
    insert into bespeak.event (resource_id, horizon, kind, at, actor)
    values (home, bespeak.horizon(), 'changed', bespeak.now(), in_actor);
    return 'reopened';
end
$$;

-- Locks holds with their bookings and payments, in the order of all, and answers them as they are.
create or replace function bespeak.lock_called_off(homes bigint[], ids uuid[])
returns table (hold bespeak.hold, booking bespeak.booking, payment bespeak.payment, lapsed boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
begin
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    order by h.resource_id, h.hold_id for update of h;
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
    order by b.resource_id, b.booking_id for update of b;
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
    where p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
    order by p.resource_id, p.payment_id for update of p;
    v_now := bespeak.now();
    return query
    select h, b, p, h.state = 'held' and h.expires_at <= v_now
    from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    left join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
    left join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
        and p.state in ('authorized', 'captured') and p.late is distinct from 'refund';
end
$$;

-- One batch of a resource that was called off, whose rows the caller has locked: releases holds,
-- cancels bookings, and moves on to where the next batch begins (null: there is none). Answers what
-- could not be cancelled, which is nothing.
create or replace function bespeak.call_off_batch(home bigint, requests bespeak.change_request[],
    released_homes bigint[], released uuid[], lapsed_homes bigint[], lapsed uuid[],
    next_phase text, next_unit text, next_hold uuid)
returns table (booking_id uuid, outcome text)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    done integer := 0;
    r record;
begin
    -- They end in three passes, also of lines of other resources, which are on sale.
    perform bespeak.lock_lines(lapsed || released || array(select q.hold_id from unnest(requests) as q));
    v_now := bespeak.now();
    perform bespeak.end_holds('expired', v_now, lapsed_homes, lapsed, bespeak.sweepers(lapsed));
    perform bespeak.end_holds('released', v_now, released_homes, released, array_fill(
        (select c.begun_by from bespeak.cancellation c where c.resource_id = home),
        array[cardinality(released)]));
    for r in
        select requests[c.ordinal].hold_id as booking_id, c.outcome
        from bespeak.cancel_bookings(home, requests) c
    loop
        if r.outcome in ('confirmed', 'cancelled') then
            done := done + 1;
        else
            return query select r.booking_id::uuid, r.outcome::text;
        end if;
    end loop;
    update bespeak.cancellation c
    set bookings_done = c.bookings_done + done,
        holds_released = c.holds_released + cardinality(released),
        phase = coalesce(next_phase, c.phase), after_unit = coalesce(next_unit, c.after_unit),
        after_hold = coalesce(next_hold, c.after_hold),
        state = case when next_phase is null then 'done' else c.state end,
        ended_at = case when next_phase is null then v_now end,
        -- Holds that were paid for meanwhile became bookings.
        bookings_total = case when next_phase is null then c.bookings_done + done
            else greatest(c.bookings_total, c.bookings_done + done) end
    where c.resource_id = home;
end
$$;
