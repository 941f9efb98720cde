-- name: patience
-- Whoever only asks waits for nobody, and lets nobody wait.
select set_config('lock_timeout', '300ms', true)

-- name: claim
-- The list, lent to this transaction.
select w.*, array(select r.resource_id from bespeak.waitlist_resource r
    where r.waitlist_id = w.waitlist_id order by r.resource_id) as of_list
from bespeak.waitlist w where w.waitlist_id = $1 and ($2::text is null or w.workspace = $2) for update

-- name: holds
-- The holds that end first of those whose first line is of these resources. One that is being paid for, or
-- that ends in a moment, is not to be locked by who only asks.
select h.hold_id as number, h.expires_at as ends_at, null::text as reason,
    h.expires_at < bespeak.now() + interval '10 seconds' or exists (
        select from bespeak.payment p
        where p.hold_id = h.hold_id and p.state in ('pending', 'authorized', 'captured')) as is_busy,
    (select o.entry_id from bespeak.waitlist_offer o
        where o.hold_id = h.hold_id and o.state = 'standing') as offered_to
from bespeak.hold h
where h.state = 'held' and h.expires_at > bespeak.now() and h.resource_id = any($1::bigint[])
order by h.expires_at, h.hold_id limit $2

-- name: blocks
-- The newest blocks of these resources that stand.
select k.block_id as number, null::timestamptz as ends_at, k.reason, false as is_busy,
    null::uuid as offered_to
from bespeak.block k
where k.lifted_at is null and k.resource_id = any($1::bigint[])
order by k.created_at desc, k.block_id limit $2

-- name: bookings
-- The newest bookings that stand of those whose first line is of these resources.
select b.booking_id as number, null::timestamptz as ends_at, null::text as reason, false as is_busy,
    null::uuid as offered_to
from bespeak.booking b
where b.state = 'confirmed' and b.resource_id = any($1::bigint[])
order by b.confirmed_at desc, b.booking_id limit $2
