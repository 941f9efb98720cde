-- name: bookings_after
-- The next bookings of an owner, the earliest first.
select b.resource_id, b.booking_id as hold_id, b.confirmed_at from bespeak.booking b
where b.owner = $1 and (b.confirmed_at, b.booking_id) > ($2, $3::uuid)
order by b.confirmed_at, b.booking_id limit $4

-- name: rest_after
-- The next holds of an owner that were not booked, and how far was looked.
select resource_id, hold_id, is_owned
from bespeak.unbooked_holds($1, 'infinity', $2, $3, $4, $5)

-- name: holds
-- Holds with their bookings.
select h as hold, b as booking, bespeak.now() as answered_at
from unnest($1::bigint[], $2::uuid[]) with ordinality as k(home, hold_id, place)
join bespeak.hold h on h.resource_id = k.home and h.hold_id = k.hold_id
left join bespeak.booking b on b.resource_id = k.home and b.booking_id = k.hold_id
where h.owner = $3
order by k.place

-- name: payments
-- The payments of holds, the earliest first.
select p as payment, p.hold_id, p.contact, p.return_url from unnest($1::uuid[]) as k(hold_id)
join bespeak.payment p on p.hold_id = k.hold_id
order by p.created_at, p.payment_id

-- name: refunds
-- The refunds of holds, the earliest first.
select f as refund, p.hold_id from unnest($1::uuid[]) as k(hold_id)
join bespeak.payment p on p.hold_id = k.hold_id
join bespeak.refund f on f.payment_id = p.payment_id
order by f.created_at, f.refund_id

-- name: billing
-- What buyers said for the invoices of bookings.
select d.booking_id as hold_id, d.details from unnest($1::bigint[], $2::uuid[]) as k(home, hold_id)
join bespeak.billing d on d.resource_id = k.home and d.booking_id = k.hold_id

-- name: invoices
-- The invoices and credit notes of bookings, in the order of their numbers.
select i.booking_id as hold_id, i as invoice, y.buyer from unnest($1::uuid[]) as k(hold_id)
join bespeak.invoice i on i.booking_id = k.hold_id
left join bespeak.invoice_buyer y on y.invoice_id = i.invoice_id
order by i.issued_at, i.place

-- name: mails
-- The mails about holds, the earliest first.
select m.hold_id, m.mail_id::text as id, m.kind, m.state, m.at, m.ended_at
from unnest($1::uuid[]) as k(hold_id)
join bespeak.mail m on m.hold_id = k.hold_id
order by m.created_at, m.mail_id

-- name: consents
-- The terms that were accepted of holds, the earliest first.
select c.hold_id, c.digest as terms, c.consented_at
from unnest($1::uuid[]) as k(hold_id)
join bespeak.consent c on c.hold_id = k.hold_id
order by c.consented_at, c.digest

-- name: check_ins
-- The tickets of bookings that were used, in their order.
select c.booking_id as hold_id, c.ticket, c.unit, c.gate, c.checked_in_at
from unnest($1::bigint[], $2::uuid[]) as k(home, hold_id)
join bespeak.check_in c on c.resource_id = k.home and c.booking_id = k.hold_id
order by c.booking_id, c.ticket
