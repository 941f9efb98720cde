-- name: counts
-- What happened in a time, by the minute counts: in so many steps, each with its own sums.
select floor(extract(epoch from m.minute - $1) / $3)::integer as step, m.what, m.currency,
    sum(m.count)::bigint as count, sum(m.units)::bigint as units, sum(m.amount)::bigint as amount
from bespeak.minute_count m
where m.minute >= $1 and m.minute < $2 and ($4::text is null or m.workspace = $4)
group by 1, 2, 3

-- name: refusals
-- The requests for holds that were refused in a time, by the same steps.
select floor(extract(epoch from r.minute - $1) / $3)::integer as step, sum(r.count)::bigint as count
from bespeak.refusal_count r
where r.minute >= $1 and r.minute < $2 and ($4::text is null or r.workspace = $4)
group by 1

-- name: held_now
-- The units that are held at this moment, and the time.
select coalesce(sum(l.units), 0)::bigint as held, bespeak.now() as now
from bespeak.hold h
cross join lateral (
    select sum(coalesce(q, 1)) as units
    from unnest(trim_array(h.quantities, h.limit_lines)) as q
) l
where h.state = 'held' and h.expires_at > (select bespeak.now())
    and ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = h.resource_id and w.workspace = $1))

-- name: times_to_confirm
-- How long the latest bookings of a time took from their hold on: the median, the 95th percentile.
select percentile_cont(array[0.5, 0.95]) within group (order by t.seconds) as seconds,
    count(*) as samples
from (
    select extract(epoch from b.confirmed_at - h.created_at)::float8 as seconds
    from (
        select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
        where b.confirmed_at >= $1 and b.confirmed_at < $2
            and ($4::text is null or exists (select from bespeak.resource w
                where w.resource_id = b.resource_id and w.workspace = $4))
        order by b.confirmed_at desc, b.booking_id desc limit $3
    ) b
    join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
) t

-- name: times_by_kind
-- The same of the latest bookings of the last days, by the kind of resource, with the hold time that
-- most resources of that kind have.
select k.kind, k.hold_seconds, t.seconds, coalesce(t.samples, 0) as samples
from (
    select r.kind, mode() within group (order by r.hold_seconds) as hold_seconds
    from bespeak.resource r where $3::text is null or r.workspace = $3 group by r.kind
) k
left join (
    select r.kind, count(*) as samples, percentile_cont(array[0.5, 0.95]) within group (
        order by extract(epoch from b.confirmed_at - h.created_at)::float8) as seconds
    from (
        select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
        where b.confirmed_at >= (select bespeak.now()) - make_interval(days => $1)
            and ($3::text is null or exists (select from bespeak.resource w
                where w.resource_id = b.resource_id and w.workspace = $3))
        order by b.confirmed_at desc, b.booking_id desc limit $2
    ) b
    join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
    join bespeak.resource r on r.resource_id = b.resource_id
    group by r.kind
) t on t.kind = k.kind
order by k.kind

-- name: lately_sold
-- The resources of which something was sold last.
select distinct b.resource_id from (
    select b.resource_id from bespeak.booking b
    where ($3::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $3))
    order by b.confirmed_at desc, b.booking_id desc limit $1
) b limit $2

-- name: sold_twice
-- The units of resources that were sold to two at once, recounted from the feed: each sale less each
-- cancellation, whatever the claims say.
select s.resource_id, count(*) as units from (
    select e.resource_id, u.unit
    from (
        select v.resource_id, v.kind, v.units, v.quantities from bespeak.event v
        where v.resource_id = any($1::bigint[]) and v.kind in ('confirmed', 'cancelled')
        union all
        select k.resource_id, k.kind, k.units, k.quantities from bespeak.kept_event k
        where k.resource_id = any($1::bigint[]) and k.kind in ('confirmed', 'cancelled')
    ) e,
        unnest(e.units, e.quantities) as u(unit, quantity)
    where u.quantity is null
    group by e.resource_id, u.unit
    having sum(case e.kind when 'confirmed' then 1 else -1 end) > 1
) s
group by s.resource_id

-- name: waiting_work
-- The work that waits, of a workspace or of all: how much, how much of it for longer than it should,
-- since when, and what has failed and waits for a person.
select 'payments' as name, count(*) as waiting,
    count(*) filter (where p.due_at < bespeak.now() - interval '1 minute') as overdue,
    min(p.created_at) as oldest_at, 0::bigint as failed
from bespeak.payment p where p.step is not null
    and ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = p.resource_id and w.workspace = $1))
union all
select 'refunds', count(*) filter (where f.state = 'pending'),
    count(*) filter (where f.state = 'pending' and f.due_at < bespeak.now() - interval '1 minute'),
    min(f.created_at) filter (where f.state = 'pending'),
    count(*) filter (where f.state = 'failed')
from (
    select f.resource_id, f.state, f.due_at, f.created_at from bespeak.refund f
    where f.state = 'pending'
    union all
    select f.resource_id, f.state, f.due_at, f.created_at from bespeak.refund f
    where f.state = 'failed'
) f
where ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = f.resource_id and w.workspace = $1))
union all
select 'webhooks', count(*) filter (where d.state = 'pending'),
    count(*) filter (where d.state = 'pending' and d.due_at < bespeak.now() - interval '1 minute'),
    min(d.created_at) filter (where d.state = 'pending'),
    count(*) filter (where d.state = 'failed')
from (
    select d.state, d.due_at, d.created_at from bespeak.webhook_delivery d
    join bespeak.webhook_endpoint w on w.endpoint_id = d.endpoint_id
    where d.state = 'pending' and w.enabled and w.deleted_at is null
        and ($1::text is null or w.workspace = $1)
    union all
    select d.state, d.due_at, d.created_at from bespeak.webhook_delivery d
    where d.state = 'failed' and ($1::text is null or exists (select from bespeak.webhook_endpoint w
        where w.endpoint_id = d.endpoint_id and w.workspace = $1))
) d
union all
select 'mails', count(*) filter (where m.state = 'pending'),
    count(*) filter (where m.state = 'pending' and m.due_at < bespeak.now() - interval '1 minute'),
    min(m.created_at) filter (where m.state = 'pending'),
    count(*) filter (where m.state = 'failed')
from (
    select m.hold_id, m.state, m.due_at, m.created_at from bespeak.mail m where m.state = 'pending'
    union all
    select m.hold_id, m.state, m.due_at, m.created_at from bespeak.mail m where m.state = 'failed'
) m
where ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = bespeak.home_of(m.hold_id) and w.workspace = $1))
union all
select 'calling_off', count(*),
    count(*) filter (where c.begun_at < bespeak.now() - interval '10 minutes'), min(c.begun_at), 0
from bespeak.cancellation c where c.state = 'running'
    and ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = c.resource_id and w.workspace = $1))
union all
-- Lapsed holds that nobody has tidied up yet. Their units are free all the same.
select 'holds', count(*),
    count(*) filter (where h.expires_at < bespeak.now() - interval '5 seconds'),
    min(h.expires_at), 0
from bespeak.hold h where h.state = 'held' and h.expires_at <= (select bespeak.now())
    and ($1::text is null or exists (select from bespeak.resource w
        where w.resource_id = h.resource_id and w.workspace = $1))
