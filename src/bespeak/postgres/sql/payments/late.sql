-- Late money: authorized when its hold could not be confirmed any more.

-- Late money: authorized when its hold could not be confirmed any more. By the policy of the resources
-- (the strictest of them): the same units again, if nobody has them; else an equal offer is to be
-- found; else the money goes back. Where a plan has changed since the hold was placed, the units are
-- judged by the new one first, which is the way of offers: it begins with the same units, and ends
-- there unless the policy allows others. Who released the hold gets it back whatever the policy, and so
-- does who was erased since: nobody could be told of the booking; and who would have given another booking
-- back for it, which stays.
create or replace function bespeak.settle_late(
    v_now timestamptz, p bespeak.payment, problem text, in_actor text) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    policy text := 'refund';
    old bespeak.hold;
    is_judged boolean;
    taken uuid;
begin
    select h.* into old from bespeak.hold h
    where h.resource_id = p.resource_id and h.hold_id = p.hold_id;
    -- Held anew, or otherwise, it would be for no other booking any more: there would be both.
    if problem = 'hold_expired' and not bespeak.is_erased(old.owner)
        and not bespeak.is_exchange(old.hold_id)
    then
        select case when bool_or(x.late_payment = 'refund') then 'refund'
            when bool_or(x.late_payment = 'same_units') then 'same_units'
            else 'equal_offer' end
        into policy
        from bespeak.resource x where x.resource_id = any(old.resources);
    end if;
    if policy <> 'refund' then
        -- After the rows of the payment, where placing takes the plans first: who has a plan alone waits
        -- for none of these.
        perform bespeak.keep_plans(old.resources);
        is_judged := not exists (
            select from bespeak.resource x
            where x.resource_id = any(old.resources) and x.plan_changed > old.plans_seen);
        taken := case when is_judged then bespeak.retake(v_now, old, in_actor) end;
    end if;
    if taken is not null then
        update bespeak.payment x set hold_id = taken, late = 'same_units'
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id
        returning x.* into p;
        perform from bespeak.confirm_holds(p.resource_id, array[
            bespeak.new_change(taken, actor => in_actor)]);
    elsif policy = 'equal_offer' or not is_judged then
        update bespeak.payment x set step = 'offer', due_at = v_now
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id;
        return;  -- what became of it is told when it is known
    else
        update bespeak.payment x set step = 'void', due_at = v_now, late = 'refund'
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id
        returning x.* into p;
    end if;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    values (p.resource_id, bespeak.horizon(), 'payment_late', old.hold_id, v_now,
        bespeak.payment_data(p) || jsonb_build_object('hold_id', bespeak.id_text('hold', p.hold_id)),
        in_actor);
end
$$;

-- Holds again, for the same owner and price, exactly what a lapsed hold had; null where any of it is
-- taken or not sold any more. The caller keeps the plans, which are those that it was judged by. The
-- old hold ends as expired after that, which a hold does once: ended first, it would lock its pools
-- before units that it has no more are claimed.
create or replace function bespeak.retake(v_now timestamptz, old bespeak.hold, in_actor text) returns uuid
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    again bespeak.hold_request;
    numbers bigint[];
    versions integer[];
    v_outcome text;
begin
    again.hold_id := bespeak.new_id(old.resource_id);
    again.owner := old.owner;
    again.hold_seconds := 60;
    again.cap_seconds := 60;
    again.resources := old.resources;
    again.units := old.units;
    again.quantities := old.quantities;
    again.limit_lines := old.limit_lines;
    again.amount := old.amount;
    again.currency := old.currency;
    again.shown_quantities := old.shown_quantities;
    again.shown := old.shown;
    again.amounts := old.amounts;
    again.quote := old.quote;
    again.actor := in_actor;
    again.presale := old.resources;  -- it had leave to come early, if it did
    select array_agg(k.capacity order by l.n) into again.capacities
    from unnest(old.resources, old.units, old.quantities) with ordinality
        as l(resource_id, unit, quantity, n)
    left join bespeak.pool k on l.quantity is not null
        and k.resource_id = l.resource_id and k.unit = l.unit;
    select array_agg(x.resource_id), array_agg(x.version) into numbers, versions
    from bespeak.resource x where x.resource_id = any(old.resources);
    select h.outcome into v_outcome
    from bespeak.place_holds(old.resource_id, array[again], numbers, versions) h;
    if old.state = 'held' then
        perform bespeak.end_holds('expired', v_now, array[old.resource_id], array[old.hold_id],
            array['sweeper']);
    end if;
    return case when v_outcome = 'held' then again.hold_id end;
end
$$;

-- Ends the search for an equal offer: with the hold that was found and placed for the same owner, or
-- without one. Outcomes: as of settle_payments.
create or replace function bespeak.rebook_payment(home bigint, in_payment uuid, in_hold uuid,
    in_actor text default null)
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    v_now timestamptz;
    p bespeak.payment;
    before uuid;
    v_outcome text;
begin
    perform from bespeak.hold h where h.resource_id = home and h.hold_id = in_hold for update;
    select x.* into p from bespeak.payment x
    where x.resource_id = home and x.payment_id = in_payment for update;
    v_now := bespeak.now();
    if p.step = 'offer' then
        before := p.hold_id;
        if in_hold is not null and exists (
                select from bespeak.hold h where h.resource_id = home and h.hold_id = in_hold
                    and h.owner = p.owner and h.amount = p.amount and h.currency = p.currency) then
            update bespeak.payment x
            set hold_id = in_hold, late = case when exists (
                    select from bespeak.hold h, bespeak.hold o
                    where h.resource_id = home and h.hold_id = in_hold
                        and o.resource_id = home and o.hold_id = before
                        and h.resources = o.resources and h.units = o.units)
                    then 'same_units' else 'equal_offer' end,
                step = case when x.state = 'authorized' then 'capture' end,
                due_at = case when x.state = 'authorized' then v_now end
            where x.resource_id = home and x.payment_id = in_payment;
            select c.outcome into v_outcome
            from bespeak.confirm_holds(home, array[
                bespeak.new_change(in_hold, actor => in_actor)]) c;
        end if;
        if v_outcome is distinct from 'confirmed' then
            update bespeak.payment x
            set hold_id = before, late = 'refund',
                step = case when x.state = 'authorized' then 'void' end,
                due_at = case when x.state = 'authorized' then v_now end,
                refunding = case when x.state = 'captured' then x.amount else x.refunding end
            where x.resource_id = home and x.payment_id = in_payment;
        end if;
        select x.* into p from bespeak.payment x
        where x.resource_id = home and x.payment_id = in_payment;
        if p.state = 'captured' and p.late = 'refund' then
            perform bespeak.begin_refund(v_now, p, p.amount, 'late', in_actor);
        end if;
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
        values (home, bespeak.horizon(), 'payment_late', before, v_now, bespeak.payment_data(p)
            || jsonb_build_object('hold_id', bespeak.id_text('hold', p.hold_id)), in_actor);
    end if;
    return query
    select 1, case when x.payment_id is null then 'not_found' else 'settled' end, v_now, h, b, x
    from (select 1) one
    left join bespeak.payment x on x.resource_id = home and x.payment_id = in_payment
    left join bespeak.hold h on h.resource_id = home and h.hold_id = x.hold_id
    left join bespeak.booking b on b.resource_id = home and b.booking_id = x.hold_id;
end
$$;
