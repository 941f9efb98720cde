-- Mails from a merchant to all who booked a resource.

-- Writes down who gets a mailing: of the oldest that is being written, the next so many bookings that
-- stand and whose buyers gave an address. Any number may call it; a mailing is lent to one at a time, and
-- a booking is written to once about each, whoever dies. Who booked later is not written to. It begins two
-- seconds late, when what was being confirmed as it was asked for is there to be seen. While more than so
-- many of its mails wait it pauses, so that the mail of who buys a ticket meanwhile has few before it.
-- Answers no row where there is nothing to do.
create or replace function bespeak.write_mailings(in_limit integer, in_waiting_max integer)
returns table (bookings integer, mails integer)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    v_mailing bespeak.mailing;
    v_last uuid;
    v_bookings integer;
    v_mails integer;
begin
    select m.* into v_mailing
    from bespeak.mailing m
    where m.state = 'writing' and m.created_at <= v_now - interval '2 seconds'
        and (select count(*) from bespeak.mail w
            where w.kind = 'mailing' and w.occasion = m.mailing_id::text and w.state = 'pending')
            < in_waiting_max
    order by m.created_at limit 1
    for update skip locked;
    if not found then
        return;
    end if;

    with batch as materialized (
        select h.hold_id from bespeak.holds_of(v_mailing.resource_id) h
        where h.hold_id > v_mailing.after_booking
        order by h.hold_id limit in_limit
    ), written as (
        insert into bespeak.mail (mail_id, kind, hold_id, horizon, at, due_at, created_at, occasion)
        select gen_random_uuid(), 'mailing', b.booking_id, bespeak.horizon(), v_now, v_now, v_now,
            v_mailing.mailing_id::text
        from batch s
        join bespeak.booking b on b.resource_id = bespeak.home_of(s.hold_id)
            and b.booking_id = s.hold_id
        where b.state = 'confirmed' and b.confirmed_at <= v_mailing.created_at
            and bespeak.contact_of(b.booking_id, null) ->> 'email' is not null
        on conflict do nothing
        returning 1
    )
    select (select count(*) from batch)::integer, (select count(*) from written)::integer,
        (select s.hold_id from batch s order by s.hold_id desc limit 1)
    into v_bookings, v_mails, v_last;

    update bespeak.mailing m
    set after_booking = coalesce(v_last, m.after_booking), recipients = m.recipients + v_mails,
        state = case when v_bookings < in_limit then 'written' else m.state end
    where m.mailing_id = v_mailing.mailing_id;
    return query select v_bookings, v_mails;
end
$$;

-- The holds and bookings that have something of a resource, also beside what is of another.
create or replace function bespeak.holds_of(in_resource bigint) returns table (hold_id uuid)
language sql stable as $$
    select c.hold_id from bespeak.claim c where c.resource_id = in_resource
    union
    select d.hold_id from bespeak.draw d where d.resource_id = in_resource
$$;

-- What became of the mails of a mailing, as long as they are kept.
create or replace function bespeak.mailing_mails(in_mailing uuid)
returns table (waiting bigint, sent bigint, failed bigint)
language sql stable as $$
    select count(*) filter (where m.state = 'pending'), count(*) filter (where m.state = 'sent'),
        count(*) filter (where m.state = 'failed')
    from bespeak.mail m
    where m.kind = 'mailing' and m.occasion = in_mailing::text
$$;
