-- The crowd that a visitor of the demo lets loose. One at a time: this is one row, whoever begins a
-- rush locks it. The worker that runs the crowd reports here, and whichever worker is asked reads it.

create schema demo;

create table demo.rush (
    is_the_one boolean primary key default true check (is_the_one),
    rush_id text,
    state text not null default 'idle' check (state in ('idle', 'running', 'done')),
    resource_id bigint,
    buyers integer not null default 0,
    arrived integer not null default 0,
    granted integer not null default 0,
    refused integer not null default 0,
    confirmed integer not null default 0,
    released integer not null default 0,
    declined integer not null default 0,
    double_sold integer not null default 0,
    error text check (error in ('interrupted', 'failed')),
    -- The key that the crowd was given, until it is taken away again.
    key_id text,
    started_at timestamptz,
    -- The last word of the worker that runs it: one that is killed says nothing more.
    reported_at timestamptz,
    constraint rush_has_an_id_unless_idle check ((state = 'idle') = (rush_id is null)),
    constraint rush_started_unless_idle check ((state = 'idle') = (started_at is null)),
    constraint rush_reported_unless_idle check ((state = 'idle') = (reported_at is null))
);

insert into demo.rush default values;
