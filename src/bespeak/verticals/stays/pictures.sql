-- name: keep
-- Keeps a picture. The same one may be sent again: it is as new then, so that nobody lets it go meanwhile.
insert into stays.picture (digest, content, card, width, height, added_at)
values ($1, $2, $3, $4, $5, bespeak.now())
on conflict (digest) do update set added_at = excluded.added_at

-- name: drop_unused
-- Lets pictures go that nothing shows, a day after they were sent. What is in use by a transaction that is
-- about to show it is left for the next time.
delete from stays.picture c
where c.digest = any(array(select o.digest from stays.picture o
        where o.added_at < bespeak.now() - interval '1 day'
            and not exists (select from stays.shown_picture s where s.digest = o.digest)
        order by o.added_at limit 100 for update skip locked))
    and not exists (select from stays.shown_picture s where s.digest = c.digest)

-- name: picture
-- A picture by its digest, whole or for a card.
select case when $2::boolean then c.card else c.content end as content
from stays.picture c where c.digest = $1

-- name: forget
-- Shows no picture of a property or of a listing, before others are shown.
delete from stays.shown_picture s where s.property_id = $1 or s.resource_id = $2

-- name: show
-- Shows these pictures of a property or of a listing, in this order. Each must be kept: a key says so.
insert into stays.shown_picture (property_id, resource_id, place, digest, description)
select $1, $2, o.place, o.digest, o.description
from unnest($3::text[], $4::text[]) with ordinality as o(digest, description, place)
