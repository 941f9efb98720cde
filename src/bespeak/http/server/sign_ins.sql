-- name: lock_address
-- Until the transaction ends, nobody else asks for this address: else two would count the same mails.
select pg_advisory_xact_lock(hashtextextended('bespeak sign-in ' || $1, 0))

-- name: ask
-- Notes that somebody asked, unless there were as many mails to the address within an hour as there may
-- be. What is over for a day goes.
with gone as (
    delete from bespeak.sign_in s where s.ends_at < bespeak.now() - interval '1 day'
)
insert into bespeak.sign_in (sign_in_id, email, locale, created_at, ends_at, mail_due_at)
select $1, $2, $3, bespeak.now(), bespeak.now() + make_interval(secs => $4), bespeak.now()
where (select count(*) from bespeak.sign_in s
    where s.email = $2 and s.created_at > bespeak.now() - interval '1 hour') < $5
returning ends_at

-- name: try
-- One try of a code: the right one is used by it and begins the session, a wrong one counts. No row: it was
-- used or is over, or was tried too often.
update bespeak.sign_in s
set tries = s.tries + 1,
    used_at = case when $2 then bespeak.now() end,
    ends_at = case when $2 then bespeak.now() + make_interval(secs => $3) else s.ends_at end
where s.sign_in_id = $1 and s.used_at is null and s.ends_at > bespeak.now() and s.tries < $4
returning s.email, s.ends_at, $4 - s.tries as tries_left

-- name: find
-- The session of a browser that has signed in.
select s.email, s.ends_at from bespeak.sign_in s
where s.sign_in_id = $1 and s.used_at is not null and s.ends_at > bespeak.now()

-- name: end
-- Signs out, or withdraws what was asked for.
update bespeak.sign_in s set ends_at = bespeak.now(), mail_due_at = null
where s.sign_in_id = $1 and s.ends_at > bespeak.now()
