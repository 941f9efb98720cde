-- name: due
-- The rooms at work that nobody has looked after for so many seconds.
select w.room_id from bespeak.waiting_room w
where w.state <> 'ended' and w.steered_at <= bespeak.now() - make_interval(secs => $1)
order by w.steered_at, w.room_id

-- name: take
-- Looks after a room of a version, unless somebody else does or just has, or it was changed since it was
-- read: how many seconds ago that was done last.
select extract(epoch from bespeak.now() - greatest(w.steered_at, bespeak.now() - interval '1 day'))
    ::float8 as seconds
from bespeak.waiting_room w
where w.room_id = $1 and w.steered_at <= bespeak.now() - make_interval(secs => $2)
    and w.version = $3
for no key update skip locked

-- name: end_passes
-- Passes whose time is over, and of those who have bought what they came for; how many of each.
with bought as (
    update bespeak.waiting_pass p set ended_at = bespeak.now(), ended_as = 'bought'
    where p.room_id = $1 and p.ended_at is null and exists (
        select from bespeak.booking b where b.owner = p.owner and b.confirmed_at >= p.given_at
            and b.resource_id = any($2::bigint[]))
    returning p.subject
), lapsed as (
    update bespeak.waiting_pass p set ended_at = p.expires_at, ended_as = 'lapsed'
    where p.room_id = $1 and p.ended_at is null and p.expires_at <= bespeak.now()
        and not exists (select from bought b where b.subject = p.subject)
    returning p.subject
)
select (select count(*) from bought) as bought, (select count(*) from lapsed) as lapsed

-- name: inside
-- Who is inside, how many of them hold nothing yet, and what came of those who were let in since a time.
with holds as materialized (
    select distinct h.owner from bespeak.hold h
    where h.state = 'held' and h.expires_at > bespeak.now() and h.resource_id = any($2::bigint[])
), passes as materialized (
    select p.* from bespeak.waiting_pass p
    where p.room_id = $1 and (p.ended_at is null or p.given_at >= $3)
)
select count(*) filter (where p.ended_at is null) as with_pass,
    count(*) filter (where p.ended_at is null and h.owner is null) as without_hold,
    count(*) filter (where p.ended_at is not null) as ended,
    count(*) filter (where p.ended_as = 'bought') as ended_bought
from passes p
left join holds h on h.owner = p.owner

-- name: claimed
-- How many were let in of those that stand in each queue from a key on.
select q.queue, (select count(*) from bespeak.waiting_pass p
    where p.room_id = $1 and p.queue = q.queue and p.place_key >= q.since) as passes
from unnest($2::smallint[], $3::bigint[]) as q(queue, since)
order by q.queue

-- name: holds_lately
-- What became of the holds of some resources since a time: how many ended, how many were bought, of how
-- many units they were; and the units that are held, in all and until soon. With it, how payments for them
-- go: how many wait for their provider, of them for too long ($4), and so long that it is no news ($5, not
-- more than $6 seconds); and, where any wait for too long, how many it answered in the last minute and just
-- now ($7).
with unanswered as materialized (
    select count(*) filter (where p.since > bespeak.now() - make_interval(secs => $5)) as waiting,
        count(*) filter (where p.since > bespeak.now() - make_interval(secs => $5)
            and p.since < bespeak.now() - make_interval(secs => $4)) as slow,
        count(*) filter (where p.since <= bespeak.now() - make_interval(secs => $5)) as stuck
    from (
        select coalesce(p.authorized_at, p.created_at) as since from bespeak.payment p
        where p.resource_id = any($1::bigint[]) and p.step in ('authorize', 'await', 'capture')
            and (p.step <> 'await' or p.action_url is null)
    ) p
    where p.since > bespeak.now() - make_interval(secs => $6)
), answered as materialized (
    select count(*) as answered,
        count(*) filter (where p.at > bespeak.now() - make_interval(secs => $7)) as just_answered
    from (
        select coalesce(p.captured_at, p.ended_at, p.authorized_at) as at from bespeak.payment p
        where (select u.slow + u.stuck > 0 from unanswered u) and p.resource_id = any($1::bigint[])
            and p.created_at > bespeak.now() - make_interval(secs => $6)
            and p.step is distinct from 'check'
    ) p
    where p.at > bespeak.now() - interval '1 minute'
)
select count(*) filter (where h.state <> 'held') as ended,
    count(*) filter (where h.state = 'confirmed') as bought,
    coalesce(sum(l.units) filter (where h.state <> 'held'), 0)::bigint as ended_units,
    coalesce(sum(l.units) filter (where h.state = 'held'), 0)::bigint as held,
    coalesce(sum(l.units) filter (where h.state = 'held'
        and h.expires_at <= bespeak.now() + make_interval(secs => $3)), 0)::bigint as held_until_soon,
    (select array[u.waiting, u.slow, u.stuck] from unanswered u) as unanswered,
    (select array[a.answered, a.just_answered] from answered a) as answered
from (
    select h.* from bespeak.hold h
    where h.state = 'held' and h.expires_at > bespeak.now() and h.resource_id = any($1::bigint[])
    union all
    select h.* from unnest($1::bigint[]) as r(resource_id)
    cross join lateral (
        select h.* from bespeak.hold h
        where h.resource_id = r.resource_id and h.state <> 'held' and h.hold_id >= $2
        order by h.hold_id desc limit 2000
    ) h
) h
cross join lateral (
    select sum(coalesce(q, 1)) as units from unnest(trim_array(h.quantities, h.limit_lines)) as q
) l

