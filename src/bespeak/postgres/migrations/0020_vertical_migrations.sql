-- What was applied of the migrations of verticals. Each has a schema and a numbering of its own, so
-- that one may be installed, and taken away again, beside a database that knows nothing of it.

create table bespeak.vertical_migration (
    vertical text not null check (vertical ~ '^[a-z][a-z0-9_]{0,39}$'),
    number integer not null check (number > 0),
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp(),
    primary key (vertical, number)
);
