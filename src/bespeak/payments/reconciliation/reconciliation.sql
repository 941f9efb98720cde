-- name: ours_between
-- A page of our payments by a provider that began in a half-open time, after the last of the page
-- before.
select * from bespeak.payment_account a
where a.provider = $1 and a.created_at >= $2 and a.created_at < $3
    and ($4::uuid is null or (a.created_at, a.payment_id) > ($2, $4))
order by a.created_at, a.payment_id limit $5

-- name: ours_named
-- Our payments by a provider, by their homes and ids. An account may have been set under another name
-- before, at the console or by the environment: what it has of ours is not lost for that.
select a.* from unnest($2::bigint[], $3::uuid[]) as q(home, payment_id)
join bespeak.payment_account a on a.resource_id = q.home and a.payment_id = q.payment_id
where split_part(a.provider, '-', 1) = split_part($1, '-', 1)

-- name: claim
-- Begins the run of a time, or takes over one that nobody is at any more. No row: it is done, or
-- somebody else's.
insert into bespeak.reconciliation as r (provider, since, until, state, due_at, begun_at)
values ($1, $2, $3, 'running', bespeak.now() + make_interval(secs => $4), bespeak.now())
on conflict (provider, since, until) do update
set due_at = excluded.due_at, tries = r.tries + 1
where r.state = 'running' and r.due_at <= bespeak.now()
returning r.tries

-- name: go_on
-- A run that takes long is still somebody's.
update bespeak.reconciliation r
set due_at = bespeak.now() + make_interval(secs => $4), ours = $5, theirs = $6
where r.provider = $1 and r.since = $2 and r.until = $3 and r.state = 'running'

-- name: put_off
-- A run that could not be finished, and when it is tried again.
update bespeak.reconciliation r
set due_at = bespeak.now() + make_interval(secs => $4), failure = $5
where r.provider = $1 and r.since = $2 and r.until = $3 and r.state = 'running'

-- name: finish
-- What a run found. A repeated run has the last word.
insert into bespeak.reconciliation as r (provider, since, until, state, ours, theirs, unsettled,
    differences, report, begun_at, ended_at)
values ($1, $2, $3, 'done', $4, $5, $6, $7, $8::text::jsonb, bespeak.now(), bespeak.now())
on conflict (provider, since, until) do update
set state = 'done', due_at = null, ours = excluded.ours, theirs = excluded.theirs,
    unsettled = excluded.unsettled, differences = excluded.differences, report = excluded.report,
    failure = null, ended_at = excluded.ended_at

-- name: last_runs
-- Of each provider that we have payments of the run over the latest time, if there ever was one; and
-- how many runs found differences that no later run over the same time has cleared.
select p.provider, r.since, r.until, r.state, r.differences, r.unsettled, r.failure, r.ended_at,
    r.until < bespeak.now() - interval '3 days' as is_old,
    bad.since as bad_since, bad.until as bad_until, bad.differences as bad_differences
from (
    -- An account of the console that no payment names is forgotten, and compared no more.
    select distinct q.provider from bespeak.reconciliation q
    where position('-' in q.provider) = 0 or exists (
        select from bespeak.provider_account a where 'stripe-' || a.number = q.provider)
    union
    select 'any' where not exists (select from bespeak.reconciliation)
        and exists (select from bespeak.payment q where q.state in ('captured', 'refunded'))
) p
left join lateral (
    select * from bespeak.reconciliation r
    where r.provider = p.provider order by r.until desc, r.since limit 1) r on true
left join lateral (
    select * from bespeak.reconciliation r
    where r.provider = p.provider and r.differences > 0 order by r.until desc, r.since limit 1) bad
    on true
order by p.provider
