-- name: to_issue
-- A booking with its hold and the payment that took its money, and its workspace.
select b as booking, h as hold, p as payment, r.workspace
from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
join bespeak.resource r on r.resource_id = b.resource_id
left join bespeak.payment p on p.resource_id = b.resource_id and p.hold_id = b.booking_id
    and p.state in ('captured', 'refunded') and p.late is distinct from 'refund'
where b.resource_id = $1 and b.booking_id = $2

-- name: refunds_done
-- The refunds of a payment that were made, the oldest first.
select f.refund_id, f.amount, f.currency, f.cause from bespeak.refund f
where f.resource_id = $1 and f.payment_id = $2 and f.state = 'refunded'
order by f.ended_at, f.refund_id

-- name: issue
-- Issues the invoice of a payment or the credit note of a refund, once.
select outcome, invoice, buyer from bespeak.issue_invoice($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: of_booking
-- The documents of a booking, in the order of their numbers.
select i as invoice, y.buyer from bespeak.invoice i
left join bespeak.invoice_buyer y on y.invoice_id = i.invoice_id
where i.resource_id = $1 and i.booking_id = $2
order by i.issued_at, i.place

-- name: get
-- One document.
select i as invoice, y.buyer from bespeak.invoice i
left join bespeak.invoice_buyer y on y.invoice_id = i.invoice_id
where i.invoice_id = $1

-- name: billing
-- What a buyer wants to stand on the invoice of a booking.
select d.details from bespeak.billing d where d.resource_id = $1 and d.booking_id = $2

-- name: keep_billing
-- Keeps what a buyer wants to stand on the invoice, until it is issued.
select bespeak.keep_billing($1, $2, $3)

-- name: problems
-- What does not agree of the invoices, the first thousand.
select problem, workspace, prefix, place, invoice_id from bespeak.invoice_problems() limit 1000
