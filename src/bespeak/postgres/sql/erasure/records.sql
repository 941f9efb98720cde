-- What hangs on the holds of a turn of an erasure: bookings, payments, mails, deliveries, the sandbox.

-- Takes everything personal out of what was written of holds whose rows the caller has locked. Reasons that
-- people typed go; those that the engine gives stay, for the audit reads them. What the provider calls
-- a payment stays: by it money is given back and compared.
create or replace function bespeak.erase_records(
    v_now timestamptz, in_pseudonym text, homes bigint[], ids uuid[])
returns table (bookings integer, payments integer, mails_dropped integer)
language sql as $$
    with signed_in as (
        -- Who is signed in by an address of theirs, anywhere, has to do it again.
        delete from bespeak.sign_in s
        using unnest(homes, ids) as g(home, hold_id)
        join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
        where s.email = lower(bespeak.contact_of(b.booking_id, '{}') ->> 'email')
    ), booked as (
        update bespeak.booking b
        set owner = in_pseudonym, contact = null, reason = case
            when b.reason is null or b.reason in ('cancelled', 'payment_failed') then b.reason
            else 'erased' end
        from unnest(homes, ids) as g(home, hold_id)
        where b.resource_id = g.home and b.booking_id = g.hold_id
        returning 1
    ), agreed as (
        -- Who accepted terms is nobody any more.
        delete from bespeak.consent c
        using unnest(ids) as g(hold_id)
        where c.hold_id = g.hold_id
        returning 1
    ), answered as (
        delete from bespeak.checkout_answers a
        using unnest(ids) as g(hold_id)
        where a.hold_id = g.hold_id
    ), billed as (
        delete from bespeak.billing d
        using unnest(homes, ids) as g(home, hold_id)
        where d.resource_id = g.home and d.booking_id = g.hold_id
    ), invoiced as (
        -- The law wants an invoice kept with the name that it was issued to, for its term; not the address
        -- of e-mail.
        update bespeak.invoice_buyer y set buyer = y.buyer - 'email'
        from unnest(ids) as g(hold_id)
        join bespeak.invoice i on i.booking_id = g.hold_id
        where y.invoice_id = i.invoice_id
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
    ), delivered as (
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
