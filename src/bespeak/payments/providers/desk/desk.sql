-- name: authorize
-- A payment is taken, once.
insert into bespeak.desk_payment (payment_id, method, state, amount, currency, created_at)
values ($1, $2, $3, $4, $5, bespeak.now())
on conflict (payment_id) do nothing

-- name: capture
-- Money that was taken stays; what was given up stays so.
update bespeak.desk_payment set state = 'captured' where payment_id = $1 and state = 'authorized'

-- name: void
-- Money that was taken is not wanted any more, and was handed back at once.
update bespeak.desk_payment set state = 'voided' where payment_id = $1 and state = 'authorized'

-- name: lock
-- Before what goes back of a payment is counted: of two refunds at once, one waits for the other.
select from bespeak.desk_payment where payment_id = $1 for update

-- name: give_back
-- A refund is to be handed over, once, and no more than was taken in all.
insert into bespeak.desk_refund (refund_id, payment_id, amount, created_at)
select $2, p.payment_id, $3::bigint, bespeak.now() from bespeak.desk_payment p
where p.payment_id = $1 and p.state = 'captured' and $3::bigint <= p.amount - (
    select coalesce(sum(r.amount), 0)::bigint from bespeak.desk_refund r where r.payment_id = $1)
on conflict (refund_id) do nothing

-- name: hand_over
-- The money of a refund was handed over; by whom is kept of the first who says it.
update bespeak.desk_refund set handed_over_at = bespeak.now(), handed_over_by = $2
where refund_id = $1 and handed_over_at is null

-- name: payment
-- How a payment stands.
select p.* from bespeak.desk_payment p where p.payment_id = $1

-- name: refunds
-- What goes back of payments, the oldest first.
select r.* from bespeak.desk_refund r where r.payment_id = any($1::uuid[])
order by r.created_at, r.refund_id

-- name: charges
-- A page of the payments made in a half-open time, after the last one of the page before.
select p.* from bespeak.desk_payment p
where p.created_at >= $1 and p.created_at < $2
    and ($3::timestamptz is null or (p.created_at, p.payment_id) > ($3, $4::uuid))
order by p.created_at, p.payment_id limit $5
