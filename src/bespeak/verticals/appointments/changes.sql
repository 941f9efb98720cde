-- name: make
-- Says that something is made under an idempotency key; no row where it was used before. Of two at a time
-- the later waits.
insert into appointments.made (workspace, key, kind, thing_id, content)
values ($1, $2, $3, $4, $5) on conflict do nothing returning thing_id

-- name: made
-- What was made under an idempotency key.
select m.kind, m.thing_id, m.content from appointments.made m where m.workspace = $1 and m.key = $2

-- name: name_made
-- Says what was made under an idempotency key, in the transaction that made it.
update appointments.made set thing_id = $3 where workspace = $1 and key = $2

-- name: insert_team
-- A new team beside its resource.
insert into appointments.team (workspace, resource_id, name, summary, description, address, city, country,
    services, titles, translations, searched)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)

-- name: team
-- A team as it is, locked with its resource, whose plan is written whole: who writes either comes one after
-- the other.
select t.* from appointments.team t join bespeak.resource r on r.resource_id = t.resource_id
where t.workspace = $1 and t.resource_id = $2 for update

-- name: update_team
-- What may change of a team.
update appointments.team set name = $3, summary = $4, description = $5, address = $6, city = $7,
    country = $8, services = $9, titles = $10, translations = $11, searched = $12
where workspace = $1 and resource_id = $2
