-- Stays: properties, and their listings, each of which is a resource of the engine and a row here, written in
-- one transaction.
--
-- Everything is of a workspace. What belongs to another thing is in the same workspace: the keys say so.

create schema stays;

create table stays.property (
    property_id text collate "C" primary key check (property_id ~ '^prp_'),
    workspace text not null,
    ref text,
    name text not null check (length(name) between 1 and 100),
    kind text not null,
    stars integer check (stars between 1 and 5),
    address text not null,
    city text not null,
    country text check (country ~ '^[A-Z]{2}$'),
    lat double precision not null check (lat between -90 and 90),
    lon double precision not null check (lon between -180 and 180),
    time_zone text not null,
    check_in_time text not null check (check_in_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
    check_out_time text not null check (check_out_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
    summary text not null,
    description text not null,
    house_rules text not null,
    amenities text[] not null,
    languages text[] not null,
    website text,
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    -- Name, town and reference, also in other languages, without case and accents, for the search.
    searched text not null,
    created_at timestamptz not null default bespeak.now(),
    unique (workspace, property_id),
    constraint property_ref unique (workspace, ref)
);

create index property_by_name on stays.property (workspace, name, property_id);

-- A listing stands beside its resource of the same number.
create table stays.listing (
    resource_id bigint primary key,
    workspace text not null,
    property_id text not null,
    ref text,
    name text not null check (length(name) between 1 and 100),
    guests integer not null check (guests between 1 and 50),
    beds jsonb not null check (jsonb_typeof(beds) = 'array'),
    square_metres integer check (square_metres between 1 and 10000),
    amenities text[] not null,
    summary text not null,
    description text not null,
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    created_at timestamptz not null default bespeak.now(),
    foreign key (workspace, property_id) references stays.property (workspace, property_id),
    constraint listing_ref unique (workspace, ref)
);

create index listing_of_property on stays.listing (property_id, name, resource_id);
create index listing_by_name on stays.listing (workspace, name, resource_id);

-- What was made under an idempotency key, with the fingerprint of what was said.
create table stays.made (
    workspace text not null,
    key bytea not null,
    kind text not null check (kind in ('property', 'listing')),
    thing_id text not null,
    content bytea not null,
    made_at timestamptz not null default bespeak.now(),
    primary key (workspace, key)
);

-- How many of a counted type are taken in a night: draws that have lapsed are nobody's.
create function stays.drawn(number bigint, night text) returns integer
language sql stable as $$
    select (p.taken - case when p.lapses_at <= bespeak.now() then coalesce((
            select sum(d.quantity) from bespeak.draw d
            where d.resource_id = p.resource_id and d.unit = p.unit
                and d.expires_at <= bespeak.now()), 0) else 0 end)::integer
    from bespeak.pool p where p.resource_id = number and p.unit = night
$$;
