-- Appointments: teams, each of which is a resource of the engine and a row here, written in one transaction.
-- Hours, lengths and prices stand in the plan of the resource; what guests read stands here.
--
-- Everything is of a workspace.

create schema appointments;

create table appointments.team (
    resource_id bigint primary key,
    workspace text not null,
    name text not null check (length(name) between 1 and 100),
    summary text not null,
    description text not null,
    address text not null,
    city text not null,
    country text check (country ~ '^[A-Z]{2}$'),
    -- The descriptions of services, by their names.
    services jsonb not null check (jsonb_typeof(services) = 'object'),
    -- What providers are called who have a title beside their name, by their names.
    titles jsonb not null check (jsonb_typeof(titles) = 'object'),
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    -- Name, town, services and providers, also in other languages, without case and accents, for the search.
    searched text not null,
    created_at timestamptz not null default bespeak.now()
);

create index team_by_name on appointments.team (workspace, name, resource_id);

-- What was made under an idempotency key, with the fingerprint of what was said.
create table appointments.made (
    workspace text not null,
    key bytea not null,
    kind text not null check (kind = 'team'),
    thing_id text not null,
    content bytea not null,
    made_at timestamptz not null default bespeak.now(),
    primary key (workspace, key)
);

-- What of a team is taken in a time: the cells of these providers (by what their claims begin with) from a
-- mark until before another, whose they are, and how many places.
create function appointments.taken(number bigint, prefixes text[], first text, last text)
returns table (unit text, hold_id uuid, quantity integer)
language sql stable rows 1000 as $$
    select c.unit, c.hold_id, 1
    from unnest(prefixes) as p(prefix)
    -- Provider by provider, each a range of the index; joined freely, all claims of the team would be read.
    cross join lateral (select e.* from bespeak.claim e where e.resource_id = number
        and e.unit >= p.prefix || first and e.unit < p.prefix || last offset 0) c
    where c.expires_at > bespeak.now()
    union all
    select d.unit, d.hold_id, d.quantity
    from unnest(prefixes) as p(prefix)
    cross join lateral (select e.* from bespeak.draw e where e.resource_id = number
        and e.unit >= p.prefix || first and e.unit < p.prefix || last offset 0) d
    where d.expires_at > bespeak.now()
$$;
