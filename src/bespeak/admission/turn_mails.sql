-- name: ask
-- Asks for the mail of a turn, or for another address of it: while it is not on its way, or for a later
-- turn ($5, the place key) than that of which one was told. Nothing of a room that has ended, of who gave the
-- place up by a token that was joined for then ($4) or later, and where the share of the room in which a
-- person is (of 256 by their subject) has as many as it can ($10).
insert into bespeak.turn_mail as m (room_id, queue, subject, joined_us, owner, email, locale, mail_id,
    asked_at, address)
select w.room_id, $2, $3, $4, $6, $7, $8, $9, bespeak.now(), $11
from bespeak.waiting_room w
where w.room_id = $1 and w.state <> 'ended'
    and not exists (select from bespeak.waiting_leaver l
        where l.room_id = $1 and l.queue = $2 and l.subject = $3 and l.joined_until >= $4)
    and (exists (select from bespeak.turn_mail k where k.room_id = $1 and k.queue = $2 and k.subject = $3)
        or (select count(*) from (select from bespeak.turn_mail k
            where k.room_id = $1 and get_byte(k.subject, 0) = get_byte($3, 0) limit $10) k) < $10)
for key share of w
on conflict (room_id, queue, subject) do update
    set joined_us = excluded.joined_us, place_key = null, owner = excluded.owner, email = excluded.email,
        address = excluded.address, locale = excluded.locale, mail_id = excluded.mail_id, state = 'wanted',
        asked_at = excluded.asked_at, near_at = null, due_at = null
    where m.state in ('wanted', 'withdrawn', 'failed') or m.place_key < $5
returning m.state

-- name: standing
-- Why nothing was asked for ($4, the time of joining): the state of the room, when the place was given up,
-- and the state of the mail of this turn.
select w.state as room, l.left_at, m.state
from bespeak.waiting_room w
left join bespeak.waiting_leaver l
    on l.room_id = w.room_id and l.queue = $2 and l.subject = $3 and l.joined_until >= $4
left join bespeak.turn_mail m on m.room_id = w.room_id and m.queue = $2 and m.subject = $3
where w.room_id = $1

-- name: withdraw
-- No mail any more, and its address goes. One that is on its way may leave still; of a turn of which one is,
-- or was sent, there is no other. Who gives the place up by a token ($4, when it was joined) keeps a later
-- one, and its mail.
update bespeak.turn_mail m set email = null, locale = null, due_at = null,
    state = case when m.state = 'wanted' then 'withdrawn' else 'dropped' end
where m.room_id = $1 and m.queue = $2 and m.subject = $3 and m.state in ('wanted', 'pending', 'sent')
    and ($4::bigint is null or m.joined_us <= $4)

-- name: unplaced
-- Some whose place key was not known yet when they asked.
select m.queue, m.subject, m.joined_us from bespeak.turn_mail m
where m.room_id = $1 and m.state = 'wanted' and m.place_key is null and m.queue = any($2::smallint[])
limit $3

-- name: place
-- Their place keys, unless they have asked for another place since.
update bespeak.turn_mail m set place_key = p.place_key
from unnest($2::smallint[], $3::bytea[], $4::bigint[], $5::bigint[])
    as p(queue, subject, joined_us, place_key)
where m.room_id = $1 and m.queue = p.queue and m.subject = p.subject and m.joined_us = p.joined_us
    and m.state = 'wanted' and m.place_key is null

-- name: near
-- The mails of those whose place key is less than that of `near` in their queue ($3) are to be sent, so many
-- ($5) at a time: once, for they are wanted no more. None to who gave the place up, has come in, or lost the
-- turn ($4), nor more than so many ($6) to one address in a room.
with near as materialized (
    select m.queue, m.subject, m.place_key, m.address,
        m.place_key >= q.lost_before
            and not exists (select from bespeak.waiting_leaver l where l.room_id = $1
                and l.queue = m.queue and l.subject = m.subject and l.joined_until >= m.joined_us)
            and not exists (select from bespeak.waiting_pass p where p.room_id = $1 and p.subject = m.subject
                and p.given_at >= timestamptz 'epoch' + m.joined_us * interval '1 microsecond') as is_wanted
    from unnest($2::smallint[], $3::bigint[], $4::bigint[]) as q(queue, near, lost_before)
    cross join lateral (
        select m.* from bespeak.turn_mail m
        where m.room_id = $1 and m.queue = q.queue and m.state = 'wanted' and m.place_key < q.near
        order by m.place_key limit $5
    ) m
), judged as (
    select n.queue, n.subject, n.place_key, n.is_wanted
        and row_number() over (partition by n.address, n.is_wanted order by n.place_key)
            + coalesce(t.mails, 0) <= $6 as goes
    from near n
    left join bespeak.turn_mail_tally t on t.room_id = $1 and t.address = n.address
), noted as (
    update bespeak.turn_mail m set state = case when j.goes then 'pending' else 'dropped' end,
        near_at = bespeak.now(), due_at = case when j.goes then bespeak.now() end,
        email = case when j.goes then m.email end, locale = case when j.goes then m.locale end
    from judged j
    where m.room_id = $1 and m.queue = j.queue and m.subject = j.subject and m.place_key = j.place_key
        and m.state = 'wanted'
    returning m.address, m.state
)
insert into bespeak.turn_mail_tally as t (room_id, address, mails)
select $1, n.address, count(*) from noted n where n.state = 'pending' group by n.address order by n.address
on conflict (room_id, address) do update set mails = t.mails + excluded.mails

-- name: forget
-- Of rooms that have ended, who asked for a mail, and how many an address was sent; some at a time.
with tallies as (
    delete from bespeak.turn_mail_tally t where t.ctid = any(array(
        select t.ctid from bespeak.turn_mail_tally t
        where exists (select from bespeak.waiting_room w where w.room_id = t.room_id and w.state = 'ended')
        limit 20000))
)
delete from bespeak.turn_mail m where m.ctid = any(array(
    select m.ctid from bespeak.turn_mail m
    where exists (select from bespeak.waiting_room w where w.room_id = m.room_id and w.state = 'ended')
    limit 20000))
