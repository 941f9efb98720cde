-- Bookings by the address that news of them goes to.

-- The bookings of guests with this address (in lower case), in no order, so many at most. Found by its words,
-- whose indexes there are, and then compared as a whole.
create or replace function bespeak.bookings_of_email(in_email text, in_limit integer)
returns table (resource_id bigint, booking_id uuid, confirmed_at timestamptz)
language sql stable as $$
    select f.resource_id, f.booking_id, f.confirmed_at
    from bespeak.bookings_with_words(phraseto_tsquery('simple', in_email), 5000) f
    join bespeak.booking b on b.resource_id = f.resource_id and b.booking_id = f.booking_id
    where b.owner like 'guest\_%'
        and lower(bespeak.contact_of(f.booking_id, '{}') ->> 'email') = in_email
    limit in_limit
$$;
