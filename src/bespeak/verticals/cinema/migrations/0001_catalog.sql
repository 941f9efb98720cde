-- The catalogue: cities, cinemas, screens with their seats, films, and the shows, each of which is
-- a resource of the engine and a row here, written in one transaction.
--
-- `ref` is what a thing is called by those who keep it elsewhere; ids are made from it, so that an
-- import finds what it made before. `content` is the fingerprint of what was last said of it.

create schema cinema;

create table cinema.city (
    city_id text primary key check (city_id ~ '^cty_'),
    ref text not null unique,
    name text not null check (length(name) between 1 and 100),
    country text not null check (country ~ '^[A-Z]{2}$'),
    time_zone text not null,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    content bytea not null
);

create table cinema.cinema (
    cinema_id text primary key check (cinema_id ~ '^cin_'),
    ref text not null unique,
    city_id text not null references cinema.city,
    name text not null check (length(name) between 1 and 100),
    address text not null,
    -- What its shows are sold by where they do not say otherwise: fees, taxes, cancellation.
    pricing jsonb check (jsonb_typeof(pricing) = 'object'),
    content bytea not null
);

create index cinema_of_city on cinema.cinema (city_id, name);

create table cinema.screen (
    screen_id text primary key check (screen_id ~ '^scr_'),
    ref text not null unique,
    -- Small, so that a screen and a time fit into one number: see show.occupied.
    number integer generated always as identity unique check (number < 1073741824),
    cinema_id text not null references cinema.cinema,
    name text not null check (length(name) between 1 and 100),
    features text[] not null,
    cleaning_minutes integer not null check (cleaning_minutes between 0 and 240),
    plan jsonb not null check (jsonb_typeof(plan) = 'object'),
    seats integer not null check (seats >= 0),
    accessible boolean not null,
    content bytea not null
);

create index screen_of_cinema on cinema.screen (cinema_id, name);

-- A seat is physical and permanent. One that a new plan lacks is retired, not deleted, and its name
-- is not given to another.
create table cinema.seat (
    screen_id text not null references cinema.screen,
    unit text collate "C" not null,
    category text not null,
    installed_at timestamptz not null default bespeak.now(),
    retired_at timestamptz,
    primary key (screen_id, unit)
);

create table cinema.film (
    film_id text primary key check (film_id ~ '^flm_'),
    ref text not null unique,
    title text not null check (length(title) between 1 and 200),
    original_title text,
    tagline text not null,
    synopsis text not null,
    minutes integer not null check (minutes between 1 and 1000),
    rating text not null,
    genres text[] not null,
    director text not null,
    players text[] not null,
    released date not null check (isfinite(released)),
    hues smallint[] not null check (cardinality(hues) = 2),
    -- A picture of its own, as SVG; without one it has a placeholder.
    poster text check (length(poster) < 100000),
    -- Title, director and cast without case and accents, for the search.
    searched text not null,
    content bytea not null
);

create index film_by_release on cinema.film (released desc, film_id);

-- A show stands beside its resource of the same number. What the lists filter by is copied here, so
-- that they need no joins to find their page.
create table cinema.show (
    resource_id bigint primary key,
    ref text not null unique,
    film_id text not null references cinema.film,
    screen_id text not null references cinema.screen,
    cinema_id text not null references cinema.cinema,
    city_id text not null references cinema.city,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    -- The date by the clocks of the city, which is what people ask for.
    day date not null,
    language text not null,
    subtitles text,
    format text not null,
    accessible boolean not null,
    units_total integer not null,
    price_from bigint not null check (price_from >= 0),
    -- The number of the screen and the seconds from the start to the end of the cleaning, as one
    -- range: number * 2^33 + seconds since 1970. So two shows never overlap in a screen, without an
    -- extension that would index a pair. Null once the show is called off.
    occupied int8range,
    -- What was last said of it, for a change to begin from.
    said jsonb not null,
    constraint show_starts_before_it_ends check (starts_at < ends_at),
    constraint show_screen_free exclude using gist (occupied with &&)
        deferrable initially immediate
);

create index show_by_time on cinema.show (starts_at, resource_id);
create index show_of_city on cinema.show (city_id, day, starts_at);
create index show_of_cinema on cinema.show (cinema_id, day, starts_at);
create index show_of_film on cinema.show (film_id, starts_at);
create index show_of_screen on cinema.show (screen_id, starts_at);
