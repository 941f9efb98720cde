-- The usual schema of a search for stays with PostGIS: listings with their place as a geography in a GiST
-- index, and a row for each night that is taken.
create table listing (
    listing_id bigint primary key,
    name text not null,
    place geography (point, 4326) not null,
    guests integer not null,
    price bigint not null
);
create index listing_place on listing using gist (place);

create table taken_night (
    listing_id bigint not null,
    night date not null,
    primary key (listing_id, night)
);
