-- name: sales
-- What was paid in a time and pays for a booking, each with its hold, in the order of the payments.
select p.payment_id, p.resource_id, p.provider, p.captured as amount, p.captured_currency as currency,
    h as hold, p.captured_at as at
from bespeak.payment p
join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
where p.captured_at >= $1 and p.captured_at < $2
    and p.state in ('captured', 'refunded') and p.late is distinct from 'refund'
    and (p.captured_at, p.payment_id) > ($4, $5::uuid)
    and exists (select from bespeak.resource w
        where w.resource_id = p.resource_id and ($3::text is null or w.workspace = $3))
order by p.captured_at, p.payment_id limit $6

-- name: moved
-- What each provider took and gave back on each day of a time, also of money that paid for nothing; days
-- are told by when they begin ($4), the first as 1.
select width_bucket(m.at, $4::timestamptz[]) as day, m.provider, m.currency,
    sum(m.payments)::integer as payments, sum(m.taken)::bigint as taken,
    sum(m.refunds)::integer as refunds, sum(m.returned)::bigint as returned,
    sum(m.taken_for_nothing)::bigint as taken_for_nothing
from (
    select p.provider, p.captured_currency as currency, 1 as payments, p.captured as taken, 0 as refunds,
        0 as returned, case when p.late = 'refund' then p.captured else 0 end as taken_for_nothing,
        p.resource_id, p.captured_at as at
    from bespeak.payment p
    where p.captured_at >= $1 and p.captured_at < $2 and p.state in ('captured', 'refunded')
    union all
    select p.provider, f.currency, 0, 0, 1, f.amount, 0, f.resource_id, f.ended_at
    from bespeak.refund f
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    where f.ended_at >= $1 and f.ended_at < $2 and f.state = 'refunded'
) m
where exists (select from bespeak.resource w
    where w.resource_id = m.resource_id and ($3::text is null or w.workspace = $3))
group by 1, m.provider, m.currency order by 1, m.provider, m.currency

-- name: count_moves
-- How many payments and refunds are in a time, counted up to so many.
select count(*)::integer from (
    (select from bespeak.payment p
        where p.captured_at >= $1 and p.captured_at < $2 and p.state in ('captured', 'refunded')
            and exists (select from bespeak.resource w
                where w.resource_id = p.resource_id and ($3::text is null or w.workspace = $3))
        limit $4)
    union all
    (select from bespeak.refund f
        where f.ended_at >= $1 and f.ended_at < $2 and f.state = 'refunded'
            and exists (select from bespeak.resource w
                where w.resource_id = f.resource_id and ($3::text is null or w.workspace = $3))
        limit $4)
) m

-- name: given_free
-- What the desk gave for nothing and was booked in a time, and stands, by resource and reason.
select s.reason, s.resource_id, r.name, s.currency, count(*)::integer as bookings,
    sum(s.units)::integer as units, sum(s.worth)::bigint as worth
from bespeak.free_sale s
join bespeak.booking b on b.resource_id = s.resource_id and b.booking_id = s.hold_id
join bespeak.resource r on r.resource_id = s.resource_id
where b.confirmed_at >= $1 and b.confirmed_at < $2 and b.state = 'confirmed'
    and exists (select from bespeak.resource w
        where w.resource_id = s.resource_id and ($3::text is null or w.workspace = $3))
group by s.reason, s.resource_id, r.name, s.currency
order by r.name, s.resource_id, s.reason, s.currency

-- name: returned
-- The refunds that were made in a time, each with what had gone back of its payment before, and its hold.
select f.refund_id, f.cause, f.amount, f.currency, p.provider, p.captured, p.late, h.quote, f.ended_at as at,
    coalesce((select sum(e.amount) from bespeak.refund e
        where e.resource_id = f.resource_id and e.payment_id = f.payment_id and e.state = 'refunded'
            and (e.ended_at, e.refund_id) < (f.ended_at, f.refund_id)), 0)::bigint as before
from bespeak.refund f
join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
where f.ended_at >= $1 and f.ended_at < $2 and f.state = 'refunded'
    and (f.ended_at, f.refund_id) > ($4, $5::uuid)
    and exists (select from bespeak.resource w
        where w.resource_id = f.resource_id and ($3::text is null or w.workspace = $3))
order by f.ended_at, f.refund_id limit $6
