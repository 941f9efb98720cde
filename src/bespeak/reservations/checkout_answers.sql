-- name: is_asking
-- Whether anything is asked at checkout in a workspace.
select exists (select from bespeak.resource r where r.workspace = $1 and r.questions <> '[]')

-- name: held
-- A live hold, of one owner or of any, with the questions of its resources and what was answered so far. No
-- row where it is over, or somebody else's: what is asked next says so.
select h as hold, a.answers, (
        select jsonb_object_agg(r.resource_id, r.questions) from bespeak.resource r
        where r.resource_id = any(h.resources) and r.questions <> '[]'
    ) as asking
from bespeak.hold h
left join bespeak.checkout_answers a on a.hold_id = h.hold_id
where h.resource_id = $1 and h.hold_id = $2 and ($3::text is null or h.owner = $3) and h.state = 'held'

-- name: keep_held
-- Keeps the answers of a live hold, in place of those before. The row of the hold is locked meanwhile, so
-- that who confirms at the same moment comes before or after, and nothing is answered behind a booking.
with live as (
    select h.hold_id, h.resource_id from bespeak.hold h
    where h.resource_id = $1 and h.hold_id = $2 and h.state = 'held' for share
)
insert into bespeak.checkout_answers (hold_id, resource_id, answers, answered_at)
select l.hold_id, l.resource_id, $3::text::jsonb, bespeak.now() from live l
on conflict (hold_id) do update set answers = excluded.answers, answered_at = excluded.answered_at
where checkout_answers.answers <> excluded.answers

-- name: asking
-- The questions of those among these resources of which something is asked.
select jsonb_object_agg(r.resource_id, r.questions) from bespeak.resource r
where r.resource_id = any($1::bigint[]) and r.questions <> '[]'

-- name: keep_booked
-- Keeps the answers of a booking that stands, in place of those before. No row where it was cancelled or
-- erased meanwhile, or where they are of another version than was seen ($5).
with standing as (
    select b.booking_id, b.resource_id from bespeak.booking b
    where b.resource_id = $1 and b.booking_id = $2 and b.state = 'confirmed' and b.owner = $4 for share
)
insert into bespeak.checkout_answers as t (hold_id, resource_id, answers, answered_at)
select s.booking_id, s.resource_id, $3::text::jsonb, bespeak.now() from standing s
where bespeak.is_seen($5, (select to_jsonb(o) - 'answered_at' from bespeak.checkout_answers o
    where o.hold_id = $2 for update))
on conflict (hold_id) do update set answers = excluded.answers, answered_at = excluded.answered_at
where bespeak.is_seen($5, to_jsonb(t) - 'answered_at')
returning answered_at, bespeak.version_of(to_jsonb(t) - 'answered_at') as version

-- name: of_holds
-- What was answered of holds.
select a.hold_id, a.answers, a.answered_at, bespeak.version_of(to_jsonb(a) - 'answered_at') as version
from bespeak.checkout_answers a
where a.hold_id = any($1::uuid[])
