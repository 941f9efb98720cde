-- name: call_off
-- Closes a resource and writes down that all of it is to be cancelled.
select outcome, cancellation from bespeak.call_off($1, $2, $3, $4, $5, $6)

-- name: progress
-- How far the calling off of a resource has come, with the refunds that it made.
select c as cancellation, r.currency,
    f.pending, f.refunded, f.failed, f.pending_amount, f.refunded_amount, f.failed_amount
from bespeak.cancellation c
join bespeak.resource r on r.resource_id = c.resource_id,
    lateral (
        select count(*) filter (where f.state = 'pending')::integer as pending,
            count(*) filter (where f.state = 'refunded')::integer as refunded,
            count(*) filter (where f.state = 'failed')::integer as failed,
            coalesce(sum(f.amount) filter (where f.state = 'pending'), 0)::bigint as pending_amount,
            coalesce(sum(f.amount) filter (where f.state = 'refunded'), 0)::bigint
                as refunded_amount,
            coalesce(sum(f.amount) filter (where f.state = 'failed'), 0)::bigint as failed_amount
        from bespeak.refund f
        where f.called_off = c.resource_id and f.created_at >= c.begun_at
    ) f
where c.resource_id = $1 and c.state <> 'reopened'

-- name: reopen
-- Opens a resource again that was called off.
select bespeak.reopen($1, $2)

-- name: next_running
-- A resource that is being called off, any of them, so that a large one does not keep a small one
-- waiting; it stays locked over the batch.
select c.* from bespeak.cancellation c
where c.state = 'running' order by random() limit 1
for update skip locked

-- name: claims_after
-- The next claims of a resource, in the order of their units.
select c.unit, c.hold_id from bespeak.claim c
where c.resource_id = $1 and c.unit > $2 order by c.unit limit $3

-- name: draws_after
-- The next draws of a resource, in the order of their pools and holds.
select d.unit, d.hold_id from bespeak.draw d
where d.resource_id = $1 and (d.unit, d.hold_id) > ($2, $4::uuid)
order by d.unit, d.hold_id limit $3

-- name: lock
-- Holds of a batch with their bookings and payments, locked.
select hold, booking, payment, lapsed, bespeak.now() as answered_at
from bespeak.lock_called_off($1::bigint[], $2::uuid[])

-- name: finish_batch
-- Releases and cancels a batch, and moves on to where the next begins.
select booking_id, outcome
from bespeak.call_off_batch($1, $2::bespeak.change_request[], $3::bigint[], $4::uuid[],
    $5::bigint[], $6::uuid[], $7, $8, $9)

-- name: versions
-- The present versions of resources.
select resource_id, version from bespeak.resource where resource_id = any($1::bigint[])
