-- name: has_migrations
-- Whether a migration was ever applied here.
select to_regclass('bespeak.migration') is not null

-- name: has_vertical_migrations
-- Whether this database knows of verticals.
select to_regclass('bespeak.vertical_migration') is not null

-- name: lock
-- One migrating program at a time; the number is the word "bespeak" cut to fit.
select pg_advisory_xact_lock(7094970115)

-- name: prepare
-- The schema and the record of what was applied.
create schema if not exists bespeak;
create table if not exists bespeak.migration (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
)

-- name: applied
-- What was applied, in order.
select number, checksum from bespeak.migration order by number

-- name: applied_of_vertical
-- What was applied of a vertical, in order.
select number, checksum from bespeak.vertical_migration where vertical = $1 order by number

-- name: record
-- Notes a migration in the transaction that applies it.
insert into bespeak.migration (number, name, checksum) values ($1, $2, $3)

-- name: record_of_vertical
-- Notes a migration of a vertical in the transaction that applies it.
insert into bespeak.vertical_migration (vertical, number, name, checksum) values ($1, $2, $3, $4)
