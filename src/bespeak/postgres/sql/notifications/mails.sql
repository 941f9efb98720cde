-- Mails that are due. A mail is its own job, claimed with a lease.

-- Takes mails that are due, until the lease ends, with what they tell of: of a cancellation also how
-- much is given back, which the events that follow it in its transaction say. What is not true any
-- more is dropped: of what was cancelled or has begun nobody is reminded, and of what was cancelled no
-- move is told; a mailing is for who has still booked, until it is stopped; a payment has not failed for
-- the buyer whose next try has paid, or is under way. So is a mail to who was erased since, and word of a
-- failed payment to an address with which its owner has booked nothing: anybody can let a payment fail and
-- name anybody's address.
create or replace function bespeak.claim_mails(in_limit integer, in_lease_seconds integer)
returns table (mail bespeak.mail, hold bespeak.hold, booking bespeak.booking, contact jsonb,
    refunding bigint)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    return query
    with due as materialized (
        select m.mail_id, exists (
            select from bespeak.hold h where h.resource_id = bespeak.home_of(m.hold_id)
                and h.hold_id = m.hold_id and bespeak.is_erased(h.owner))
        or m.kind = 'booking_reminder' and not exists (
            select from bespeak.booking b
            join bespeak.resource r on r.resource_id = b.resource_id
            where b.resource_id = bespeak.home_of(m.hold_id) and b.booking_id = m.hold_id
                and b.state = 'confirmed' and r.starts_at > v_now)
        or m.kind = 'booking_moved' and not exists (
            select from bespeak.booking b
            where b.resource_id = bespeak.home_of(m.hold_id) and b.booking_id = m.hold_id
                and b.state = 'confirmed')
        or m.kind = 'mailing' and not exists (
            select from bespeak.booking b
            join bespeak.mailing l on l.state <> 'stopped'
                and l.mailing_id = (case when m.kind = 'mailing' then m.occasion end)::uuid
            where b.resource_id = bespeak.home_of(m.hold_id) and b.booking_id = m.hold_id
                and b.state = 'confirmed')
        or m.kind = 'payment_failed' and (
            exists (select from bespeak.booking b
                where b.resource_id = bespeak.home_of(m.hold_id) and b.booking_id = m.hold_id)
            or exists (select from bespeak.payment p
                where p.resource_id = bespeak.home_of(m.hold_id) and p.hold_id = m.hold_id
                    and p.state in ('pending', 'authorized', 'captured'))
            or not bespeak.has_booked_with(m.hold_id,
                bespeak.contact_of(m.hold_id, m.data) ->> 'email')) as dropped
        from bespeak.mail m
        where m.state = 'pending' and m.due_at <= v_now
        order by m.due_at limit in_limit
        for update of m skip locked
    ), taken as (
        update bespeak.mail m
        set due_at = case when not d.dropped then v_now + make_interval(secs => in_lease_seconds) end,
            state = case when d.dropped then 'dropped' else 'pending' end,
            ended_at = case when d.dropped then v_now end
        from due d where m.mail_id = d.mail_id
        returning m as mail
    )
    select t.mail, h, b, bespeak.contact_of((t.mail).hold_id, (t.mail).data), (
        select sum((e.data ->> 'amount')::bigint)::bigint from bespeak.event e
        where (t.mail).kind = 'booking_cancelled' and e.hold_id = (t.mail).hold_id
            and e.kind = 'refund_begun' and e.data ->> 'cause' in ('cancelled', 'called_off')
            and e.at between (t.mail).at and (t.mail).at + interval '1 second')
    from taken t
    left join bespeak.hold h on h.resource_id = bespeak.home_of((t.mail).hold_id)
        and h.hold_id = (t.mail).hold_id
    left join bespeak.booking b on b.resource_id = bespeak.home_of((t.mail).hold_id)
        and b.booking_id = (t.mail).hold_id
    order by (t.mail).created_at, (t.mail).position;
end
$$;

-- Whether the owner of a hold has a booking, of whatever state, about which news goes to this address.
create or replace function bespeak.has_booked_with(in_hold uuid, in_email text) returns boolean
language sql stable as $$
    select exists (
        select from bespeak.hold h join bespeak.booking b on b.owner = h.owner
        where h.resource_id = bespeak.home_of(in_hold) and h.hold_id = in_hold
            and bespeak.contact_of(b.booking_id, null) ->> 'email' = in_email)
$$;
