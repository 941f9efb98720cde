-- name: make
-- Says that something is made under an idempotency key; no row where it was used before. Of two at a time
-- the later waits.
insert into programme.made (workspace, key, kind, thing_id, content)
values ($1, $2, $3, $4, $5) on conflict do nothing returning thing_id

-- name: made
-- What was made under an idempotency key.
select m.kind, m.thing_id, m.content from programme.made m where m.workspace = $1 and m.key = $2

-- name: name_made
-- Says what was made under an idempotency key, in the transaction that made it.
update programme.made set thing_id = $3 where workspace = $1 and key = $2

-- name: insert_venue
-- A new venue.
insert into programme.venue (workspace, venue_id, name, time_zone, address, city, country, website,
    accessibility, translations)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: venue
-- A venue as it is, locked.
select v.* from programme.venue v where v.workspace = $1 and v.venue_id = $2 for update

-- name: has_performances
-- Whether anything was ever given in a venue.
select exists (select from programme.performance s where s.venue_id = $1)

-- name: update_venue
-- What may change of a venue.
update programme.venue set name = $3, time_zone = $4, address = $5, city = $6, country = $7,
    website = $8, accessibility = $9, translations = $10, archived = $11
where workspace = $1 and venue_id = $2

-- name: insert_hall
-- A new hall in a venue of the same workspace.
insert into programme.hall (workspace, hall_id, venue_id, name, plan, capacity, translations)
values ($1, $2, $3, $4, $5, $6, $7)

-- name: hall
-- A hall as it is, locked.
select h.* from programme.hall h where h.workspace = $1 and h.hall_id = $2 for update

-- name: update_hall
-- What may change of a hall.
update programme.hall set name = $3, plan = $4, capacity = $5, translations = $6, archived = $7
where workspace = $1 and hall_id = $2

-- name: insert_production
-- A new production.
insert into programme.production (workspace, production_id, title, kind, series, performers, summary,
    description, minutes, age_from, website, picture_text, translations, searched)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- name: production
-- A production as it is, locked.
select d.* from programme.production d where d.workspace = $1 and d.production_id = $2 for update

-- name: update_production
-- What may change of a production.
update programme.production set title = $3, kind = $4, series = $5, performers = $6, summary = $7,
    description = $8, minutes = $9, age_from = $10, website = $11, picture_text = $12,
    translations = $13, searched = $14, archived = $15
where workspace = $1 and production_id = $2

-- name: delete_production
-- Takes away a production that has no performance; no row where it has one.
delete from programme.production d
where d.workspace = $1 and d.production_id = $2
    and not exists (select from programme.performance s where s.production_id = d.production_id)
returning d.production_id

-- name: count_performances
-- How many performances a production ever had.
select count(*)::integer from programme.performance s where s.production_id = $1

-- name: to_come
-- How many performances of a production are still to come, which were not called off or retired, and how many
-- places of them guests hold or have booked.
select count(*)::integer as performances,
    coalesce(sum(programme.sold(s.resource_id, s.areas, bespeak.now())), 0)::integer as units
from programme.performance s
join bespeak.resource r on r.resource_id = s.resource_id
where s.production_id = $1 and s.ends_at > bespeak.now()
    and not exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
    and (r.state = 'open' or r.published
        or programme.sold(s.resource_id, s.areas, bespeak.now()) > 0)

-- name: keep_picture
-- Keeps a picture. The same one may be sent again: it is as new then, so that nobody lets it go meanwhile.
insert into programme.picture (digest, content, card, added_at) values ($1, $2, $3, bespeak.now())
on conflict (digest) do update set added_at = excluded.added_at

-- name: set_picture
-- Gives a production a picture, or none; no row where there is no such production.
update programme.production set picture = $3 where workspace = $1 and production_id = $2
returning production_id

-- name: drop_pictures
-- Lets pictures go that no production has any more, a day after they were sent.
delete from programme.picture c
where c.added_at < bespeak.now() - interval '1 day'
    and not exists (select from programme.production d where d.picture = c.digest)

-- name: stage
-- A hall with all that a performance in it needs to know, locked: one writer of performances at a time in a
-- hall, so that a twin waits and then sees what was written.
select h.hall_id, h.number, h.name, h.plan, h.archived or v.archived as archived,
    v.venue_id, v.name as venue_name, v.address, v.city, v.time_zone,
    h.translations, v.translations as venue_translations
from programme.hall h
join programme.venue v on v.venue_id = h.venue_id
where h.workspace = $1 and h.hall_id = $2
for update of h

-- name: staged
-- A production with all that a performance of it needs to know; it stays as it is until the transaction ends.
select d.production_id, d.title, d.minutes, d.archived, d.translations
from programme.production d
where d.workspace = $1 and d.production_id = $2 for share

-- name: vacate
-- Lets a hall be used again when performances were called off, or retired with nothing sold.
update programme.performance s set occupied = null
where s.hall_id = $1 and s.occupied is not null
    and (exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
        or exists (select from bespeak.resource r where r.resource_id = s.resource_id
            and r.state = 'closed' and not r.published
            and programme.sold(s.resource_id, s.areas, bespeak.now()) = 0))

-- name: occupant
-- A performance that is in a hall within this stretch of time.
select s.resource_id from programme.performance s
where s.occupied && int8range($1, $2) and s.resource_id is distinct from $3
order by s.starts_at limit 1

-- name: twins
-- Which of these times the production has a performance at in the hall already.
select s.resource_id, s.starts_at from programme.performance s
where s.hall_id = $1 and s.production_id = $2 and s.starts_at = any($3::timestamptz[])
    and s.occupied is not null

-- name: insert_performance
-- A new performance beside its resource.
insert into programme.performance (workspace, resource_id, production_id, hall_id, venue_id, starts_at,
    ends_at, doors_at, day, note, translations, price_from, units_total, areas, occupied)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, int8range($15, $16))

-- name: performance
-- A performance as it is.
select s.* from programme.performance s where s.workspace = $1 and s.resource_id = $2

-- name: update_performance
-- A performance that was changed with its resource; out of its hall ($10 null) where it does not take place.
update programme.performance s set starts_at = $3, ends_at = $4, doors_at = $5, day = $6, note = $7,
    translations = $8, price_from = $9,
    occupied = case when $10::bigint is null then null else int8range($10, $11) end
where s.workspace = $1 and s.resource_id = $2

-- name: sold
-- How many places of a performance guests hold or have booked.
select programme.sold(s.resource_id, s.areas, bespeak.now()) from programme.performance s
where s.resource_id = $1

-- name: is_called_off
-- Whether a performance was called off.
select exists (select from bespeak.cancellation x where x.resource_id = $1)
