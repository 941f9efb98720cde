-- What guests think of a property: a rating with the number of guests that gave it, from elsewhere as
-- somebody said it, and from guests who stayed. Ratings are kept in tenths: 87 is 8.7.

alter table stays.property
    add column rated_elsewhere jsonb check (rated_elsewhere is null or (
        (rated_elsewhere ->> 'rating')::numeric between 1 and 10
        and (rated_elsewhere ->> 'ratings')::integer between 1 and 10000000
        and length(rated_elsewhere ->> 'source') between 1 and 200)),
    -- How many guests who stayed have rated it, and how much their ratings (1 to 10) are in all.
    add column guest_ratings integer not null default 0 check (guest_ratings >= 0),
    add column guest_points bigint not null default 0
        check (guest_points between guest_ratings and 10 * guest_ratings::bigint);

-- How many have rated a property, here and elsewhere.
create function stays.ratings_of(p stays.property) returns integer
language sql immutable as $$
    select p.guest_ratings + coalesce((p.rated_elsewhere ->> 'ratings')::integer, 0)
$$;

-- What they think on average, in tenths; null where nobody has.
create function stays.rating_of(p stays.property) returns integer
language sql immutable as $$
    select round((10 * p.guest_points + coalesce(
            10 * (p.rated_elsewhere ->> 'rating')::numeric * (p.rated_elsewhere ->> 'ratings')::integer, 0))
        / nullif(p.guest_ratings + coalesce((p.rated_elsewhere ->> 'ratings')::integer, 0), 0))::integer
$$;

-- What the guest of a booking thinks, once; the property's figures count it.
create table stays.rating (
    booking_id uuid primary key,
    workspace text not null,
    property_id text not null references stays.property,
    owner text not null,
    rating integer not null check (rating between 1 and 10),
    comment text not null check (length(comment) <= 1000),
    -- Not shown to guests; its figure counts all the same.
    hidden boolean not null default false,
    rated_at timestamptz not null default bespeak.now()
);

-- What was written of a property, the latest first.
create index rating_comments on stays.rating (property_id, rated_at desc, booking_id desc)
where comment <> '';

-- What an owner said, to be exported and erased.
create index rating_by_owner on stays.rating (owner);

alter table stays.made drop constraint made_kind_check;
alter table stays.made add constraint made_kind_check check (kind in
    ('property', 'listing', 'suggested_prices', 'rating'));
