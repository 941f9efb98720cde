-- Bookings by the words of their contact.

-- Bookings whose contact has these words, in no order, so many at most. How rare a word is nobody can
-- tell beforehand, least of all the planner: it would walk through all bookings for one that is there
-- once. So the indexes are all that it may use.
create or replace function bespeak.bookings_with_words(in_words tsquery, in_limit integer)
returns table (resource_id bigint, booking_id uuid, confirmed_at timestamptz, state text)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
    select b.resource_id, b.booking_id, b.confirmed_at, b.state from (
        (select b.resource_id, b.booking_id from bespeak.booking b
            where b.contact is not null and bespeak.contact_words(b.contact) @@ in_words
            limit in_limit)
        union
        (select p.resource_id, p.hold_id from bespeak.payment p
            where p.contact is not null and bespeak.contact_words(p.contact) @@ in_words
            limit in_limit)
    ) f
    join bespeak.booking b on b.resource_id = f.resource_id and b.booking_id = f.booking_id
    limit in_limit
$$;
