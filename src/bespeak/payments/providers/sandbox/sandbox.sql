-- name: authorize
-- A batch of orders becomes payments, each once.
select ordinal, answered_at, is_new, standing
from bespeak.sandbox_authorize($1::bespeak.sandbox_order[])

-- name: capture
-- A batch of payments is taken.
select ordinal, standing from bespeak.sandbox_capture($1::uuid[])

-- name: void
-- A batch of reservations is given up.
select ordinal, standing from bespeak.sandbox_void($1::uuid[])

-- name: give_back
-- A batch of refunds.
select ordinal, standing, refund
from bespeak.sandbox_give_back($1::uuid[], $2::uuid[], $3::bigint[])

-- name: lookup
-- How a payment stands, by the bank's reference first and else by our id.
select s as standing from bespeak.sandbox_standing s
where s.reference = $2 or s.payment_id = $1
order by s.reference is not distinct from $2 desc limit 1

-- name: charges
-- A page of the payments made in a half-open time, after the last one of the page before.
select s as standing from bespeak.sandbox_standing s
where s.created_at >= $1 and s.created_at < $2
    and ($3::timestamptz is null or (s.created_at, s.payment_id) > ($3, $4::uuid))
order by s.created_at, s.payment_id limit $5

-- name: take_token
-- A personal token pays for one payment of its owner: what it stands for, and whether it was taken.
with taken as (
    update bespeak.sandbox_token set payment_id = $2
    where token = $1 and owner = $3 and coalesce(payment_id, $2) = $2
    returning outcome
)
select t.outcome, t.owner = $3 as is_own, exists (select from taken) as is_taken
from bespeak.sandbox_token t where t.token = $1

-- name: make_token
-- A personal token.
insert into bespeak.sandbox_token (token, owner, outcome, created_at)
values ($1, $2, $3, bespeak.now())

-- name: by_reference
-- A payment by the reference that its page has in the path.
select s as standing from bespeak.sandbox_standing s where s.reference = $1

-- name: decide
-- The buyer, or a slow bank, decides; a payment that is decided stays so.
select bespeak.sandbox_decide($1::uuid[], $2, $3)

-- name: is_told
-- Whether every callback about a payment was delivered, or given up.
select not exists (
    select from bespeak.sandbox_callback where payment_id = $1 and due_at is not null)

-- name: do_due
-- The bank does what its time has come for.
select bespeak.sandbox_do_due($1)

-- name: claim_callbacks
-- Callbacks that are due, leased to this courier for so many seconds.
update bespeak.sandbox_callback c
set tries = c.tries + 1, due_at = bespeak.now() + make_interval(secs => $2)
from bespeak.sandbox_payment p
where c.callback_id = any(array(
        select d.callback_id from bespeak.sandbox_callback d
        where d.due_at <= (select bespeak.now()) order by d.due_at limit $1
        for update skip locked))
    and p.payment_id = c.payment_id
returning c.callback_id, c.kind, c.payment_id, p.reference, c.amount, c.currency, c.created_at,
    bespeak.now() as answered_at

-- name: delivered
-- A callback was taken; one that goes out twice is due again.
update bespeak.sandbox_callback
set copies = copies - 1, delivered_at = bespeak.now(),
    due_at = case when copies > 1 then bespeak.now() end
where callback_id = $1 and copies > 0

-- name: not_delivered
-- A callback was not taken: again later, twice as late each time, and no more after some days.
update bespeak.sandbox_callback
set due_at = case when created_at + make_interval(secs => $2) > bespeak.now()
    then bespeak.now() + make_interval(secs => least(3600, 0.5 * power(2, least(tries, 13)))) end
where callback_id = $1

-- name: next_due
-- Seconds until the bank has something to do by itself; null if nothing waits.
select extract(epoch from least(
    (select min(due_at) from bespeak.sandbox_callback where due_at is not null),
    (select min(due_at) from bespeak.sandbox_payment where due_at is not null),
    (select min(due_at) from bespeak.sandbox_refund where due_at is not null))
    - bespeak.now())::double precision as seconds
