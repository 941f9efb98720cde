-- name: steady
-- Statistics of a database that has just been filled must not turn a look by key into a scan; and
-- what takes a fraction of a millisecond is not worth compiling.
set enable_seqscan = off; set jit = off

-- name: news
-- What happened to the watched resources, each from its own horizon up to the present one, oldest
-- first, at most so many events each. At least one row comes back, with the present horizon.
select e.resource_id, e.kind, e.units, e.quantities, e.horizon::text as horizon,
    present.horizon::text as present, bespeak.now() as at
from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) present
left join (
    select e.*
    from unnest($1::bigint[], $2::text[]) as watched(resource_id, since)
    cross join lateral (
        select e.resource_id, e.kind, e.units, e.quantities, e.horizon, e.position
        from bespeak.event e
        where e.resource_id = watched.resource_id and e.horizon >= watched.since::xid8
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
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

-- name: before
-- The events of a resource from a horizon on that are before another one, the latest first: what
-- a viewer that comes back has missed.
select e.kind, e.units, e.quantities, e.horizon::text as horizon
from bespeak.event e
where e.resource_id = $1 and e.horizon >= $2::text::xid8 and e.horizon < $3::text::xid8
order by e.horizon desc, e.position desc limit $4
