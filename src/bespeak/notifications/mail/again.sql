-- name: contact
-- Who is written to about a booking.
select bespeak.contact_of($1, null) ->> 'email'

-- name: send_again
-- Writes down that the mail which confirms a booking goes out again: unless one waits already, or there
-- were so many within an hour.
insert into bespeak.mail (mail_id, kind, hold_id, horizon, at, due_at, created_at)
select gen_random_uuid(), 'booking_confirmed', $1, bespeak.horizon(), bespeak.now(), bespeak.now(),
    bespeak.now()
where (select count(*) from bespeak.mail m
    where m.hold_id = $1 and m.kind = 'booking_confirmed' and m.position is null
        and m.created_at > bespeak.now() - interval '1 hour') < $2
on conflict (hold_id, kind) where position is null and occasion is null and state = 'pending' do nothing
returning mail_id

-- name: waiting
-- The one that waits.
select m.mail_id from bespeak.mail m
where m.hold_id = $1 and m.kind = 'booking_confirmed' and m.position is null and m.state = 'pending'
