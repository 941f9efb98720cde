-- name: passes
-- The passes that an owner was given.
select p.room_id as waiting_room_id, p.given_at, p.expires_at, p.ended_at, p.ended_as
from bespeak.waiting_pass p where p.owner = $1 order by p.given_at limit 1000

-- name: erase
-- Passes of an owner are of a pseudonym from now on, and end.
update bespeak.waiting_pass p set owner = $2, ended_at = coalesce(p.ended_at, bespeak.now()),
    ended_as = coalesce(p.ended_as, 'left')
where p.owner = $1
