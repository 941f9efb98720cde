-- name: claim
-- Takes the mails of sign-ins that are due, with whether the address has a booking of a guest: nobody else
-- is written to. A mail that cannot leave is due again after so many seconds.
with due as (
    select s.sign_in_id from bespeak.sign_in s
    where s.mail_due_at <= bespeak.now()
    order by s.mail_due_at limit $1
    for update skip locked
)
update bespeak.sign_in s set mail_due_at = bespeak.now() + make_interval(secs => $2)
from due d where s.sign_in_id = d.sign_in_id
returning s.sign_in_id, s.email, s.locale, s.created_at, s.mail_due_at,
    s.used_at is null and s.ends_at > bespeak.now() and exists (
        select from bespeak.bookings_of_email(s.email, 1)) as is_wanted

-- name: settle
-- The mail was sent, or is not wanted.
update bespeak.sign_in s set mail_due_at = null where s.sign_in_id = $1 and s.mail_due_at = $2
