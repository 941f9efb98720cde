-- name: violations
-- Everything that does not agree, recounted from the holds and bookings themselves. The whole is asked for
-- and then cut: for the first thousand of what is usually none, the planner would look up row by row.
with found as materialized (select problem, resource_id, unit, hold_id, detail from bespeak.audit($1))
select * from found limit 1000

-- name: counts
-- Units by what holds them now.
select
    count(*) filter (where c.expires_at < 'infinity') as held,
    count(*) filter (where c.expires_at = 'infinity' and not bespeak.is_block(c.hold_id)) as sold,
    count(*) filter (where c.expires_at = 'infinity' and bespeak.is_block(c.hold_id)) as blocked
from bespeak.claim c
where c.resource_id = $1 and c.expires_at > bespeak.now()

-- name: taken
-- Units that are taken now, exclusive and counted ones.
select c.unit from bespeak.claim c where c.resource_id = $1 and c.expires_at > bespeak.now()
union
select d.unit from bespeak.draw d
where d.resource_id = $1 and d.expires_at > bespeak.now() and d.unit not like 'owner:%'
order by 1
