-- name: waits
-- Payments for some resources that wait for their provider now, not for the buyer (who has a page to go to),
-- and how many of them have for longer than so many seconds. Those that have for long are some other trouble
-- than a slow provider.
select count(*) as waits,
    count(*) filter (where coalesce(p.authorized_at, p.created_at)
        < bespeak.now() - make_interval(secs => $2)) as slow
from bespeak.payment p
where p.resource_id = any($1::bigint[]) and p.step in ('authorize', 'await', 'capture')
    and (p.step <> 'await' or p.action_url is null)
    and coalesce(p.authorized_at, p.created_at) > bespeak.now() - make_interval(secs => $3)

-- name: passes
-- Of the passes of a room that ended since a time, how many bought something, and how many did not. Who has
-- bought or holds something a little after the end of the pass is none of those who found nothing.
with holds as materialized (
    select distinct h.owner from bespeak.hold h
    where h.state = 'held' and h.expires_at > bespeak.now() and h.resource_id = any($2::bigint[])
)
select count(*) filter (where p.ended_as = 'bought') as bought,
    count(*) filter (where p.ended_as <> 'bought' and not exists (
            select from holds h where h.owner = p.owner)
        and not exists (
            select from bespeak.booking b where b.owner = p.owner and b.confirmed_at >= p.given_at
                and b.resource_id = any($2::bigint[]))) as unused
from bespeak.waiting_pass p
where p.room_id = $1 and p.ended_at >= $3 and p.ended_at <= bespeak.now()
