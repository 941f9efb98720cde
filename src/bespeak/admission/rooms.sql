-- name: make
-- A waiting room with its queues and what is behind it. Nothing where a resource of it is of another
-- workspace, or not there.
with room as (
    insert into bespeak.waiting_room (room_id, workspace, name, early_order, early_opens_at, opens_at, pace,
        a_minute, inside_max, pass_seconds, grace_seconds, units_max, message, seed, public_value,
        challenge, created_at, updated_at)
    select $1, $2, $3, $4, least(coalesce($5, bespeak.now()), $6), $6, $7, $8, $9, $10, $11, $12, $13, $14,
        $15, $20, bespeak.now(), bespeak.now()
    where (select count(*) from bespeak.resource r
        where r.resource_id = any($16::bigint[]) and r.workspace = $2) = cardinality($16::bigint[])
    returning room_id
), queues as (
    insert into bespeak.waiting_queue (room_id, queue, name, share, invited)
    select room.room_id, q.number - 1, q.name, q.share, q.invited
    from room, unnest($17::text[], $18::smallint[], $19::boolean[])
        with ordinality as q(name, share, invited, number)
), things as (
    insert into bespeak.waiting_room_resource (resource_id, room_id)
    select r.resource_id, room.room_id from room, unnest($16::bigint[]) as r(resource_id)
    order by r.resource_id
)
select room_id from room

-- name: found
-- Which of these are resources of a workspace.
select r.resource_id from bespeak.resource r where r.resource_id = any($1::bigint[]) and r.workspace = $2

-- name: leave_ended
-- What is behind rooms that have ended can be behind another.
delete from bespeak.waiting_room_resource r using bespeak.waiting_room w
where r.resource_id = any($1::bigint[]) and w.room_id = r.room_id and w.state = 'ended'

-- name: behind_others
-- Which of these are behind a waiting room other than this one.
select r.resource_id from bespeak.waiting_room_resource r
where r.resource_id = any($1::bigint[]) and r.room_id <> $2
order by r.resource_id

-- name: read
-- Waiting rooms of a workspace or of all: one, or a page of them, the newest first; with what happened in
-- them until now.
select w.*, bespeak.now() as answered_at, bespeak.openings_taken_back(w.room_id) as taken_back,
    w.joining_began or w.early_opens_at <= bespeak.now() as public_value_stands,
    array(select t.resource_id from bespeak.waiting_room_resource t where t.room_id = w.room_id
        order by t.resource_id) as resources,
    (select jsonb_agg(jsonb_build_object('name', q.name, 'share', q.share, 'invited', q.invited)
        order by q.queue) from bespeak.waiting_queue q where q.room_id = w.room_id) as queues,
    coalesce((select sum(greatest(j.joined, 0)) from bespeak.waiting_join j
        where j.room_id = w.room_id), 0)::bigint as joined,
    p.let_in, p.inside, p.bought
from bespeak.waiting_room w
cross join lateral (
    select count(*) as let_in,
        count(*) filter (where p.ended_at is null and p.expires_at > bespeak.now()) as inside,
        count(*) filter (where p.ended_as = 'bought') as bought
    from bespeak.waiting_pass p where p.room_id = w.room_id
) p
where ($1::text is null or w.workspace = $1) and ($2::text is null or w.room_id = $2)
    and ($3::timestamptz is null or (w.created_at, w.room_id) < ($3, $4::text))
order by w.created_at desc, w.room_id desc limit $5

-- name: is_known
-- Whether there is such a room, in a workspace or in any.
select w.room_id from bespeak.waiting_room w where w.room_id = $1 and ($2::text is null or w.workspace = $2)

-- name: change
-- Changes a room of a version: its settings, its times as long as it has not opened, and its public value and
-- the order of the early as long as nobody could join, whenever that was said to begin. Of a line that
-- is drained from now on it is told anew that nobody waits any more.
update bespeak.waiting_room w set
    name = coalesce($3::text, w.name), opens_at = coalesce($4::timestamptz, w.opens_at),
    early_opens_at = least(coalesce($5::timestamptz, w.early_opens_at), coalesce($4, w.opens_at)),
    early_order = coalesce($6::text, w.early_order), pace = coalesce($7::text, w.pace),
    a_minute = coalesce($8::integer, w.a_minute), inside_max = coalesce($9::integer, w.inside_max),
    pass_seconds = coalesce($10::integer, w.pass_seconds),
    grace_seconds = coalesce($11::integer, w.grace_seconds),
    units_max = case when $12::boolean then $13::integer else w.units_max end,
    message = case when $14::boolean then $15::text else w.message end,
    public_value = coalesce($16::text, w.public_value), draining = coalesce($17::boolean, w.draining),
    challenge = coalesce($18::text, w.challenge),
    empty_since = case when $17 and not w.draining then null else w.empty_since end,
    drained_at = case when $17 and not w.draining and w.state <> 'ended' then null else w.drained_at end,
    joining_began = w.joining_began or w.early_opens_at <= bespeak.now(),
    version = w.version + 1, updated_at = bespeak.now()
where w.room_id = $1 and w.version = $2
    and (w.state = 'scheduled' or ($4::timestamptz is null and $5::timestamptz is null and $6::text is null
        and $16::text is null))
    and (coalesce($16, w.public_value) is not distinct from w.public_value
        and coalesce($6, w.early_order) = w.early_order
        or not w.joining_began and w.early_opens_at > bespeak.now())
returning w.version

