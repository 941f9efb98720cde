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

-- name: sold
-- What of a resource is booked or blocked, for demand: a hold costs nothing, and a price that it raised
-- would be raised for nothing. With $2 also what is held while a payment for it is under way.
with counted as (
    select c.unit, c.hold_id, c.expires_at from bespeak.claim c
    where c.resource_id = $1 and (c.expires_at = 'infinity' or ($2 and c.expires_at > bespeak.now()
        and exists (select from bespeak.payment p
            where p.hold_id = c.hold_id and p.state in ('pending', 'authorized'))))
), drawn as (
    select d.unit, sum(d.quantity) as taken from bespeak.draw d
    where d.resource_id = $1 and d.unit not like 'owner:%'
        and (d.expires_at = 'infinity' or ($2 and d.expires_at > bespeak.now()
            and exists (select from bespeak.payment p
                where p.hold_id = d.hold_id and p.state in ('pending', 'authorized'))))
    group by d.unit
)
select
    (select array_agg(unit) from counted) as units,
    (select array_agg(hold_id) from counted) as holders,
    (select array_agg(expires_at) from counted) as expiries,
    (select array_agg(unit) from drawn) as pools,
    (select array_agg(taken::integer) from drawn) as taken,
    null as version,
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
