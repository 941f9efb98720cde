-- name: block
-- Takes units out of sale, all or nothing.
select outcome, answered_at, block, details
from bespeak.block_units($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: unblock
-- Puts blocked units back on sale.
select outcome, answered_at, block, details
from bespeak.unblock_units($1, $2, $3, $4, $5, $6, $7)

-- name: list
-- The blocks of a resource that still stand.
select * from bespeak.block
where resource_id = $1 and lifted_at is null and block_id > $2 order by block_id limit $3

-- name: stored_fingerprint
-- What a key was first used for, to name the field that differs now.
select fingerprint from bespeak.answer
where resource_id = $1 and owner = '' and verb = $2 and idempotency_key = $3

-- name: keep_plans
-- Keeps plans as they are until the transaction ends.
select bespeak.keep_plans($1::bigint[])
