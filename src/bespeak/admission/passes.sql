-- name: give
-- A pass, if the turn of a place key ($4), by the opening of a time ($6), has been called and is not over.
-- A person has one: a new one only for a turn that was waited for since the one before has ended. The lock
-- keeps an opening from being taken back meanwhile. Who gave the place up, by a token that was joined for
-- then ($9) or later, has none. While nobody has looked after the room for longer than
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
    and not exists (select from bespeak.waiting_leaver l
        where l.room_id = w.room_id and l.queue = q.queue and l.subject = $2 and l.joined_until >= $9)
for key share of w
on conflict (room_id, subject) do update
    set owner = excluded.owner, queue = excluded.queue, place_key = excluded.place_key,
        given_at = excluded.given_at, expires_at = excluded.expires_at, ended_at = null, ended_as = null,
        earlier_until = case when greatest(p.earlier_until, p.expires_at) > excluded.given_at
            then greatest(p.earlier_until, p.expires_at) end
    where (p.ended_at is not null or p.expires_at <= excluded.given_at)
        and $7 > coalesce(p.ended_at, p.expires_at)
returning p.owner, p.place_key, p.given_at, p.expires_at, p.ended_at, p.ended_as,
    array(select t.resource_id from bespeak.waiting_room_resource t where t.room_id = p.room_id) as resources

-- name: given
-- The pass that a subject has or had, and what it is for: the same since it was given, or less, of a room
-- that has ended.
select p.owner, p.place_key, p.given_at, p.expires_at,
    case when p.ended_at is null and p.expires_at <= bespeak.now() then p.expires_at else p.ended_at end
        as ended_at,
    case when p.ended_at is null and p.expires_at <= bespeak.now() then 'lapsed' else p.ended_as end
        as ended_as,
    array(select t.resource_id from bespeak.waiting_room_resource t where t.room_id = p.room_id) as resources
from bespeak.waiting_pass p where p.room_id = $1 and p.subject = $2

-- name: leave
-- Whoever is inside leaves: somebody else comes in at once.
update bespeak.waiting_pass p set ended_at = bespeak.now(), ended_as = 'left'
where p.room_id = $1 and p.subject = $2 and ($3::text is null or p.owner = $3)
    and p.ended_at is null
    and p.expires_at > bespeak.now()
returning p.given_at, p.expires_at

-- name: leave_line
-- Whoever waits gives the place up, once for each time of joining ($4, and in microseconds $5), unless they
-- have come in with it. They are counted no more, where the count follows from when they joined ($6, the
-- tick): not of those who have a draw, of whose places only how many there are is known.
with leaver as (
    insert into bespeak.waiting_leaver as l (room_id, queue, subject, joined_until, left_at)
    select w.room_id, $3, $2, $5, bespeak.now()
    from bespeak.waiting_room w
    where w.room_id = $1 and w.state <> 'ended'
        and not exists (select from bespeak.waiting_pass p
            where p.room_id = w.room_id and p.subject = $2 and p.given_at >= $4)
    for key share of w
    on conflict (room_id, queue, subject) do update
        set joined_until = excluded.joined_until, left_at = excluded.left_at
        where l.joined_until < excluded.joined_until
    returning l.room_id
), uncounted as (
    insert into bespeak.waiting_join as j (room_id, queue, tick, joined, noted_at)
    select l.room_id, $3, $6, -1, bespeak.now()
    from leaver l join bespeak.waiting_room w on w.room_id = l.room_id
    where w.early_order = 'first_come' or w.opened_at is null or $4 >= w.opened_at
    on conflict (room_id, queue, tick) do update
        set joined = j.joined - 1, noted_at = excluded.noted_at
)
select l.room_id from leaver l

-- name: has_left
-- When whoever joined until then ($4) gave the place up.
select l.left_at from bespeak.waiting_leaver l
where l.room_id = $1 and l.queue = $2 and l.subject = $3 and l.joined_until >= $4
