-- name: insert
-- A new resource; zero rows mean that its number is taken and another must be drawn. JSON comes as
-- text, so that no codec of the caller's connection writes it once more.
insert into bespeak.resource (resource_id, name, kind, plan, state, time_zone, opens_at, closes_at,
    hold_seconds, hold_seconds_max, owner_limit, payment, price_amount, currency, attributes,
    starts_at, ends_at, payment_seconds, late_payment, pricing, published, translations, questions,
    workspace)
values ($1, $2, $3, $4::text::jsonb, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::jsonb, $16,
    $17, $18, $19, $20::text::jsonb, $21, $22::text::jsonb, $23::text::jsonb, $24)
on conflict (resource_id) do nothing
returning *

-- name: get
-- One resource by its number.
select * from bespeak.resource where resource_id = $1

-- name: get_many
-- The resources that a hold names.
select * from bespeak.resource where resource_id = any($1::bigint[])

-- name: list
-- A page of resources in the order of their numbers; for guests ($4) those that are published; of a
-- workspace or of all.
select * from bespeak.resource
where resource_id > $1 and ($2::text is null or kind = $2) and (published or not $4)
    and ($5::text is null or workspace = $5)
order by resource_id limit $3

-- name: update
-- Changes a resource, only if it is still the version that the caller saw; zero rows mean no.
update bespeak.resource
set name = $3, kind = $4, plan = $5::text::jsonb, state = $6, time_zone = $7, opens_at = $8,
    closes_at = $9,
    hold_seconds = $10, hold_seconds_max = $11, owner_limit = $12, payment = $13,
    price_amount = $14, currency = $15, attributes = $16::text::jsonb, starts_at = $17, ends_at = $18,
    payment_seconds = $19, late_payment = $20, pricing = $21::text::jsonb, published = $22,
    translations = $23::text::jsonb, questions = $24::text::jsonb,
    version = version + 1, updated_at = bespeak.now()
where resource_id = $1 and version = $2
returning *

-- name: lock_plan
-- Waits, at most so many milliseconds, until nothing is being judged by the resource's plan.
select bespeak.lock_plan($1, $2)

-- name: change_plan
-- The same, and ends the change of it; the units in use, which the new plan must keep.
select bespeak.change_plan($1, $2, $3) as unit

-- name: lock
-- The resource, locked against other changes of it.
select from bespeak.resource where resource_id = $1 for no key update

-- name: is_called_off
-- Whether a resource was called off and not reopened.
select exists (select from bespeak.cancellation where resource_id = $1 and state <> 'reopened')

-- name: tell
-- The event of a created or changed resource.
insert into bespeak.event (resource_id, horizon, kind, at, actor)
values ($1, bespeak.horizon(), $2, bespeak.now(), $3)

-- name: tell_changed
-- The events of resources of which something changed that is kept beside them.
insert into bespeak.event (resource_id, horizon, kind, at, actor)
select n.number, bespeak.horizon(), 'changed', bespeak.now(), $2
from unnest($1::bigint[]) with ordinality as n(number, place) order by n.place

-- name: recall_created
-- The resource that a key created before in a workspace, if it did.
select a.fingerprint, r.* from bespeak.answer a
left join bespeak.resource r on r.resource_id = bespeak.home_of(a.subject)
where a.resource_id = 0 and a.owner = $2 and a.verb = 'create' and a.idempotency_key = $1

-- name: remember_created
-- Keeps the key with the resource that it created; a twin waits here and then sees it.
insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint, subject,
    answered_at)
values (0, $4, 'create', $1, $2, $3, bespeak.now())
on conflict do nothing
returning 1
