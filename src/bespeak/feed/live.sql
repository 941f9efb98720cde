-- name: steady
-- Statistics of a database that has just been filled must not turn a look by key into a scan; and
-- what takes a fraction of a millisecond is not worth compiling.
set enable_seqscan = off; set jit = off

-- name: news
-- What happened to the watched resources, each from its own horizon up to the present one, oldest
-- first, at most so many events each. At least one row comes back, with the present horizon
-- and the epoch.
select e.resource_id, e.kind, e.units, e.quantities, e.horizon,
    present.horizon as present, present.epoch, bespeak.now() as at
from (
    select bespeak.settled_horizon() as horizon,
        coalesce((select max(f.epoch) from bespeak.feed_epoch f), 0) as epoch
) present
left join (
    select e.*
    from unnest($1::bigint[], $2::bigint[]) as watched(resource_id, since)
    cross join lateral (
        select e.resource_id, e.kind, e.units, e.quantities, e.horizon, e.position
        from bespeak.event e
        where e.resource_id = watched.resource_id and e.horizon >= watched.since
            and e.horizon < bespeak.settled_horizon()
        order by e.horizon, e.position limit $3
    ) e
) e on true
order by e.horizon, e.position

-- name: levels
-- How many are drawn of these pools now, without lapsed draws: the rule by which the next taker
-- gets them. A pool of which nothing was ever drawn has no row.
select p.resource_id, p.unit, (p.taken - case when p.lapses_at <= bespeak.now() then coalesce((
    select sum(d.quantity) from bespeak.draw d
    where d.resource_id = p.resource_id and d.unit = p.unit
        and d.expires_at <= bespeak.now()), 0) else 0 end)::integer as drawn
from unnest($1::bigint[], $2::text[]) as asked(resource_id, unit)
join bespeak.pool p on p.resource_id = asked.resource_id and p.unit = asked.unit

-- name: horizon_of
-- Up to which horizon one has seen all events who is behind this cursor of the feed: that of the last
-- event before it. What comes behind the end of the feed has no position yet.
select coalesce((bespeak.feed_place(bespeak.cursor_position($1))).after_horizon,
    (select max(p.until_horizon) from bespeak.feed_page p), 0)

-- name: before
-- The events of a resource from a horizon on that are before another one, the latest first: what
-- a viewer that comes back has missed.
select e.kind, e.units, e.quantities, e.horizon
from bespeak.event e
where e.resource_id = $1 and e.horizon >= $2 and e.horizon < $3
order by e.horizon desc, e.position desc limit $4
