-- name: of_hold
-- The resources of a hold or booking.
select resources from bespeak.hold where resource_id = $1 and hold_id = $2

-- name: of_payment
-- The resources of the hold that a payment is for.
select h.resources from bespeak.payment p
join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
where p.resource_id = $1 and p.payment_id = $2

-- name: of_refund
-- The resources of the hold whose money goes back.
select h.resources from bespeak.refund r
join bespeak.hold h on h.resource_id = r.resource_id and h.hold_id = r.hold_id
where r.resource_id = $1 and r.refund_id = $2

-- name: of_invoice
-- The resources of the hold that an invoice is of.
select h.resources from bespeak.invoice i
join bespeak.hold h on h.resource_id = i.resource_id and h.hold_id = i.booking_id
where i.resource_id = $1 and i.invoice_id = $2
