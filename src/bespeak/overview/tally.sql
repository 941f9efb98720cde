-- name: tally
-- Reads on in the feed and counts what it tells; no row where another is at it.
select events, last_at from bespeak.tally_events($1)

-- name: tidy
-- Forgets counts that nobody asks for any more.
with old as (
    delete from bespeak.refusal_count where minute < (select bespeak.now()) - make_interval(days => $1)
)
delete from bespeak.minute_count where minute < (select bespeak.now()) - make_interval(days => $1)

-- name: add_refusals
-- Adds what a process has counted. All take the rows in one order, so that none waits for another in
-- a circle.
insert into bespeak.refusal_count as r (minute, code, count, workspace)
select * from unnest($1::timestamptz[], $2::text[], $3::bigint[], $4::text[])
    as n(minute, code, count, workspace)
order by 1, 2, 4
on conflict (minute, code, workspace) do update set count = r.count + excluded.count