-- name: taken
-- How many units of each of some resources are taken: sold, held or blocked.
select k.resource_id,
    (select count(*) from bespeak.claim c
        where c.resource_id = k.resource_id and c.expires_at > bespeak.now())
    + coalesce((select sum(d.quantity) from bespeak.draw d
        where d.resource_id = k.resource_id and d.expires_at > bespeak.now()
            and d.unit not like 'owner:%'), 0) as units
from unnest($1::bigint[]) as k(resource_id)

-- name: call
-- Moves the front of a queue, and notes when: forwards only.
with moved as (
    update bespeak.waiting_queue q set front = $3
    where q.room_id = $1 and q.queue = $2 and q.front < $3 returning q.front
), kept as (
    insert into bespeak.waiting_front (room_id, queue, front, moved_at)
    select $1, $2, moved.front, bespeak.now() from moved
)
insert into bespeak.waiting_call (room_id, queue, called_at, front)
select $1, $2, bespeak.now(), moved.front from moved

-- name: hold_calls
-- While nobody can come in, the time of those who were called stands still.
update bespeak.waiting_call c set called_at = c.called_at + make_interval(secs => $2) where c.room_id = $1

-- name: forget_calls
-- Calls so old that they say no more than a later one does.
delete from bespeak.waiting_call c
where c.room_id = $1 and c.called_at < bespeak.now() - make_interval(secs => 2 * $2 + 120)
    and exists (select from bespeak.waiting_call l
        where l.room_id = c.room_id and l.queue = c.queue and l.front > c.front
            and l.called_at <= bespeak.now() - make_interval(secs => $2 + 120))

-- name: forget_ended
-- Of rooms that ended a month ago, who was let in and what is kept for an audit; of those that ended a day
-- ago, how many joined, who was called and who left. Some at a time. A batch of codes goes after what was
-- kept of them.
with old as (
    select w.room_id, w.updated_at from bespeak.waiting_room w
    where w.state = 'ended' and w.updated_at < bespeak.now() - interval '1 day'
), passes as (
    delete from bespeak.waiting_pass p where p.ctid = any(array(
        select p.ctid from bespeak.waiting_pass p join old on old.room_id = p.room_id
        where old.updated_at < bespeak.now() - interval '30 days' limit 5000))
), bare as (  -- fronts go after the passes, or an audit would find these to be before their turn
    select old.room_id from old
    where old.updated_at < bespeak.now() - interval '30 days'
        and not exists (select from bespeak.waiting_pass p where p.room_id = old.room_id)
), fronts as (
    delete from bespeak.waiting_front f where f.ctid = any(array(
        select f.ctid from bespeak.waiting_front f join bare on bare.room_id = f.room_id limit 5000))
), changes as (
    delete from bespeak.waiting_room_change c where c.ctid = any(array(
        select c.ctid from bespeak.waiting_room_change c join bare on bare.room_id = c.room_id limit 5000))
), uses as (
    delete from bespeak.waiting_invite_use u where u.ctid = any(array(
        select u.ctid from bespeak.waiting_invite_use u join bare on bare.room_id = u.room_id limit 5000))
), invites as (
    delete from bespeak.waiting_invite i where i.ctid = any(array(
        select i.ctid from bespeak.waiting_invite i join bare on bare.room_id = i.room_id
        where not exists (select from bespeak.waiting_invite_use u where u.room_id = i.room_id)
        limit 5000))
), tallies as (
    delete from bespeak.waiting_invite_tally t using bare where t.room_id = bare.room_id
), batches as (
    delete from bespeak.waiting_invite_batch b using bare
    where b.room_id = bare.room_id
        and not exists (select from bespeak.waiting_invite i where i.room_id = b.room_id)
), calls as (
    delete from bespeak.waiting_call c using old where c.room_id = old.room_id
), leavers as (
    delete from bespeak.waiting_leaver l where l.ctid = any(array(
        select l.ctid from bespeak.waiting_leaver l join old on old.room_id = l.room_id limit 5000))
)
delete from bespeak.waiting_join j where j.ctid = any(array(
    select j.ctid from bespeak.waiting_join j join old on old.room_id = j.room_id limit 5000))

-- name: steered
-- Notes that a room was looked after, what is wrong ($9), how payments go ($12) and, where that was looked at
-- ($10), what is left by category ($11); and tells the feed once what came of it: that nothing is left, until
-- something comes back; and that nobody has waited ($6) for so many seconds ($7), once for each opening.
with before as materialized (
    select w.room_id, w.sold_out_told, w.drained_at from bespeak.waiting_room w where w.room_id = $1
), steered as (
    update bespeak.waiting_room w set steered_at = bespeak.now(), sold_out = $2, credit = $3,
        units_left = $4, units_a_place = $5, alarms = $9::text::jsonb, payments = $12,
        categories = case when $10 then $11::text::jsonb else w.categories end,
        sold_out_told = $2 and (w.sold_out_told or w.state = 'open'),
        empty_since = case when $6 and w.state = 'open' then coalesce(w.empty_since, bespeak.now()) end,
        drained_at = coalesce(w.drained_at, case when $6 and w.state = 'open'
            and w.empty_since <= bespeak.now() - make_interval(secs => $7) then bespeak.now() end)
    where w.room_id = $1
    returning w.room_id, w.sold_out_told, w.drained_at
)
select bespeak.tell_waiting_room(news.kind, s.room_id, news.reason, $8)
from steered s
join before b on b.room_id = s.room_id
cross join lateral (values
    ('waiting_room_sold_out', null, s.sold_out_told and not b.sold_out_told),
    ('waiting_room_drained', 'empty', s.drained_at is not null and b.drained_at is null)
) as news(kind, reason, is_new)
where news.is_new
