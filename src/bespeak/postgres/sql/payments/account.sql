-- What reconciling compares with a provider's books.

-- A payment with what has to agree with its provider: its refunds, and whether there is a booking.
create or replace view bespeak.payment_account as
select p.provider, p.created_at, p.payment_id, p.resource_id, p.hold_id, p.state, p.step, p.amount,
    p.currency, p.captured, p.captured_currency, p.refunded, p.reference,
    p.late is not distinct from 'refund' as is_returning,
    b.booking_id is not null as is_booked,
    case when p.refunding > 0 then (
        select jsonb_agg(jsonb_build_object('refund_id', bespeak.id_text('ref', f.refund_id),
            'state', f.state, 'amount', f.amount) order by f.created_at, f.refund_id)
        from bespeak.refund f
        where f.resource_id = p.resource_id and f.payment_id = p.payment_id) end as refunds
from bespeak.payment p
left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id;