-- name: change_resources
-- Puts a room in front of these resources and no others, as long as it has not opened and nobody was let in.
-- Nothing where one of them is of another workspace, or not there. What was left of the others is forgotten.
with room as (
    update bespeak.waiting_room w set units_left = null, units_a_place = null, categories = null,
        version = w.version + 1, updated_at = bespeak.now()
    where w.room_id = $1 and w.state = 'scheduled'
        and not exists (select from bespeak.waiting_pass p where p.room_id = w.room_id)
        and (select count(*) from bespeak.resource r
            where r.resource_id = any($2::bigint[]) and r.workspace = w.workspace)
            = cardinality($2::bigint[])
    returning w.room_id
), gone as (
    delete from bespeak.waiting_room_resource t using room
    where t.room_id = room.room_id and t.resource_id <> all($2::bigint[])
), added as (
    insert into bespeak.waiting_room_resource (resource_id, room_id)
    select r.resource_id, room.room_id from room, unnest($2::bigint[]) as r(resource_id)
    where not exists (select from bespeak.waiting_room_resource t
        where t.room_id = room.room_id and t.resource_id = r.resource_id)
    order by r.resource_id
)
select room.room_id from room

-- name: open
-- The sale begins, by an operator or because it is time ($2). From here on the seed may be told: mixed
-- with a value that was not known before, unless one was named.
with opened as (
    update bespeak.waiting_room w set state = 'open', opened_at = bespeak.now(),
        early_opens_at = least(w.early_opens_at, bespeak.now()),
        opens_at = least(w.opens_at, bespeak.now()),
        public_value = coalesce(w.public_value,
            'event ' || bespeak.feed_end() || ' before ' || to_char(clock_timestamp() at time zone 'UTC',
                'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
        version = w.version + 1, updated_at = bespeak.now()
    where w.room_id = $1 and w.state = 'scheduled' and (not $2 or w.opens_at <= bespeak.now())
    returning w.room_id, w.version
), kept as (
    insert into bespeak.waiting_room_change (room_id, at, actor, changed)
    select o.room_id, bespeak.now(), $3, '{"state": "open"}' from opened o where $2
)
select o.version, bespeak.tell_waiting_room('waiting_room_opened', o.room_id, null, $3) from opened o

-- name: resume
-- Goes on with a room that was paused.
update bespeak.waiting_room w set state = 'open', version = w.version + 1, updated_at = bespeak.now()
where w.room_id = $1 and w.state = 'paused' returning w.version

-- name: pause
-- Nobody is let in for now; who is inside goes on.
update bespeak.waiting_room w set state = 'paused', version = w.version + 1, updated_at = bespeak.now()
where w.room_id = $1 and w.state = 'open' returning w.version

-- name: finish
-- The room has ended: what is behind it is sold to everybody, and nobody waits any more. The feed is told
-- that now, unless it was before.
with before as materialized (
    select w.room_id, w.drained_at from bespeak.waiting_room w
    where w.room_id = $1 and w.state <> 'ended' for no key update
), ended as (
    update bespeak.waiting_room w set state = 'ended', drained_at = coalesce(w.drained_at, bespeak.now()),
        alarms = '[]', payments = 'well', version = w.version + 1, updated_at = bespeak.now()
    from before where w.room_id = before.room_id
    returning w.version, before.room_id, before.drained_at
)
select e.version, case when e.drained_at is null
    then bespeak.tell_waiting_room('waiting_room_drained', e.room_id, 'ended', $2) end
from ended e

-- name: take_back
-- Takes an opening back, as long as nobody was let in. The seed was told, so there is a new one, and the draw
-- of before is kept for all to see; those who came meanwhile are early as the others.
with before as materialized (
    select w.room_id, w.opened_at, w.seed, w.public_value from bespeak.waiting_room w where w.room_id = $1
), back as (
    update bespeak.waiting_room w set state = 'scheduled', opened_at = null, public_value = null, seed = $2,
        early_opens_at = least(w.early_opens_at, $3), opens_at = $3, joining_began = true, sold_out = false,
        sold_out_told = false, empty_since = null, drained_at = null,
        version = w.version + 1, updated_at = bespeak.now()
    where w.room_id = $1 and w.state in ('open', 'paused')
        and not exists (select from bespeak.waiting_pass p where p.room_id = w.room_id)
    returning w.room_id, w.version
), kept as (
    insert into bespeak.waiting_opening (room_id, opened_at, taken_back_at, seed, public_value)
    select b.room_id, b.opened_at, bespeak.now(), b.seed, b.public_value from before b
    join back on back.room_id = b.room_id
)
select back.version from back

-- name: call_back
-- Nobody has been called any more, and all places are others: whoever was written to is once more, of the
-- turn that they will have; whose address is kept no more may ask again.
with calls as (delete from bespeak.waiting_call c where c.room_id = $1),
fronts as (delete from bespeak.waiting_front f where f.room_id = $1),
mails as (
    update bespeak.turn_mail m set state = case when m.email is null then 'withdrawn' else 'wanted' end,
        place_key = null, near_at = null, due_at = null,
        mail_id = case when m.state = 'wanted' then m.mail_id else gen_random_uuid() end
    where m.room_id = $1
)
update bespeak.waiting_queue q set front = 0 where q.room_id = $1

-- name: lock
-- Keeps a room as it is until the end of the transaction.
select w.state, w.version, w.workspace from bespeak.waiting_room w where w.room_id = $1 for update

-- name: keep_change
-- Keeps what was said of a room, and who did.
insert into bespeak.waiting_room_change (room_id, at, actor, changed)
values ($1, bespeak.now(), $2, $3::text::jsonb)
