-- name: recall
-- The erasure that a request is answered with instead of a new one.
select outcome, erasure from bespeak.recall_erasure($1, $2, $3)

-- name: now
-- When an erasure begins: what is confirmed later is new business.
select bespeak.now()

-- name: owner_hash
-- The salted digest of an owner.
select bespeak.erasure_digest($1)

-- name: moving_money
-- What of an owner's money is moving.
select payment_id, refund_id, state, due_at from bespeak.moving_money($1, $2)

-- name: begin
-- Writes down that an owner is to be erased.
select outcome, erasure from bespeak.begin_erasure($1, $2, $3, $4, $5, $6, $7, $8)

-- name: latest
-- The latest erasure of an owner.
select 'replayed' as outcome, e as erasure from bespeak.erasure e
where e.owner_hash = bespeak.erasure_digest($1) order by e.begun_at desc limit 1

-- name: is_known
-- Whether anything is known of an owner; the holds that were never booked are looked at last.
select exists (select from bespeak.booking b where b.owner = $1)
    or exists (select from bespeak.hold_key k where k.owner = $1)
    or exists (select from bespeak.hold h where h.state = 'held' and h.owner = $1)
    or exists (select from bespeak.hold h where h.owner = $1)

-- name: get
-- An erasure by its id.
select e as erasure from bespeak.erasure e where e.erasure_id = $1

-- name: list
-- A page of the erasures, the earliest first.
select e as erasure from bespeak.erasure e
where (e.begun_at, e.erasure_id) > ($1::timestamptz, $2::uuid)
order by e.begun_at, e.erasure_id limit $3

-- name: salt
-- What the digests of owners are salted with.
select value from bespeak.secret where name = 'erasure'

-- name: next_due
-- An erasure whose next turn is due, any of them, so that neither a large one nor one that fails keeps
-- the others waiting. It stays locked over the turn.
select e.* from bespeak.erasure e
where e.state = 'running' and e.due_at <= bespeak.now()
order by random() limit 1
for update skip locked

-- name: release
-- Lets go what an owner holds.
select ended, released from bespeak.release_erased($1, $2, $3, $4)

-- name: bookings_after
-- The next bookings of an owner, the earliest first, with what tells whether they are over.
select b as booking, h as hold, b.confirmed_at, b.resource_id, b.booking_id, b.state
from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
where b.owner = $1 and b.confirmed_at <= $2 and (b.confirmed_at, b.booking_id) > ($3, $4::uuid)
order by b.confirmed_at, b.booking_id limit $5

-- name: came_later
-- How many bookings of an owner were confirmed after a time.
select count(*)::integer from bespeak.booking b where b.owner = $1 and b.confirmed_at > $2

-- name: rest_after
-- The next holds of an owner that were never booked, and how far was looked.
select resource_id, hold_id, is_owned from bespeak.unbooked_holds($1, $2, $3, $4, $5, $6)

-- name: erase
-- Erases the owner of some holds, with all that hangs on them.
select holds, bookings, payments, mails_dropped, waiting
from bespeak.erase_holds($1, $2, $3::bigint[], $4::uuid[], $5)

-- name: move_on
-- Counts a turn, and says where the next one begins.
update bespeak.erasure e
set phase = $2, after_at = $3, after_resource = $4, after_hold = $5,
    due_at = bespeak.now() + make_interval(secs => $6),
    holds = e.holds + $7, bookings = e.bookings + $8, payments = e.payments + $9,
    mails_dropped = e.mails_dropped + $10, holds_released = e.holds_released + $11,
    kept = case when $13 then 0 else e.kept + $12 end,
    waiting = case when $13 then 0 else e.waiting + $14 end
where e.erasure_id = $1

-- name: erase_tokens
-- The tokens of the sandbox that were made for an owner.
delete from bespeak.sandbox_token t where t.owner = $1

-- name: finish
-- Ends an erasure; from now on no row says who it was, nor which pseudonym they have.
update bespeak.erasure e
set state = 'done', owner = null, pseudonym = null, due_at = null, ended_at = bespeak.now(),
    kept = e.kept + $2
where e.erasure_id = $1
