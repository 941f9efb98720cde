-- name: begin
-- A mailing begins, unless its key began one already, or there were so many of the resource within a day.
insert into bespeak.mailing (mailing_id, resource_id, texts, state, actor, key, content, created_at)
select $1, r.resource_id, $3, 'writing', $4, $5, $6, bespeak.now()
from bespeak.resource r
where r.resource_id = $2
    and (select count(*) from bespeak.mailing m
        where m.resource_id = $2 and m.created_at > bespeak.now() - interval '1 day') < $7
on conflict (resource_id, key) do nothing
returning mailing_id

-- name: begun
-- The mailing that a key began, with what it said.
select m.mailing_id, m.content from bespeak.mailing m where m.resource_id = $1 and m.key = $2

-- name: get
-- A mailing of a resource, and what became of its mails.
select m.mailing_id, m.resource_id, m.texts, m.state, m.actor, m.created_at, m.recipients,
    c.waiting, c.sent, c.failed
from bespeak.mailing m
cross join lateral bespeak.mailing_mails(m.mailing_id) c
where m.resource_id = $1 and m.mailing_id = $2

-- name: of_resource
-- The newest mailings of a resource, and what became of their mails.
select m.mailing_id, m.resource_id, m.texts, m.state, m.actor, m.created_at, m.recipients,
    c.waiting, c.sent, c.failed
from (
    select * from bespeak.mailing m where m.resource_id = $1
    order by m.created_at desc, m.mailing_id limit $2
) m
cross join lateral bespeak.mailing_mails(m.mailing_id) c
order by m.created_at desc, m.mailing_id

-- name: stop
-- Writes to nobody more; mails that wait are dropped when their turn comes.
update bespeak.mailing m set state = 'stopped' where m.resource_id = $1 and m.mailing_id = $2

-- name: count_recipients
-- How many would be written to now.
select count(*)
from bespeak.holds_of($1) h
join bespeak.booking b on b.resource_id = bespeak.home_of(h.hold_id) and b.booking_id = h.hold_id
where b.state = 'confirmed'
    and bespeak.contact_of(b.booking_id, null) ->> 'email' is not null

-- name: write
-- Writes down who gets a mailing, of the next so many bookings, unless so many of its mails wait.
select bookings, mails from bespeak.write_mailings($1, $2)

-- name: texts
-- What mailings say.
select m.mailing_id, m.texts from bespeak.mailing m where m.mailing_id = any($1::uuid[])

-- name: is_known
-- Whether there is such a resource.
select r.resource_id from bespeak.resource r where r.resource_id = $1
