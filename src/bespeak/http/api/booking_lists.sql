-- name: bookings_of_owner
-- A page of the bookings of an owner, the latest first; of one resource or of any.
select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
where b.owner = $7 and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
    and ($8::bigint is null or exists (
        select from bespeak.hold h
        where h.resource_id = b.resource_id and h.hold_id = b.booking_id and $8 = any(h.resources)))
    and ($9::text is null
        or bespeak.contact_words(bespeak.contact_of(b.booking_id, '{}')) @@ $9::text::tsquery)
    and ($10::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $10))
order by b.confirmed_at desc, b.booking_id desc limit $6

-- name: bookings_exact
-- A booking by its home and id, if it is one of those that are asked for.
select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
where b.resource_id = $6 and b.booking_id = $7
    and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
    and ($8::text is null or b.owner = $8) and ($9::bigint is null or $9 = any(h.resources))
    and ($10::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $10))

-- name: bookings_coded
-- The bookings with a code, which says the seconds in which they may have been made and the last bits of
-- their ids, the latest first.
select b.resource_id, b.booking_id, b.confirmed_at from unnest($7::timestamptz[]) as m(second)
join bespeak.booking b on b.confirmed_at >= m.second and b.confirmed_at < m.second + interval '1 second'
where ('x' || right(b.booking_id::text, 3))::bit(12)::integer & 1023 = $8
    and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
    and ($9::text is null or b.owner = $9)
    and ($10::bigint is null or exists (
        select from bespeak.hold h
        where h.resource_id = b.resource_id and h.hold_id = b.booking_id and $10 = any(h.resources)))
    and ($11::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $11))
order by b.confirmed_at desc, b.booking_id desc limit $6

-- name: bookings_of_resource
-- A page of the bookings of a resource, the latest first, perhaps only those of certain words: those
-- at home there, and those of elsewhere that have something of it.
select b.resource_id, b.booking_id, b.confirmed_at from (
    select b.* from bespeak.booking b where b.resource_id = $7
    union all
    select b.* from (
        select c.hold_id from bespeak.claim c where c.resource_id = $7 and c.expires_at = 'infinity'
        union
        select d.hold_id from bespeak.draw d where d.resource_id = $7 and d.expires_at = 'infinity'
    ) f
    join bespeak.booking b
        on b.resource_id = bespeak.home_of(f.hold_id) and b.booking_id = f.hold_id
    where bespeak.home_of(f.hold_id) <> $7
) b
where (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
    and ($8::text is null or b.owner = $9
        or bespeak.contact_words(bespeak.contact_of(b.booking_id, '{}')) @@ $8::text::tsquery)
    and ($10::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $10))
order by b.confirmed_at desc, b.booking_id desc limit $6

-- name: bookings_by_words
-- A page of the bookings of an owner, or of a contact with these words, the latest first. Where the
-- words are of few, these are found by them and sorted; where they are of very many, the latest
-- bookings are looked through, and the page is soon full.
with few as materialized (
    select b.* from bespeak.bookings_with_words($7::text::tsquery, $9 + 1) b
), known as (
    select count(*) <= $9 as are_few from few
)
select b.resource_id, b.booking_id, b.confirmed_at from (
    (select b.resource_id, b.booking_id, b.confirmed_at from few b
    where (select are_few from known)
        and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
        and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
        and ($10::text is null or exists (select from bespeak.resource w
            where w.resource_id = b.resource_id and w.workspace = $10))
    order by b.confirmed_at desc, b.booking_id desc limit $6)
    union
    (select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
    where not (select are_few from known)
        and bespeak.contact_words(bespeak.contact_of(b.booking_id, '{}')) @@ $7::text::tsquery
        and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
        and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
        and ($10::text is null or exists (select from bespeak.resource w
            where w.resource_id = b.resource_id and w.workspace = $10))
    order by b.confirmed_at desc, b.booking_id desc limit $6)
    union
    (select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
    where b.owner = $8
        and (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
        and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
        and ($10::text is null or exists (select from bespeak.resource w
            where w.resource_id = b.resource_id and w.workspace = $10))
    order by b.confirmed_at desc, b.booking_id desc limit $6)
) b
order by b.confirmed_at desc, b.booking_id desc limit $6

-- name: bookings_latest
-- A page of all bookings, the latest first.
select b.resource_id, b.booking_id, b.confirmed_at from bespeak.booking b
where (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and b.confirmed_at >= $3 and b.confirmed_at < $4 and ($5::text is null or b.state = $5)
    and ($7::text is null or exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $7))
order by b.confirmed_at desc, b.booking_id desc limit $6

-- name: bookings_of_email
-- A page of the bookings of guests with an address, of a workspace, the latest first.
select b.resource_id, b.booking_id, b.confirmed_at from bespeak.bookings_of_email($3, 5000) b
where (b.confirmed_at, b.booking_id) < ($1, $2::uuid)
    and exists (select from bespeak.resource w
        where w.resource_id = b.resource_id and w.workspace = $5)
order by b.confirmed_at desc, b.booking_id desc limit $4

-- name: bookings_named
-- Bookings by their homes and ids, each with its hold, its resource, and what it is paid with: the
-- latest payment that did not fail.
select h as hold, b as booking, coalesce(b.contact, (p.payment).contact) as contact,
    r.resource_id, r.name, r.kind, r.starts_at, r.time_zone,
    r.attributes, r.translations, p.payment
from unnest($1::bigint[], $2::uuid[]) with ordinality as k(home, booking_id, place)
join bespeak.booking b on b.resource_id = k.home and b.booking_id = k.booking_id
join bespeak.hold h on h.resource_id = k.home and h.hold_id = k.booking_id
join bespeak.resource r on r.resource_id = k.home
left join lateral (
    select q as payment from bespeak.payment q
    where q.resource_id = k.home and q.hold_id = k.booking_id
    order by q.state = 'failed', q.created_at desc, q.payment_id desc limit 1
) p on true
order by k.place

-- name: refunds_named
-- The refunds of bookings, the oldest first.
select f as refund from unnest($1::bigint[], $2::uuid[]) as k(home, hold_id)
join bespeak.payment p on p.resource_id = k.home and p.hold_id = k.hold_id
join bespeak.refund f on f.resource_id = p.resource_id and f.payment_id = p.payment_id
order by f.created_at, f.refund_id
