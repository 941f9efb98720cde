-- name: answer
-- Notes the answer to a challenge; no row where it was answered before. Those that are long over
-- need not be kept.
with gone as (
    delete from bespeak.operator_answered where expires_at < bespeak.now() - interval '1 hour'
)
insert into bespeak.operator_answered (hash, expires_at)
values ($1, bespeak.now() + interval '1 hour')
on conflict do nothing returning hash
