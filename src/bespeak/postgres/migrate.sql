-- name: has_migrations
-- Whether a migration was ever applied here.
select to_regclass('bespeak.migration') is not null

-- name: has_function_files
-- Whether function files were ever applied here.
select to_regclass('bespeak.function_file') is not null

-- name: lock
-- One migrating program at a time; the number is the word "bespeak" cut to fit.
select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
    pg_advisory_xact_lock(7094970115)

-- name: prepare
-- The schema, and the records of what was applied: migrations of ours, migrations of the verticals (each
-- has a schema and a numbering of its own), and the files of functions and views, with what each makes
-- (`view bespeak.payment_account`) and the version of the program that applied it.
create schema if not exists bespeak;
create table if not exists bespeak.migration (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
);
create table if not exists bespeak.vertical_migration (
    vertical text not null check (vertical ~ '^[a-z][a-z0-9_]{0,39}$'),
    number integer not null check (number > 0),
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp(),
    primary key (vertical, number)
);
create table if not exists bespeak.function_file (
    path text primary key,
    checksum text not null,
    makes text[] not null,
    program text not null,
    applied_at timestamptz not null default clock_timestamp()
)

-- name: applied
-- What was applied, of ours and of the verticals.
select null::text as vertical, m.number, m.checksum from bespeak.migration m
union all
select v.vertical, v.number, v.checksum from bespeak.vertical_migration v

-- name: record
-- Notes a migration in the transaction that applies it.
insert into bespeak.migration (number, name, checksum) values ($1, $2, $3)

-- name: record_of_vertical
-- Notes a migration of a vertical in the transaction that applies it.
insert into bespeak.vertical_migration (vertical, number, name, checksum) values ($1, $2, $3, $4)

-- name: function_files
-- The files of functions that were applied.
select path, checksum, makes, program from bespeak.function_file

-- name: record_function_file
-- Notes a file of functions in the transaction that applies it.
insert into bespeak.function_file as f (path, checksum, makes, program) values ($1, $2, $3, $4)
on conflict (path) do update
set checksum = excluded.checksum, makes = excluded.makes, program = excluded.program,
    applied_at = excluded.applied_at

-- name: forget_function_files
-- Forgets all files of functions, in the transaction that drops what they made.
delete from bespeak.function_file

-- name: bodies_unchecked
-- Functions are made in any order: their bodies are looked at when all of them are there.
set local check_function_bodies = off

-- name: check_bodies
-- Looks at the bodies of all functions, as making them one by one would have done.
set local check_function_bodies = on;
do $$
begin
    perform case l.lanname when 'sql' then fmgr_sql_validator(p.oid) else plpgsql_validator(p.oid) end
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'bespeak'::regnamespace and l.lanname in ('sql', 'plpgsql');
end
$$

-- name: overloaded
-- Whether two functions share a name, as when the arguments of one have changed.
select exists (
    select from pg_proc where pronamespace = 'bespeak'::regnamespace
    group by proname having count(*) > 1)
