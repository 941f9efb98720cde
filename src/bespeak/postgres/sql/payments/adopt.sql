-- A payment that its provider has and our record lost, as when a standby was promoted that had not got it.

-- Takes such a payment into the record, under its own id, with the hold that it was for: as the provider
-- has it, and with what is to be done next written down. To give it back, its return is begun here and
-- now. Else it waits for an offer, which is the hold anew or, where that is not to be had, its return;
-- where its hold is still held, it waits for the provider's word as any payment does. Money for a hold
-- that was booked or released since, or that others pay for, goes back whatever was wanted, and so does
-- another amount than was asked for. Outcomes: adopted, known (it is in the record: nothing was done).
--
-- Locks: the hold, then the payment; refunds are made of it alone.
create or replace function bespeak.adopt_payment(lost bespeak.lost_payment, lease_seconds integer)
returns table (outcome text, answered_at timestamptz, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    h bespeak.hold;
    p bespeak.payment;
    is_taken constant boolean := lost.captured > 0;
    is_returning boolean;
    is_waiting boolean;
begin
    insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities, created_at,
        expires_at, extends_until, ended_at, amount, currency, shown_quantities, shown)
    values (lost.home, lost.hold_id, lost.owner, 'expired', lost.resources, lost.units, lost.quantities,
        lost.created_at, lost.created_at, lost.created_at, lost.created_at, lost.amount, lost.currency,
        lost.shown_quantities, lost.shown)
    on conflict do nothing;
    select x.* into h from bespeak.hold x
    where x.resource_id = lost.home and x.hold_id = lost.hold_id for update;
    v_now := bespeak.now();
    is_waiting := h.state = 'held';
    is_returning := lost.is_to_return or h.state in ('confirmed', 'released')
        or (h.owner, h.amount, h.currency) <> (lost.owner, lost.amount, lost.currency)
        or is_taken and lost.captured <> lost.amount
        or not is_waiting and bespeak.is_exchange(lost.hold_id)
        or exists (
            select from bespeak.payment x
            where x.resource_id = lost.home and x.hold_id = lost.hold_id
                and x.state in ('pending', 'authorized', 'captured') and x.late is distinct from 'refund');

    insert into bespeak.payment as x (resource_id, payment_id, hold_id, owner, provider, state, step, due_at,
        amount, currency, captured, captured_currency, refunding, reference, late, window_ends_at,
        created_at, authorized_at, captured_at, begun_by)
    values (lost.home, lost.payment_id, lost.hold_id, h.owner, lost.provider,
        case when is_waiting and not is_returning then 'pending'
            when is_taken then 'captured' else 'authorized' end,
        case when is_returning then case when not is_taken then 'void' end
            when is_waiting then 'await' else 'offer' end,
        case when not (is_returning and is_taken)
            then v_now + make_interval(secs => lease_seconds) end,
        h.amount, h.currency,
        case when is_taken and (is_returning or not is_waiting) then lost.captured else 0 end,
        case when is_taken and (is_returning or not is_waiting) then lost.currency end,
        case when is_returning and is_taken then lost.captured else 0 end,
        lost.reference, case when is_returning then 'refund' end, v_now, lost.created_at,
        case when is_returning or not is_waiting then v_now end,
        case when is_taken and (is_returning or not is_waiting) then v_now end, lost.actor)
    on conflict do nothing
    returning x.* into p;
    if p.payment_id is null then
        return query
        select 'known', v_now, x from bespeak.payment x
        where x.resource_id = lost.home and x.payment_id = lost.payment_id;
        return;
    end if;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    values (p.resource_id, bespeak.horizon(), 'payment_begun', p.hold_id, v_now, bespeak.payment_data(p),
        lost.actor);
    if is_returning and is_taken then
        perform bespeak.begin_refund(v_now, p, p.captured, 'late', lost.actor);
    end if;
    return query select 'adopted', v_now, p;
end
$$;
