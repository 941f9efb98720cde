-- name: open
-- What the link of an entry opens: whose it is, and the holds that were offered to it; and whether a
-- payment, if one is named, is for one of these. No row: the entry ended more than so many seconds ago and
-- nothing of it is being paid for, or its owner was erased, with the address that the link went to.
select e.owner, o.holds, $5::uuid is null or exists (select from bespeak.payment p
    where p.resource_id = $4 and p.payment_id = $5 and p.hold_id = any(o.holds)) as is_its_payment
from bespeak.waitlist_entry e
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
cross join lateral (
    select coalesce(array_agg(f.hold_id), '{}') as holds
    from bespeak.waitlist_offer f where f.entry_id = e.entry_id
) o
where e.entry_id = $1 and w.workspace = $2 and e.contact is not null
    and (e.ended_at is null or e.ended_at > bespeak.now() - make_interval(secs => $3)
        or exists (select from bespeak.payment p
            where p.hold_id = any(o.holds) and p.state in ('pending', 'authorized')))
