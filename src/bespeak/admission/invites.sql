-- name: made
-- The batch that a key made, with what it said.
select b.batch, b.content from bespeak.waiting_invite_batch b where b.room_id = $1 and b.key = $2

-- name: make_batch
-- A batch with the next number, for a queue by its name, made by a key ($8). The room is locked, and has
-- fewer than $7.
insert into bespeak.waiting_invite_batch (room_id, batch, queue, name, codes, persons, until, made_at, key,
    content)
select q.room_id, before.last + 1, q.queue, $3, $4, $5, $6, bespeak.now(), $8, $9
from bespeak.waiting_queue q
cross join (
    select coalesce(max(b.batch), 0) as last from bespeak.waiting_invite_batch b where b.room_id = $1
) before
where q.room_id = $1 and q.name = $2 and before.last < $7
returning batch

-- name: batches
-- The batches of a room, or one of them, with how many have joined by their codes.
select b.batch, q.name as queue, b.name, b.codes, b.persons, b.until, b.made_at, b.revoked_at,
    coalesce((select sum(t.used) from bespeak.waiting_invite_tally t
        where t.room_id = b.room_id and t.batch = b.batch), 0)::integer as used
from bespeak.waiting_invite_batch b
join bespeak.waiting_queue q on q.room_id = b.room_id and q.queue = b.queue
where b.room_id = $1 and ($2::smallint is null or b.batch = $2)
order by b.batch

-- name: revoke_batch
-- No code of a batch lets anybody else in from now on. Who has joined stays.
update bespeak.waiting_invite_batch b set revoked_at = bespeak.now()
where b.room_id = $1 and b.batch = $2 and b.revoked_at is null
returning b.batch

-- name: revoke_code
-- One code lets nobody else in from now on.
insert into bespeak.waiting_invite as i (room_id, batch, serial, revoked_at)
select b.room_id, b.batch, $3, bespeak.now()
from bespeak.waiting_invite_batch b
where b.room_id = $1 and b.batch = $2 and $3 between 1 and b.codes
on conflict (room_id, batch, serial) do update set revoked_at = excluded.revoked_at
    where i.revoked_at is null
returning i.serial

-- name: use
-- Somebody ($4) joins with a code. The use is written first: of two calls by the same person the second
-- waits here, and finds the first. Then the row of the code is counted up, which is judged as it stands when
-- its lock is had; then one part of the count of its batch. The lock of the batch keeps it from being revoked
-- meanwhile. A use without a counted code is undone by the caller.
with batch as materialized (
    select b.queue, b.persons from bespeak.waiting_invite_batch b
    where b.room_id = $1 and b.batch = $2 and $3 between 1 and b.codes and b.revoked_at is null
        and (b.until is null or b.until > bespeak.now())
    for share
), noted as (
    insert into bespeak.waiting_invite_use (room_id, batch, serial, subject, joined_us)
    select $1, $2, $3, $4, $5 from batch
    on conflict do nothing
    returning serial
), counted as (
    insert into bespeak.waiting_invite as i (room_id, batch, serial, used)
    select $1, $2, noted.serial, 1 from noted
    on conflict (room_id, batch, serial) do update set used = i.used + 1
        where i.revoked_at is null and i.used < (select batch.persons from batch)
    returning i.serial
), tallied as (
    insert into bespeak.waiting_invite_tally as t (room_id, batch, part, used)
    select $1, $2, counted.serial & 15, 1 from counted
    on conflict (room_id, batch, part) do update set used = t.used + 1
)
select batch.queue from batch cross join counted

-- name: used_by
-- When somebody joined with a code, and which queue; and whether they gave that place up.
select b.queue, u.joined_us, exists (select from bespeak.waiting_leaver l where l.room_id = u.room_id
    and l.queue = b.queue and l.subject = u.subject and l.joined_until >= u.joined_us) as has_left
from bespeak.waiting_invite_use u
join bespeak.waiting_invite_batch b on b.room_id = u.room_id and b.batch = u.batch
where u.room_id = $1 and u.batch = $2 and u.serial = $3 and u.subject = $4

-- name: code
-- A code as it stands, with what its batch says of it.
select q.name as queue, b.name, b.persons, b.until, coalesce(i.used, 0) as used,
    coalesce(b.revoked_at, i.revoked_at) as revoked_at,
    coalesce(b.until <= bespeak.now(), false) as is_over
from bespeak.waiting_invite_batch b
join bespeak.waiting_queue q on q.room_id = b.room_id and q.queue = b.queue
left join bespeak.waiting_invite i on i.room_id = b.room_id and i.batch = b.batch and i.serial = $3
where b.room_id = $1 and b.batch = $2 and $3 between 1 and b.codes

-- name: codes
-- Those codes of a batch that were used or revoked, of some that follow one another.
select i.serial, i.used, i.revoked_at from bespeak.waiting_invite i
where i.room_id = $1 and i.batch = $2 and i.serial between $3 and $4 order by i.serial
