-- name: claim
-- Takes mails about turns of waiting rooms that are due, until the lease ends; with whether the turn has been
-- called by now. To who has come in, given the place up or lost the turn by now nothing is written, nor of a
-- room that has ended.
with due as (
    select m.room_id, m.queue, m.subject from bespeak.turn_mail m
    where m.state = 'pending' and m.due_at <= bespeak.now()
    order by m.due_at limit $1
    for update skip locked
), taken as (
    update bespeak.turn_mail m set due_at = bespeak.now() + make_interval(secs => $2)
    from due d where m.room_id = d.room_id and m.queue = d.queue and m.subject = d.subject
    returning m.*
)
select t.mail_id, t.room_id, t.queue, t.subject, t.joined_us, t.email, t.locale, t.near_at, t.due_at,
    w.name, w.workspace, w.grace_seconds, w.pass_seconds, t.place_key < q.front as is_called,
    w.state <> 'ended'
        and not exists (select from bespeak.waiting_leaver l where l.room_id = t.room_id
            and l.queue = t.queue and l.subject = t.subject and l.joined_until >= t.joined_us)
        and not exists (select from bespeak.waiting_pass p where p.room_id = t.room_id
            and p.subject = t.subject
            and p.given_at >= timestamptz 'epoch' + t.joined_us * interval '1 microsecond')
        and not exists (select from bespeak.waiting_call c where c.room_id = t.room_id
            and c.queue = t.queue and c.front > t.place_key
            and c.called_at <= bespeak.now() - make_interval(secs => w.grace_seconds)) as is_wanted
from taken t
join bespeak.waiting_room w on w.room_id = t.room_id
join bespeak.waiting_queue q on q.room_id = t.room_id and q.queue = t.queue
order by t.near_at

-- name: settle
-- Records what became of a mail: sent, dropped, failed for good, or due again after so many seconds; only by
-- whom it was lent to. An address that nothing is sent to goes.
update bespeak.turn_mail m set state = $4,
    due_at = case when $4 = 'pending' then bespeak.now() + make_interval(secs => $5) end,
    email = case when $4 in ('pending', 'sent') then m.email end,
    locale = case when $4 in ('pending', 'sent') then m.locale end
where m.mail_id = $1 and m.room_id = $2 and m.state = 'pending' and m.due_at = $3
