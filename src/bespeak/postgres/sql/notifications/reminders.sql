-- Reminders of what begins soon.

-- Writes down who is to be reminded: of one resource that begins within the hours that its merchant set, the
-- next so many bookings. Any number may call it; a walk is lent to one at a time, and a booking is written
-- about once for each of the hours, whoever dies. Who booked when the moment was over already has just
-- had the other mail. Answers no row where nothing is due.
create or replace function bespeak.write_reminders(in_limit integer)
returns table (bookings integer, mails integer)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    c_first constant uuid := '00000000-0000-0000-0000-000000000000';
    v_due bespeak.reminder_walk;
    v_last uuid;
    v_bookings integer;
    v_mails integer;
begin
    insert into bespeak.reminder_walk as w (resource_id, hours, starts_at, after_booking, is_done)
    select d.resource_id, d.hours, d.starts_at, c_first, false
    from bespeak.reminders_due(v_now) d
    on conflict (resource_id, hours) do update
    set starts_at = excluded.starts_at, after_booking = excluded.after_booking, is_done = false
    where w.starts_at <> excluded.starts_at;

    select w.* into v_due
    from bespeak.reminder_walk w
    where not w.is_done
    order by w.starts_at limit 1
    for update skip locked;
    if not found then
        return;
    end if;

    with batch as materialized (
        select b.booking_id, b.state, b.confirmed_at from bespeak.booking b
        where b.resource_id = v_due.resource_id and b.booking_id > v_due.after_booking
        order by b.booking_id limit in_limit
    ), written as (
        insert into bespeak.mail (mail_id, kind, hold_id, horizon, at, due_at, created_at, occasion)
        select gen_random_uuid(), 'booking_reminder', s.booking_id, bespeak.horizon(), v_now, v_now,
            v_now, v_due.hours::text
        from batch s
        where s.state = 'confirmed' and v_due.starts_at > v_now
            and s.confirmed_at < v_due.starts_at - make_interval(hours => v_due.hours)
            and bespeak.contact_of(s.booking_id, null) ->> 'email' is not null
        on conflict do nothing
        returning 1
    )
    select (select count(*) from batch)::integer, (select count(*) from written)::integer,
        (select s.booking_id from batch s order by s.booking_id desc limit 1)
    into v_bookings, v_mails, v_last;

    update bespeak.reminder_walk w
    set after_booking = coalesce(v_last, w.after_booking), is_done = v_bookings < in_limit
    where w.resource_id = v_due.resource_id and w.hours = v_due.hours;
    return query select v_bookings, v_mails;
end
$$;

-- What begins within the hours that its merchant set, and was not walked through for this begin. Where
-- several of the hours are due at once, the nearest counts: nobody is reminded of one thing twice in a row.
create or replace function bespeak.reminders_due(in_now timestamptz)
returns table (resource_id bigint, hours integer, starts_at timestamptz)
language sql stable as $$
    select r.resource_id, h.hours, r.starts_at
    from bespeak.mail_reminders m
    cross join lateral unnest(m.hours) h(hours)
    join bespeak.resource r on r.workspace = m.workspace
        and coalesce(r.starts_at, 'infinity') > in_now
        and coalesce(r.starts_at, 'infinity') <= in_now + make_interval(hours => h.hours)
    where not exists (select from unnest(m.hours) n(nearer)
            where n.nearer < h.hours and r.starts_at <= in_now + make_interval(hours => n.nearer))
        and not exists (select from bespeak.reminder_walk w
            where w.resource_id = r.resource_id and w.hours = h.hours and w.starts_at = r.starts_at)
$$;
