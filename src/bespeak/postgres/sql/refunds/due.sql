-- Refunds that are due.

-- Claims refunds that are due, for lease_seconds (longer with each try, to an hour at most), with their
-- payments. What another has locked is skipped, so any number may look.
create or replace function bespeak.due_refunds(in_limit integer, lease_seconds integer)
returns table (refund bespeak.refund, payment bespeak.payment)
language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    with due as (
        select f.resource_id, f.refund_id from bespeak.refund f
        where f.state = 'pending' and f.due_at <= (select bespeak.now())
        order by f.due_at limit in_limit
        for update skip locked
    ), claimed as (
        update bespeak.refund f
        set tries = f.tries + 1, due_at = bespeak.now() + make_interval(
            secs => least(3600, lease_seconds * 2 ^ least(f.tries, 10)))
        from due d
        where f.resource_id = d.resource_id and f.refund_id = d.refund_id
        returning f
    )
    select c.f, p from claimed c
    join bespeak.payment p
        on p.resource_id = (c.f).resource_id and p.payment_id = (c.f).payment_id
$$;
