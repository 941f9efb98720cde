-- Payments whose next step is due.

-- Claims payments whose next step is due, for lease_seconds. What has to be done sooner or later (taking
-- money, giving it up) is leased longer with each try, to an hour at most; a buyer who waits is not
-- made to wait for a worker that died. What another has locked is skipped, so any number may look.
create or replace function bespeak.due_payments(in_limit integer, lease_seconds integer)
returns setof bespeak.payment
language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    with due as (
        select p.resource_id, p.payment_id from bespeak.payment p
        where p.step is not null and p.due_at <= (select bespeak.now())
        order by p.due_at limit in_limit
        for update skip locked
    )
    update bespeak.payment p
    set tries = p.tries + 1, due_at = bespeak.now() + make_interval(
        secs => case p.state when 'pending' then lease_seconds
            else least(3600, lease_seconds * 2 ^ least(p.tries, 10)) end)
    from due d
    where p.resource_id = d.resource_id and p.payment_id = d.payment_id
    returning p.*
$$;
