-- name: passes
-- The passes that an owner was given.
select p.room_id as waiting_room_id, p.given_at, p.expires_at, p.ended_at, p.ended_as
from bespeak.waiting_pass p where p.owner = $1 order by p.given_at limit 1000

-- name: erase
-- Passes of an owner are of a pseudonym from now on, and end.
update bespeak.waiting_pass p set owner = $2, ended_at = coalesce(p.ended_at, bespeak.now()),
    ended_as = coalesce(p.ended_as, 'left')
where p.owner = $1

-- name: mails
-- The mails of turns that an owner asked for.
select m.room_id as waiting_room_id, m.email, m.locale, m.state, m.asked_at, m.near_at
from bespeak.turn_mail m where m.owner = $1 order by m.asked_at limit 1000

-- name: erase_mails
-- Mails of an owner's turns are of a pseudonym from now on, and are not sent; the address goes.
update bespeak.turn_mail m set owner = $2, email = null, locale = null, due_at = null,
    state = case when m.state in ('withdrawn', 'failed') then m.state else 'dropped' end
where m.owner = $1
