-- name: give
-- A pass, if the turn of a place key ($4), by the opening of a time ($6), has been called and is not over.
-- A person has one: a new one only for a turn that was waited for since the one before has ended. The lock
-- keeps an opening from being taken back meanwhile. While nobody has looked after the room for longer than
-- so many seconds ($8), the time of those who were called stands still.
insert into bespeak.waiting_pass as p (room_id, subject, owner, queue, place_key, given_at, expires_at)
select w.room_id, $2, $5, q.queue, $4, bespeak.now(),
    bespeak.now() + make_interval(secs => w.pass_seconds)
from bespeak.waiting_room w
join bespeak.waiting_queue q on q.room_id = w.room_id and q.queue = $3
where w.room_id = $1 and w.state = 'open' and not w.sold_out and w.opened_at = $6 and $4 < q.front
    and $4 >= coalesce((select max(c.front) from bespeak.waiting_call c
        where c.room_id = w.room_id and c.queue = q.queue
            and c.called_at <= case when w.steered_at < bespeak.now() - make_interval(secs => $8)
                then w.steered_at else bespeak.now() end - make_interval(secs => w.grace_seconds)), 0)
for key share of w
on conflict (room_id, subject) do update
    set owner = excluded.owner, queue = excluded.queue, place_key = excluded.place_key,
        given_at = excluded.given_at, expires_at = excluded.expires_at, ended_at = null, ended_as = null
    where (p.ended_at is not null or p.expires_at <= excluded.given_at)
        and $7 > coalesce(p.ended_at, p.expires_at)
returning p.owner, p.place_key, p.given_at, p.expires_at, p.ended_at, p.ended_as

-- name: given
-- The pass that a subject has or had.
select p.owner, p.place_key, p.given_at, p.expires_at,
    case when p.ended_at is null and p.expires_at <= bespeak.now() then p.expires_at else p.ended_at end
        as ended_at,
    case when p.ended_at is null and p.expires_at <= bespeak.now() then 'lapsed' else p.ended_as end
        as ended_as
from bespeak.waiting_pass p where p.room_id = $1 and p.subject = $2

-- name: leave
-- Whoever is inside leaves: somebody else comes in at once.
update bespeak.waiting_pass p set ended_at = bespeak.now(), ended_as = 'left'
where p.room_id = $1 and p.subject = $2 and ($3::text is null or p.owner = $3)
    and p.ended_at is null
    and p.expires_at > bespeak.now()
returning p.ended_at
