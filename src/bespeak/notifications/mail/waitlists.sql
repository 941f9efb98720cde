-- name: claim
-- Takes mails about entries of waitlists that are due, until the lease ends. One about an offer that stands
-- no more is not wanted; nor is word of an end that was none, for they had bought; nor any to who was erased.
with due as (
    select m.mail_id from bespeak.waitlist_mail m
    where m.state = 'pending' and m.due_at <= bespeak.now()
    order by m.due_at limit $1
    for update skip locked
), taken as (
    update bespeak.waitlist_mail m set due_at = bespeak.now() + make_interval(secs => $2)
    from due d where m.mail_id = d.mail_id
    returning m.*
)
select t.mail_id, t.kind, t.tries, t.due_at, t.created_at, e.entry_id, e.contact, e.place, e.party,
    e.reason, e.note, e.wish, e.resources, w.policy, w.workspace, h as hold,
    b.booking_id as instead_of, b.confirmed_at as instead_booked_at,
    e.contact is not null and (t.kind <> 'joined' or e.state in ('waiting', 'offered'))
        and (t.kind <> 'over' or e.state = 'over')
        and (t.kind <> 'offered' or o.state = 'standing' and h.state = 'held'
            and h.expires_at > bespeak.now()) as is_wanted
from taken t
join bespeak.waitlist_entry e on e.entry_id = t.entry_id
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
left join bespeak.waitlist_offer o on o.entry_id = t.entry_id and o.number = t.number
    and t.kind = 'offered'
left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
left join bespeak.booking b on b.resource_id = bespeak.home_of(o.instead_of)
    and b.booking_id = o.instead_of and b.state = 'confirmed'
order by t.created_at

-- name: resources
-- What is waited for and what is held, as people call it.
select resource_id, name, time_zone, starts_at, translations,
    plan -> 'translations' as plan_translations, plan -> 'stops' as stops
from bespeak.resource where resource_id = any($1::bigint[])

-- name: settle
-- Records what became of a mail: sent, dropped, failed for good, or to be sent after so many seconds; only by
-- whom it was lent to.
update bespeak.waitlist_mail
set state = $3, tries = tries + 1, failure = $4,
    due_at = case when $3 = 'pending' then bespeak.now() + make_interval(secs => $5) end,
    ended_at = case when $3 <> 'pending' then bespeak.now() end
where mail_id = $1 and state = 'pending' and due_at = $2
