-- name: facts
-- What a resource does not say of itself, and its readiness depends on.
select bespeak.now() as now, exists (
    select from bespeak.cancellation where resource_id = $1 and state <> 'reopened') as called_off,
    exists (select from bespeak.provider_account where ended_at is null) as has_account
