-- name: settle
-- Ends the offers whose holds have ended.
select bespeak.settle_waitlist_offers(null, $1)

-- name: end_late
-- Ends the entries that wait longer than they wanted to.
select bespeak.end_late_waitlist_entries($1)

-- name: unreleased
-- Offers that stand though their entry was withdrawn or removed: whoever did it died before the hold was
-- released.
select o.hold_id from bespeak.waitlist_offer o
join bespeak.waitlist_entry e on e.entry_id = o.entry_id
where o.state = 'standing' and e.state in ('withdrawn', 'over') limit $1

-- name: due
-- The lists that something may have come back to, or that somebody joined, with what tells one such look
-- from the next. Of what is anyone's while somebody waits, also what was held: it may be sold out again.
-- (What was offered is looked at by the look that offers it.) Of a sale that has begun by time no event
-- tells: its list is due as long as it was not looked at since. At times ($2) all on which somebody waits.
select w.waitlist_id, w.wakes, n.freed, n.latest, o.has_opened
from bespeak.waitlist w
cross join lateral (
    select count(*) as freed, coalesce(max(e.position), 0) as latest
    from bespeak.waitlist_resource r
    join bespeak.event e on e.resource_id = r.resource_id
        and e.horizon >= w.horizon
    where r.waitlist_id = w.waitlist_id and (e.kind = any($1::text[]) or e.kind = 'held'
        and w.freed_goes_to = 'waitlist'
        and not exists (select from bespeak.waitlist_offer o where o.hold_id = e.hold_id)
        and not (select k.kept_for_waitlist from bespeak.resource k where k.resource_id = r.resource_id)
        and exists (select from bespeak.waitlist_entry x
            where x.waitlist_id = w.waitlist_id and x.state = 'waiting'))
) n
cross join lateral (
    select exists (select from bespeak.waitlist_resource r
        join bespeak.resource k on k.resource_id = r.resource_id
        where r.waitlist_id = w.waitlist_id and k.opens_at > w.matched_at and k.opens_at <= bespeak.now())
    and exists (select from bespeak.waitlist_entry x
        where x.waitlist_id = w.waitlist_id and x.state = 'waiting') as has_opened
) o
where w.state <> 'ended' and (w.wakes > w.matched_wakes or n.freed > 0 or o.has_opened
    or $2 and exists (select from bespeak.waitlist_entry x
        where x.waitlist_id = w.waitlist_id and x.state = 'waiting'))
order by w.waitlist_id

-- name: advance
-- Lists to which nothing has come back begin to look from here, so that no look reads what was read.
update bespeak.waitlist w set horizon = s.settled
from (select bespeak.settled_horizon() as settled) s
where w.state <> 'ended' and w.horizon < s.settled and not exists (
    select from bespeak.waitlist_resource r
    join bespeak.event e on e.resource_id = r.resource_id
        and e.horizon >= w.horizon and (e.kind = any($1::text[]) or e.kind = 'held')
    where r.waitlist_id = w.waitlist_id)

-- name: claim
-- The list, lent to this transaction; none where another matches it. With where the feed is settled: what
-- comes later is looked at by the next; and what came back since the list was looked at, and when last.
select w.*, bespeak.settled_horizon() as settled, bespeak.now() as looked_at,
    (select (count(*), coalesce(max(e.position), 0))::text
        from bespeak.waitlist_resource r
        join bespeak.event e on e.resource_id = r.resource_id and e.horizon >= w.horizon
        where r.waitlist_id = w.waitlist_id and e.kind = any($2::text[])) as came_back,
    (select max(e.at) from bespeak.waitlist_resource r
        join bespeak.event e on e.resource_id = r.resource_id and e.horizon >= w.horizon
        where r.waitlist_id = w.waitlist_id and e.kind = any($2::text[])) as came_at,
    array(select r.resource_id from bespeak.waitlist_resource r
        where r.waitlist_id = w.waitlist_id order by r.resource_id) as of_list
from bespeak.waitlist w where w.waitlist_id = $1 and w.state <> 'ended' for update skip locked

-- name: waiting
-- Who waits, in the order of the list's policy. Who is being erased is offered nothing more; nor is whoever
-- could not give back any more what they would: they could not confirm it.
select e.entry_id, e.place, e.owner, e.wish, e.party, e.offers, e.passed, e.resources
from bespeak.waitlist_entry e
where e.waitlist_id = $1 and e.state = 'waiting' and (e.until is null or e.until > bespeak.now())
    and not exists (select from bespeak.erasure a where a.owner = e.owner and a.state = 'running')
    and (e.instead_of is null or bespeak.entry_problem(e) is null)
order by case when $2 then e.draw end, e.place limit $3

-- name: wanted
-- Which of these resources somebody waits for, and whether somebody who was passed by too often does.
select u.resource_id, bool_or(coalesce(e.passed >= $3::integer, false)) as is_gathering
from bespeak.waitlist_entry e
cross join lateral unnest(e.resources) as u(resource_id)
where e.waitlist_id = $1 and e.state = 'waiting' and u.resource_id = any($2::bigint[])
    and (e.instead_of is null or bespeak.entry_problem(e) is null)
group by u.resource_id

-- name: offer
-- Makes a hold the offer of an entry.
select bespeak.make_waitlist_offer($1, $2, $3, $4)

-- name: matched
-- Nobody more can be served by what there was then.
update bespeak.waitlist set matched_wakes = $2, horizon = $3, matched_at = $4 where waitlist_id = $1

-- name: keep
-- Which resources are kept for those who wait, and which are not.
select bespeak.keep_for_waitlist($1, $2, 'system')
