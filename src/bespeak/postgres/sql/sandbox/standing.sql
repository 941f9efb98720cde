-- What the bank of the sandbox tells of a payment.

-- A payment as it is told, with its refunds. `written_in` is the transaction that wrote it last.
create or replace view bespeak.sandbox_standing as
select p.*, p.xmin as written_in,
    case when p.has_refunds then (
        select jsonb_agg(jsonb_build_object('refund_id', r.refund_id, 'state', r.state,
            'amount', r.amount, 'failure', r.failure) order by r.created_at, r.refund_id)
        from bespeak.sandbox_refund r
        where r.payment_id = p.payment_id and r.state <> 'unheard') end as refunds
from bespeak.sandbox_payment p
where p.state <> 'unheard';
