-- name: place_holds
-- The hot call of the engine: a batch of holds in one round trip.
select ordinal, outcome, answered_at, hold, details
from bespeak.place_holds($1, $2::bespeak.hold_request[], $3::bigint[], $4::integer[])

-- name: place_holds_as_json
-- The same on a connection of the caller's: JSON text goes in and out, which no codec changes.
select to_jsonb(a)::text from bespeak.place_holds($1::bigint, array(
    select r from jsonb_populate_recordset(null::bespeak.hold_request, $2::text::jsonb) r),
    $3::bigint[], $4::integer[]) a

-- name: confirm_holds
-- A batch of holds becomes bookings.
select ordinal, outcome, answered_at, hold, booking, details
from bespeak.confirm_holds($1, $2::bespeak.change_request[])

-- name: confirm_holds_as_json
-- The same on a connection of the caller's.
select to_jsonb(a)::text from bespeak.confirm_holds($1::bigint, array(
    select r from jsonb_populate_recordset(null::bespeak.change_request, $2::text::jsonb) r)) a

-- name: release_holds
-- A batch of holds is let go.
select ordinal, outcome, answered_at, hold, details
from bespeak.release_holds($1, $2::bespeak.change_request[])

-- name: release_holds_as_json
-- The same on a connection of the caller's.
select to_jsonb(a)::text from bespeak.release_holds($1::bigint, array(
    select r from jsonb_populate_recordset(null::bespeak.change_request, $2::text::jsonb) r)) a

-- name: extend_holds
-- A batch of holds gets more time.
select ordinal, outcome, answered_at, hold, details
from bespeak.extend_holds($1, $2::bespeak.change_request[])

-- name: extend_holds_as_json
-- The same on a connection of the caller's.
select to_jsonb(a)::text from bespeak.extend_holds($1::bigint, array(
    select r from jsonb_populate_recordset(null::bespeak.change_request, $2::text::jsonb) r)) a

-- name: cancel_bookings
-- A batch of bookings is cancelled, wholly or in part.
select ordinal, outcome, answered_at, hold, booking, details
from bespeak.cancel_bookings($1, $2::bespeak.change_request[])

-- name: cancel_bookings_as_json
-- The same on a connection of the caller's.
select to_jsonb(a)::text from bespeak.cancel_bookings($1::bigint, array(
    select r from jsonb_populate_recordset(null::bespeak.change_request, $2::text::jsonb) r)) a

-- name: expire_holds
-- The sweeper's call: tidies up what is due and says what is due next.
select expired, next_due, answered_at from bespeak.expire_holds($1)

-- name: confirm_replicated
-- Waits, as a commit does, until the synchronous standbys have all that was committed before; where
-- there are none, for nothing. A statement that writes nothing does not wait: what it read may be a
-- commit that no standby has confirmed yet.
select case when current_setting('synchronous_standby_names') <> ''
    then pg_logical_emit_message(true, 'bespeak', 'confirm') end

-- name: get_hold
-- One hold by its home and id, with the clock that judges it.
select h.*, bespeak.now() as answered_at from bespeak.hold h
where h.resource_id = $1 and h.hold_id = $2

-- name: find_placed
-- The holds that keys placed, for repeats of which nothing is left, or whose resource does not sell any
-- more: owners, and a key of each.
select h.*, k.owner as asked_owner, k.idempotency_key as asked_key
from unnest($1::text[], $2::text[]) as asked (owner, idempotency_key)
join bespeak.hold_key k on k.owner = asked.owner and k.idempotency_key = asked.idempotency_key
join bespeak.hold h on h.resource_id = k.resource_id and h.hold_id = k.hold_id

-- name: stored_fingerprint
-- What a key was first used for, to name the field that differs now.
select a.fingerprint from bespeak.answer a
where a.resource_id = $1 and a.owner = $2 and a.verb = $3 and a.idempotency_key = $4

-- name: get_booking
-- One booking by its home and id, with the hold that has its lines.
select h as hold, b as booking from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
where b.resource_id = $1 and b.booking_id = $2

-- name: get_booking_as_json
-- The same on a connection of the caller's.
select jsonb_build_object('hold', h, 'booking', b)::text from bespeak.booking b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
where b.resource_id = $1 and b.booking_id = $2

-- name: move_units
-- What a booking has is moved to other units of the same resource, all or nothing.
select outcome, answered_at, hold, booking, details
from bespeak.move_units($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12,
    $13::text::jsonb, $14, $15, $16, $17)

-- name: recall_move
-- What a key was answered with before, for a repeat that cannot be planned again: it was done.
select outcome from bespeak.recall('move', $1, $2, $3, $4)
