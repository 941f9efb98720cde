-- The ordinary way of a search for stays: a table of listings with an index on their place, and a row for
-- each night that is taken.
create table listing (
    listing_id bigint primary key,
    name text not null,
    lat double precision not null,
    lon double precision not null,
    guests integer not null,
    price bigint not null
);
create index listing_place on listing (lat, lon);

create table taken_night (
    listing_id bigint not null,
    night date not null,
    primary key (listing_id, night)
);
