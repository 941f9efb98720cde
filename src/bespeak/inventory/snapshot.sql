-- name: whole
-- What of a resource is taken now, at one instant: claims that have not lapsed, pools without
-- their lapsed draws (the same rule by which the next taker gets them), and the feed's position.
with claimed as (
    select c.unit, c.hold_id, c.expires_at from bespeak.claim c
    where c.resource_id = $1 and c.expires_at > bespeak.now()
    order by c.unit
), drawn as (
    select p.unit, p.taken - case when p.lapses_at <= bespeak.now() then coalesce((
        select sum(d.quantity) from bespeak.draw d
        where d.resource_id = p.resource_id and d.unit = p.unit
            and d.expires_at <= bespeak.now()), 0) else 0 end as taken
    from bespeak.pool p
    where p.resource_id = $1 and p.unit not like 'owner:%'
    union all
    -- Of numbers, how far they have been given out: what is beyond is free, what is before may not be.
    select 'next:', n.last from bespeak.counter n where n.resource_id = $1
), latest as (
    select e.horizon, e.position from bespeak.event e
    where e.resource_id = $1 and e.horizon < bespeak.settled_horizon()
    order by e.horizon desc, e.position desc limit 1
)
select
    (select array_agg(unit) from claimed) as units,
    (select array_agg(hold_id) from claimed) as holders,
    (select array_agg(expires_at) from claimed) as expiries,
    (select array_agg(unit) from drawn) as pools,
    (select array_agg(taken::integer) from drawn) as taken,
    (select horizon::text || '.' || position from latest) as version,
    (select r.version from bespeak.resource r where r.resource_id = $1) as resource_version,
    bespeak.now() as answered_at

-- name: some
-- The same of some units: those that a stay, a day's times or a part of a run is made of.
with claimed as (
    select c.unit, c.hold_id, c.expires_at from bespeak.claim c
    where c.resource_id = $1 and c.unit = any($2::text[]) and c.expires_at > bespeak.now()
), drawn as (
    select p.unit, p.taken - case when p.lapses_at <= bespeak.now() then coalesce((
        select sum(d.quantity) from bespeak.draw d
        where d.resource_id = p.resource_id and d.unit = p.unit
            and d.expires_at <= bespeak.now()), 0) else 0 end as taken
    from bespeak.pool p
    where p.resource_id = $1 and p.unit = any($2::text[])
), latest as (
    select e.horizon, e.position from bespeak.event e
    where e.resource_id = $1 and e.horizon < bespeak.settled_horizon()
    order by e.horizon desc, e.position desc limit 1
)
select
    (select array_agg(unit) from claimed) as units,
    (select array_agg(hold_id) from claimed) as holders,
    (select array_agg(expires_at) from claimed) as expiries,
    (select array_agg(unit) from drawn) as pools,
    (select array_agg(taken::integer) from drawn) as taken,
    (select horizon::text || '.' || position from latest) as version,
    (select r.version from bespeak.resource r where r.resource_id = $1) as resource_version,
    bespeak.now() as answered_at
