-- name: begin
-- Says that a workspace has a sample; no row where it has one. A twin in flight is waited for.
insert into programme.sample (workspace, added_at) values ($1, bespeak.now())
on conflict (workspace) do nothing returning workspace

-- name: keep
-- What was made for the sample.
update programme.sample set venue_id = $2, hall_ids = $3, production_ids = $4 where workspace = $1

-- name: read
-- The sample of a workspace with its performances, those first that are given first.
select s.venue_id, s.hall_ids, s.production_ids, s.added_at, array(
        select p.resource_id from programme.performance p
        where p.workspace = s.workspace and p.production_id = any(s.production_ids)
        order by p.starts_at, p.resource_id
    ) as performances
from programme.sample s where s.workspace = $1

-- name: take
-- The sample with its productions, for who takes it away: nobody gives one of them again meanwhile.
select s.venue_id, s.hall_ids, s.production_ids from programme.sample s
left join lateral (
    select count(*) from (
        select from programme.production d
        where d.workspace = s.workspace and d.production_id = any(s.production_ids)
        order by d.production_id for update
    ) locked
) l on true
where s.workspace = $1 for update of s

-- name: booked
-- Performances of productions of which guests hold or have booked something, but those called off.
select p.resource_id from programme.performance p
where p.workspace = $1 and p.production_id = any($2)
    and programme.sold(p.resource_id, p.areas, bespeak.now()) > 0
    and not exists (select from bespeak.cancellation x where x.resource_id = p.resource_id)
order by p.resource_id

-- name: performances
-- All performances of productions.
select p.resource_id from programme.performance p
where p.workspace = $1 and p.production_id = any($2) order by p.resource_id

-- name: drop_performances
-- Takes productions out of the programme; their shows stay, closed, with what was booked.
delete from programme.performance p where p.workspace = $1 and p.production_id = any($2)

-- name: drop_productions
-- Lets productions go that have no performances any more.
delete from programme.production d where d.workspace = $1 and d.production_id = any($2)

-- name: drop_halls
-- Lets halls go in which nothing else is given.
delete from programme.hall h
where h.workspace = $1 and h.hall_id = any($2)
    and not exists (select from programme.performance p where p.hall_id = h.hall_id)

-- name: drop_venue
-- Lets a venue go that has no hall any more.
delete from programme.venue v
where v.workspace = $1 and v.venue_id = $2
    and not exists (select from programme.hall h where h.venue_id = v.venue_id)

-- name: forget
-- Says that a workspace has no sample.
delete from programme.sample s where s.workspace = $1
