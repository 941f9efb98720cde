-- name: booking_paid
-- A booking with its hold and the payment behind it, and the versions of the resources of its lines.
select b as booking, h as hold, p as payment, bespeak.now() as answered_at,
    array(select r.resource_id from bespeak.resource r
        where r.resource_id = any(h.resources) order by 1) as numbers,
    array(select r.version from bespeak.resource r
        where r.resource_id = any(h.resources) order by r.resource_id) as versions
from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
left join bespeak.payment p on p.resource_id = b.resource_id and p.hold_id = b.booking_id
    and p.state in ('authorized', 'captured', 'refunded') and p.late is distinct from 'refund'
where b.resource_id = $1 and b.booking_id = $2

-- name: booking_paid_as_json
-- The same on a connection of the caller's.
select jsonb_build_object('booking', b, 'hold', h, 'payment', p, 'answered_at', bespeak.now(),
    'numbers', array(select r.resource_id from bespeak.resource r
        where r.resource_id = any(h.resources) order by 1),
    'versions', array(select r.version from bespeak.resource r
        where r.resource_id = any(h.resources) order by r.resource_id))::text
from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
left join bespeak.payment p on p.resource_id = b.resource_id and p.hold_id = b.booking_id
    and p.state in ('authorized', 'captured', 'refunded') and p.late is distinct from 'refund'
where b.resource_id = $1 and b.booking_id = $2


-- name: failed_refunds
-- The refunds of a workspace or of all that failed and wait for a person, the oldest first.
select f as refund from bespeak.refund f
where f.state = 'failed' and f.failure is distinct from 'amount_mismatch'
    and exists (select from bespeak.payment p where p.resource_id = f.resource_id
        and p.payment_id = f.payment_id and p.state not in ('failed', 'voided'))
    and ($2::text is null or exists (select from bespeak.resource w
        where w.resource_id = f.resource_id and w.workspace = $2))
order by f.created_at, f.refund_id limit $1

-- name: refunds_at_desk
-- The refunds of a workspace or of all that somebody is to hand over at the desk, the oldest first.
select f as refund from bespeak.refund f
where f.state = 'pending' and exists (select from bespeak.payment p where p.resource_id = f.resource_id
        and p.payment_id = f.payment_id and p.provider = 'desk')
    and ($2::text is null or exists (select from bespeak.resource w
        where w.resource_id = f.resource_id and w.workspace = $2))
order by f.created_at, f.refund_id limit $1

-- name: due_refunds
-- Claims refunds that are due, for whoever looks first.
select refund, payment from bespeak.due_refunds($1, $2)

-- name: next_due
-- Seconds until a refund is due; null when none is.
select extract(epoch from f.due_at - bespeak.now())::float8
from bespeak.refund f where f.state = 'pending' order by f.due_at limit 1

-- name: settle_refunds
-- A batch of what providers told of refunds is written down.
select ordinal, outcome, answered_at, refund
from bespeak.settle_refunds($1, $2::bespeak.refund_report[])

-- name: retry_refund
-- Lets a refund that failed be tried again.
select refund, payment from bespeak.retry_refund($1, $2)

-- name: get_refund
-- One refund with its payment, which has the owner.
select f as refund, p as payment from bespeak.refund f
join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
where f.resource_id = $1 and f.refund_id = $2

-- name: refunds_of_hold
-- The refunds of all payments of a hold or booking, the oldest first.
select f as refund from bespeak.payment p
join bespeak.refund f on f.resource_id = p.resource_id and f.payment_id = p.payment_id
where p.resource_id = $1 and p.hold_id = $2
order by f.created_at, f.refund_id limit 1000

-- name: refunds_of_payment
-- The refunds of one payment, the oldest first.
select f as refund from bespeak.refund f
where f.resource_id = $1 and f.payment_id = $2
order by f.created_at, f.refund_id limit 1000
