-- name: issued
-- A page of what was issued in a time, the earliest first.
select i as invoice, y.buyer, o.prefix as corrects_prefix, o.place as corrects_place
from bespeak.invoice i
left join bespeak.invoice_buyer y on y.invoice_id = i.invoice_id
left join bespeak.invoice o on o.invoice_id = i.corrects
where i.issued_at >= $1 and i.issued_at < $2 and (i.issued_at, i.invoice_id) > ($3, $4::uuid)
    and ($5::text is null or i.workspace = $5)
order by i.issued_at, i.invoice_id limit $6

-- name: outstanding
-- Bookings that were paid in a time and have no invoice, or of which money went back in it and which have
-- no credit note, the earliest first.
select o.resource_id, o.booking_id, min(o.at) as first_at from (
    select p.resource_id, p.hold_id as booking_id, p.captured_at as at from bespeak.payment p
    where p.captured_at >= $1 and p.captured_at < $2
        and p.state in ('captured', 'refunded') and p.late is distinct from 'refund'
        and not exists (
            select from bespeak.invoice i where i.payment_id = p.payment_id and i.kind = 'invoice')
    union all
    select f.resource_id, f.hold_id, f.ended_at from bespeak.refund f
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    where f.ended_at >= $1 and f.ended_at < $2 and f.state = 'refunded'
        and p.late is distinct from 'refund'
        and not exists (select from bespeak.invoice i where i.refund_id = f.refund_id)
) o
join bespeak.booking b on b.resource_id = o.resource_id and b.booking_id = o.booking_id
where exists (select from bespeak.resource w where w.resource_id = o.resource_id
    and ($3::text is null or w.workspace = $3))
group by o.resource_id, o.booking_id order by first_at, o.booking_id limit $4
