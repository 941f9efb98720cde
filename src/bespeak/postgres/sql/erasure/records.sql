-- What hangs on the holds of a turn of an erasure: bookings, payments, mails, deliveries, the sandbox.

-- Takes everything personal out of what was written of holds whose rows the caller has locked. Reasons that
-- people typed go; those that the engine gives stay, for the audit reads them. What the provider calls
-- a payment stays: by it money is given back and compared.
create or replace function bespeak.erase_records(
    v_now timestamptz, in_pseudonym text, homes bigint[], ids uuid[])
returns table (bookings integer, payments integer, mails_dropped integer)
language sql as $$
    with booked as (
        update bespeak.booking b
        set owner = in_pseudonym, contact = null, reason = case
            when b.reason is null or b.reason in ('cancelled', 'payment_failed') then b.reason
            else 'erased' end
        from unnest(homes, ids) as g(home, hold_id)
        where b.resource_id = g.home and b.booking_id = g.hold_id
        returning 1
    ), paid as (
        update bespeak.payment p
        set owner = in_pseudonym, contact = null, token = null, return_url = null, action_url = null,
            idempotency_key = null, fingerprint = null
        from unnest(ids) as g(hold_id)
        where p.hold_id = g.hold_id
        returning p.payment_id
    ), banked as (
        update bespeak.sandbox_payment s set owner = in_pseudonym, token = 'erased', return_url = null,
            ordered = null
        from paid p where s.payment_id = p.payment_id
        returning 1
    ), written as (
        -- One that is being sent goes out; what its sender notes of it changes nothing any more.
        update bespeak.mail m
        set failure = null, state = case m.state when 'pending' then 'dropped' else m.state end,
            due_at = null, ended_at = coalesce(m.ended_at, v_now)
        from unnest(ids) as g(hold_id)
        where m.hold_id = g.hold_id
        returning m.state = 'dropped' and m.ended_at = v_now as is_dropped
    ), answered as (
        -- What a receiver answered to a webhook may say anything. Of the events of bookings: those of
        -- mere holds are not found by their hold, and their deliveries go with age.
        update bespeak.webhook_delivery d set answer = null, failure = null
        from unnest(ids) as g(hold_id)
        join bespeak.event e on e.hold_id = g.hold_id
            and e.kind <> all ('{created,changed,held,extended,released,expired,blocked,unblocked}')
        cross join bespeak.webhook_endpoint w
        where d.endpoint_id = w.endpoint_id and d.position = e.position
            and (d.answer is not null or d.failure is not null)
        returning 1
    )
    select (select count(*) from booked)::integer, (select count(*) from paid)::integer,
        (select count(*) from written w where w.is_dropped)::integer
$$;
