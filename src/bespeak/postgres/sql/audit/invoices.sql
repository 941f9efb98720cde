-- The auditor of the invoices: numbers, and documents held against payments and refunds.

-- Every disagreement. An empty answer is the proof that no number is missing, and that nothing was
-- invoiced that was not paid.
create or replace function bespeak.invoice_problems()
returns table (problem text, workspace text, prefix text, place integer, invoice_id uuid)
language sql stable
set enable_nestloop = off
as $$
    with numbered as (
        select i.workspace, i.prefix, i.place, i.invoice_id,
            lag(i.place, 1, 0) over w as before, i.issued_at < lag(i.issued_at) over w as is_early
        from bespeak.invoice i
        window w as (partition by i.workspace, i.prefix order by i.place)
    ), series as (
        select s.workspace, s.prefix, s.last, coalesce(max(n.place), 0) as highest
        from bespeak.invoice_series s
        left join numbered n on n.workspace = s.workspace and n.prefix = s.prefix
        group by s.workspace, s.prefix, s.last
    )
    select 'number_missing', n.workspace, n.prefix, n.before + 1, null::uuid
    from numbered n where n.place <> n.before + 1
    union all
    select 'number_missing', s.workspace, s.prefix, s.highest + 1, null
    from series s where s.last <> s.highest
    union all
    select 'issued_out_of_order', n.workspace, n.prefix, n.place, n.invoice_id
    from numbered n where n.is_early
    union all
    select 'invoice_differs', i.workspace, i.prefix, i.place, i.invoice_id
    from bespeak.invoice i
    left join bespeak.payment p on p.resource_id = i.resource_id and p.payment_id = i.payment_id
    where i.kind = 'invoice' and (p.captured, p.captured_currency)
        is distinct from (i.amount, i.currency)
    union all
    select 'credit_note_differs', i.workspace, i.prefix, i.place, i.invoice_id
    from bespeak.invoice i
    left join bespeak.refund f on f.resource_id = i.resource_id and f.refund_id = i.refund_id
    left join bespeak.invoice o on o.invoice_id = i.corrects
    where i.kind = 'credit_note' and (f.amount, f.currency, f.payment_id, f.state)
        is distinct from (i.amount, i.currency, o.payment_id, 'refunded')
$$;
