-- name: write_holds
-- Tells of holds of guests and how they ended, in one order of keys so that no two workers wait for
-- each other in a circle. What is known to have ended stays so.
insert into bespeak.guest_hold as g (hold_id, resource_id, prefix, guest, units, placed_at, expires_at,
    outcome, changed)
select n.hold_id, n.resource_id, n.prefix, n.guest, n.units, n.placed_at, n.expires_at, n.outcome,
    pg_current_xact_id()
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::timestamptz[],
    $7::timestamptz[], $8::text[])
    as n(hold_id, resource_id, prefix, guest, units, placed_at, expires_at, outcome)
order by n.hold_id, n.resource_id
on conflict (hold_id, resource_id) do update
    set outcome = coalesce(g.outcome, excluded.outcome), changed = pg_current_xact_id()

-- name: write_counts
-- Adds what a worker has counted, and answers the sums.
insert into bespeak.budget_count as c (budget, who, period, amount, changed)
select n.budget, n.who, n.period, n.amount, pg_current_xact_id()
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) as n(budget, who, period, amount)
order by n.budget, n.who, n.period
on conflict (budget, who, period) do update
    set amount = c.amount + excluded.amount, changed = pg_current_xact_id()
returning budget, who, period, amount

-- name: oldest
-- The oldest transaction that still runs: what it and later ones write, the next reading must see.
select pg_snapshot_xmin(pg_current_snapshot())::text as running

-- name: read_holds
-- Holds that were told of since, the first ones first.
select g.hold_id, g.resource_id, g.prefix, g.guest, g.units, g.placed_at, g.expires_at, g.outcome,
    g.changed::text as changed
from bespeak.guest_hold g where g.changed >= $1::text::xid8
order by g.changed limit $2

-- name: read_counts
-- Sums that have changed since, the first ones first.
select c.budget, c.who, c.period, c.amount, c.changed::text as changed
from bespeak.budget_count c where c.changed >= $1::text::xid8
order by c.changed limit $2

-- name: lapsed
-- What became of holds whose time seems to be over: they may have been extended, or be paid.
select h.hold_id, h.state, h.expires_at, h.expires_at <= bespeak.now() as is_over
from unnest($1::bigint[], $2::uuid[]) as n(resource_id, hold_id)
join bespeak.hold h on h.resource_id = n.resource_id and h.hold_id = n.hold_id

-- name: steps
-- How often guests met a step of a budget, in the hour that begins at $1 and in the one before ($2).
select c.budget, c.who as step,
    coalesce(sum(c.amount) filter (where c.period = $1), 0)::bigint as now,
    coalesce(sum(c.amount) filter (where c.period = $2), 0)::bigint as before
from bespeak.budget_count c
where c.period in ($1, $2) and starts_with(c.budget, $3)
group by c.budget, c.who
order by now desc, before desc, c.budget, c.who

-- name: forget_holds
-- Deletes what counts for nothing any more, some at a time.
delete from bespeak.guest_hold where (hold_id, resource_id) in (
    select g.hold_id, g.resource_id from bespeak.guest_hold g
    where g.expires_at < $1 order by g.expires_at limit $2 for update skip locked)

-- name: forget_counts
-- The same of sums.
delete from bespeak.budget_count where (budget, who, period) in (
    select c.budget, c.who, c.period from bespeak.budget_count c
    where c.period < $1 order by c.period limit $2 for update skip locked)
