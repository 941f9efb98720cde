-- name: running_week
-- The first day of the week that was loaded last, if a show is still to come in the screen that
-- visitors try first. The newest film came out on the day before.
select max(f.released) + 1 from cinema.film f
where f.ref like 'demo:%'
    and exists (select from cinema.show s where s.screen_id = $1 and s.starts_at > $2)

-- name: unpaid
-- Shows that are sold at the counter while the demo is loaded, and are not yet to be paid for.
select s.resource_id, s.ref from cinema.show s
join bespeak.resource r on r.resource_id = s.resource_id
where s.ref like 'demo:%' and s.said ->> 'payment' = 'required' and r.payment = 'none'

-- name: featured
-- The show that visitors try first, one with places left (of 300), an evening that does not begin too
-- soon, and then the next of all.
with first as (
    select s.resource_id from cinema.show s
    where s.screen_id = $1 and s.starts_at > $2
        and not exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
    order by (select count(*) from bespeak.claim c where c.resource_id = s.resource_id) > 150,
        s.starts_at < $2 + interval '3 hours'
            or extract(hour from s.starts_at at time zone $3) < 18,
        s.starts_at
    limit 1
)
select s.resource_id from cinema.show s
where s.ref like 'demo:%' and s.starts_at > $2
    and (s.starts_at > $2 + interval '15 minutes' or s.resource_id in (select * from first))
    and not exists (select from bespeak.cancellation x where x.resource_id = s.resource_id)
order by s.resource_id not in (select * from first), s.starts_at, s.resource_id
limit $4

-- name: count
-- How many shows of the demo are still to come, in how many screens, cinemas and cities.
select count(*) as shows, count(distinct s.screen_id) as screens,
    count(distinct s.cinema_id) as cinemas, count(distinct s.city_id) as cities
from cinema.show s where s.ref like 'demo:%' and s.starts_at > $1

-- name: set_posters
-- Gives the films their pictures.
update cinema.film f set poster = p.poster
from unnest($1::text[], $2::text[]) as p (film_id, poster)
where f.film_id = p.film_id and f.poster is distinct from p.poster

-- name: settle
-- Writes all of the load to disk now, so that a server that is told to stop need not do it then.
checkpoint

-- name: set_clock
-- What the time is for the rest of the transaction: what is sold in it was sold then.
select set_config('bespeak.now', $1::timestamptz::text, true)
