-- name: waits
-- Payments for some resources that wait for their provider now, not for the buyer, and how many of them
-- have for longer than so many seconds.
select count(*) as waits,
    count(*) filter (where coalesce(p.authorized_at, p.created_at)
        < bespeak.now() - make_interval(secs => $2)) as slow
from bespeak.payment p
where p.resource_id = any($1::bigint[]) and p.step in ('authorize', 'capture')
