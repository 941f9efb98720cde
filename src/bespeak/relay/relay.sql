-- name: enlist
-- Makes a relay of this name, with the place where it begins; a relay that is there keeps its place.
insert into bespeak.follower (name, horizon, position)
select $1, p.horizon, p.position from bespeak.relay_place($2) p
where not exists (select from bespeak.follower f where f.name = $1)
on conflict do nothing

-- name: try_lead
-- Asks to be the one that sends for a relay, for as long as this session lasts.
select pg_try_advisory_lock(hashtextextended('bespeak ' || $1, 0))

-- name: place
-- Where a relay is; no row where there is none.
select f.horizon, f.position from bespeak.follower f where f.name = $1

-- name: place_behind
-- The place behind a cursor.
select p.horizon, p.position from bespeak.relay_place($1) p

-- name: events
-- The next events behind a place, oldest first: at most so many, with about so many lines.
select e.cursor, e.position, e.epoch, e.begins, e.horizon, e.key, e.kind, e.resource_id, e.hold_id,
    e.units, e.quantities, e.at, e.data::text as data, e.actor
from bespeak.events_to_relay($1, $2, $3, $4) e

-- name: quiet
-- A place need not reach the disk before the next events are sent: if it is lost, they come again.
set synchronous_commit = off

-- name: move
-- Moves a relay from the place where it is thought to be; no row where it is not there, or not at all.
update bespeak.follower f set horizon = $4, position = $5
where f.name = $1 and f.horizon = $2 and f.position = $3
returning true

-- name: forget
-- Ends a relay: deleting waits for it no longer. No row where there is none.
delete from bespeak.follower f where f.name = $1 returning true

-- name: lags
-- How far each relay is behind: how many events, and since when the oldest of them waits.
select substr(f.name, length($1) + 1) as name,
    greatest(bespeak.feed_end() - coalesce(bespeak.relayed_until(f.horizon, f.position), 0), 0) as events,
    coalesce(greatest(extract(epoch from bespeak.now() - n.at), 0), 0)::float as seconds
from bespeak.follower f
left join lateral bespeak.events_numbered(f.horizon, f.position, 1) n on true
where starts_with(f.name, $1)
