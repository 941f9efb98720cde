-- Pictures by their digest, each drawn anew in two sizes, with the size of the whole one.
create table stays.picture (
    digest text collate "C" primary key check (digest ~ '^[0-9a-f]{32}$'),
    content bytea not null check (octet_length(content) <= 4000000),
    card bytea not null check (octet_length(card) <= 4000000),
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    added_at timestamptz not null default bespeak.now()
);

create index picture_by_age on stays.picture (added_at);

-- Which pictures a property or a listing shows, in which order, and what is to be seen in them.
create table stays.shown_picture (
    property_id text references stays.property,
    resource_id bigint references stays.listing,
    place integer not null check (place between 1 and 20),
    digest text collate "C" not null references stays.picture,
    description text not null,
    constraint shown_of_one_thing check (num_nonnulls(property_id, resource_id) = 1),
    constraint property_picture_place unique (property_id, place),
    constraint listing_picture_place unique (resource_id, place)
);

-- Whether a picture is shown anywhere, when it is to go.
create index shown_picture_by_digest on stays.shown_picture (digest);

-- What a property or a listing shows, as JSON, in its order.
create function stays.pictures_of(of_property text, of_listing bigint)
returns jsonb
language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('id', s.digest, 'description', s.description,
        'width', c.width, 'height', c.height) order by s.place), '[]')
    from stays.shown_picture s
    join stays.picture c on c.digest = s.digest
    where s.property_id = of_property or s.resource_id = of_listing
$$;
