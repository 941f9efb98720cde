-- name: people
-- How many parties wait, and how many are offered something.
select (select count(*) from bespeak.waitlist_entry e where e.state = 'waiting') as waiting,
    (select count(*) from bespeak.waitlist_offer o where o.state = 'standing') as offered

-- name: ends
-- By list, how the offers of those ended who wait no more since so many seconds.
select e.waitlist_id, count(*) filter (where e.state = 'accepted') as accepted,
    count(*) filter (where e.reason = 'declined') as declined,
    count(*) filter (where e.reason = 'lapsed') as lapsed
from bespeak.waitlist_entry e
where e.ended_at > bespeak.now() - make_interval(secs => $1)
    and (e.state = 'accepted' or e.reason in ('declined', 'lapsed'))
group by e.waitlist_id
