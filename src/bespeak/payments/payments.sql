-- name: begin_payments
-- A batch of payments is written down, before any provider is asked.
select ordinal, outcome, answered_at, hold, booking, payment
from bespeak.begin_payments($1, $2::bespeak.payment_request[])

-- name: settle_payments
-- A batch of what providers told is written down, with what follows for holds and bookings.
select ordinal, outcome, answered_at, hold, booking, payment
from bespeak.settle_payments($1, $2::bespeak.settle_request[])

-- name: rebook_payment
-- The end of the search for an equal offer for late money.
select ordinal, outcome, answered_at, hold, booking, payment
from bespeak.rebook_payment($1, $2, $3, $4)

-- name: adopt_payment
-- Takes a payment into the record that its provider has and the record lost.
select outcome, answered_at, payment from bespeak.adopt_payment($1::bespeak.lost_payment, $2)

-- name: due_payments
-- Claims payments whose next step is due, for whoever looks first.
select d as payment, bespeak.now() as answered_at from bespeak.due_payments($1, $2) as d

-- name: next_due
-- Seconds until a step of a payment is due; null when none is.
select extract(epoch from p.due_at - bespeak.now())::float8
from bespeak.payment p where p.step is not null order by p.due_at limit 1

-- name: waiting
-- How many payments wait for each step, and how many refunds to be made.
select coalesce(array_agg(w.step), '{}') as steps, coalesce(array_agg(w.count), '{}') as counts,
    (select count(*) from bespeak.refund f where f.state = 'pending') as refunds
from (
    select p.step, count(*) as count from bespeak.payment p where p.step is not null group by 1
) w

-- name: get_paid
-- One payment with its hold and booking, for the next step of it.
select p as payment, h as hold, b as booking, bespeak.now() as answered_at
from bespeak.payment p
join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id
where p.resource_id = $1 and p.payment_id = $2

-- name: payments_of
-- The payments of a hold or booking, the latest first.
select p as payment from bespeak.payment p
where p.resource_id = $1 and p.hold_id = $2
order by p.created_at desc, p.payment_id desc limit 20

-- name: provider_of
-- Where the payment of a hold began that has this idempotency key.
select p.provider from bespeak.payment p
where p.resource_id = $1 and p.hold_id = $2 and p.idempotency_key = $3
limit 1

-- name: callback_outcome
-- What became of a callback that came before.
select c.outcome from bespeak.payment_callback c where c.provider = $1 and c.callback_id = $2

-- name: note_callback
-- Writes down that a callback came and what became of it; the first word stands.
insert into bespeak.payment_callback (provider, callback_id, kind, payment_id, outcome, received_at)
values ($1, $2, $3, $4, $5, bespeak.now())
on conflict do nothing
