-- The programme: venues with their halls, productions, and the performances, each of which is a resource of
-- the engine and a row here, written in one transaction.
--
-- Everything is of a workspace. What belongs to another thing is in the same workspace: the keys say so.

create schema programme;

create table programme.venue (
    venue_id text collate "C" primary key check (venue_id ~ '^ven_'),
    workspace text not null,
    name text not null check (length(name) between 1 and 100),
    address text not null,
    city text not null,
    country text check (country ~ '^[A-Z]{2}$'),
    time_zone text not null,
    website text,
    accessibility text not null,
    archived boolean not null default false,
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    created_at timestamptz not null default bespeak.now(),
    unique (workspace, venue_id)
);

create index venue_by_name on programme.venue (workspace, name, venue_id);

create table programme.hall (
    hall_id text collate "C" primary key check (hall_id ~ '^hal_'),
    -- Small, so that a hall and a time fit into one number: see performance.occupied.
    number integer generated always as identity unique check (number < 1073741824),
    workspace text not null,
    venue_id text not null,
    name text not null check (length(name) between 1 and 100),
    -- A seat map whose categories are listed, without prices.
    plan jsonb not null check (jsonb_typeof(plan) = 'object'),
    capacity integer not null check (capacity >= 0),
    archived boolean not null default false,
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    created_at timestamptz not null default bespeak.now(),
    foreign key (workspace, venue_id) references programme.venue (workspace, venue_id),
    unique (workspace, hall_id)
);

create index hall_by_name on programme.hall (workspace, name, hall_id);
create index hall_of_venue on programme.hall (venue_id, name);

-- Pictures by their digest, each drawn anew in two sizes.
create table programme.picture (
    digest text collate "C" primary key check (digest ~ '^[0-9a-f]{32}$'),
    content bytea not null check (octet_length(content) <= 4000000),
    card bytea not null check (octet_length(card) <= 4000000),
    added_at timestamptz not null default bespeak.now()
);

create table programme.production (
    production_id text collate "C" primary key check (production_id ~ '^prd_'),
    workspace text not null,
    title text not null check (length(title) between 1 and 200),
    kind text not null,
    series text,
    performers text[] not null,
    summary text not null,
    description text not null,
    minutes integer check (minutes between 1 and 1440),
    age_from integer check (age_from between 0 and 99),
    website text,
    picture text references programme.picture,
    picture_text text,
    archived boolean not null default false,
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    -- Title, series and performers, also in other languages, without case and accents, for the search.
    searched text not null,
    created_at timestamptz not null default bespeak.now(),
    unique (workspace, production_id)
);

create index production_of_workspace on programme.production (workspace, production_id);
create index production_with_picture on programme.production (picture) where picture is not null;

-- A performance stands beside its resource of the same number. What the lists filter by is copied here, so
-- that they need no joins to find their page.
create table programme.performance (
    resource_id bigint primary key,
    workspace text not null,
    production_id text not null,
    hall_id text not null,
    venue_id text not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    doors_at timestamptz,
    -- The date by the clocks of the venue, which is what people ask for.
    day date not null,
    note text not null,
    -- What the note is called in other languages; what else it shows, its hall and production have.
    translations jsonb not null check (jsonb_typeof(translations) = 'array'),
    price_from bigint not null check (price_from >= 0),
    units_total integer not null,
    -- The standing areas of its plan: an owner's limits are pools as well, and no places.
    areas text[] not null,
    -- The number of the hall and the seconds from the start to the end, as one range:
    -- number * 2^33 + seconds since 1970. So two performances never overlap in a hall, without an extension
    -- that would index a pair. Null once it was called off or retired.
    occupied int8range,
    foreign key (workspace, production_id)
        references programme.production (workspace, production_id),
    foreign key (workspace, hall_id) references programme.hall (workspace, hall_id),
    foreign key (workspace, venue_id) references programme.venue (workspace, venue_id),
    constraint performance_starts_before_it_ends check (starts_at < ends_at),
    constraint performance_doors_open_before_it_starts check (doors_at <= starts_at),
    constraint performance_hall_free exclude using gist (occupied with &&)
);

create index performance_by_time on programme.performance (workspace, starts_at, resource_id);
create index performance_of_production on programme.performance (production_id, starts_at);
create index performance_of_hall on programme.performance (hall_id, starts_at);
create index performance_of_venue on programme.performance (venue_id, starts_at);

-- What was made under an idempotency key, with the fingerprint of what was said.
create table programme.made (
    workspace text not null,
    key bytea not null,
    kind text not null check (kind in ('venue', 'hall', 'production', 'performance')),
    thing_id text not null,
    content bytea not null,
    made_at timestamptz not null default bespeak.now(),
    primary key (workspace, key)
);

-- How many seats and places of standing areas are taken at a moment: claims and draws that have lapsed are
-- nobody's.
create function programme.taken(number bigint, areas text[], moment timestamptz) returns integer
language sql stable as $$
    select (
        (select count(*) from bespeak.claim c where c.resource_id = number and c.expires_at > moment)
        + (select coalesce(sum(p.taken - case when p.lapses_at <= moment then coalesce((
                    select sum(d.quantity) from bespeak.draw d
                    where d.resource_id = p.resource_id and d.unit = p.unit
                        and d.expires_at <= moment), 0)
                else 0 end), 0)
            from bespeak.pool p where p.resource_id = number and p.unit = any(areas))
    )::integer
$$;

-- How many of these guests hold or have booked: blocks are nobody's.
create function programme.sold(number bigint, areas text[], moment timestamptz) returns integer
language sql stable as $$
    select (
        (select count(*) from bespeak.claim c where c.resource_id = number and c.expires_at > moment
            and not bespeak.is_block(c.hold_id))
        + (select coalesce(sum(d.quantity), 0) from bespeak.draw d where d.resource_id = number
            and d.unit = any(areas) and d.expires_at > moment and not bespeak.is_block(d.hold_id))
    )::integer
$$;
