-- name: takings
-- What was taken at the desk in a time and stayed, and what was handed back in it, by method and person.
select m.method, m.actor, m.currency, sum(m.payments)::integer as payments, sum(m.taken)::bigint as taken,
    sum(m.refunds)::integer as refunds, sum(m.handed_back)::bigint as handed_back
from (
    select d.method, p.begun_by as actor, d.currency, 1 as payments, d.amount as taken, 0 as refunds,
        0 as handed_back, p.resource_id
    from bespeak.desk_payment d
    join bespeak.payment p
        on p.resource_id = bespeak.home_of(d.payment_id) and p.payment_id = d.payment_id
    where d.created_at >= $1 and d.created_at < $2 and d.state = 'captured'
    union all
    select d.method, r.handed_over_by, d.currency, 0, 0, 1, r.amount, bespeak.home_of(d.payment_id)
    from bespeak.desk_refund r
    join bespeak.desk_payment d on d.payment_id = r.payment_id
    where r.handed_over_at >= $1 and r.handed_over_at < $2
) m
where $3::text is null or exists (select from bespeak.resource w
    where w.resource_id = m.resource_id and w.workspace = $3)
group by m.method, m.actor, m.currency
order by m.method, m.actor, m.currency
