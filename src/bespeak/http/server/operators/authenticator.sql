-- name: begin
-- A new secret that waits for its first code.
update bespeak.operator set totp_pending = $2 where operator_id = $1

-- name: is_pending
-- Whether a secret waits for its first code.
select totp_pending is not null from bespeak.operator where operator_id = $1

-- name: try
-- Counts a code before it is looked at; no row where too many were wrong of late.
update bespeak.operator set
    wrong_codes = case when wrong_since > bespeak.now() - make_interval(mins => $3)
        then wrong_codes + 1 else 1 end,
    wrong_since = case when wrong_since > bespeak.now() - make_interval(mins => $3)
        then wrong_since else bespeak.now() end
where operator_id = $1 and (wrong_codes < $2 or wrong_since is null
    or wrong_since <= bespeak.now() - make_interval(mins => $3))
returning totp_secret, totp_pending,
    extract(epoch from bespeak.now())::double precision as now_seconds

-- name: use_step
-- Takes the code of a step; no row where this step or a later one was taken before.
update bespeak.operator set totp_step = $2, wrong_codes = 0, wrong_since = null
where operator_id = $1 and totp_step < $2 returning operator_id

-- name: was_right
-- Forgets wrong codes, since one was right.
update bespeak.operator set wrong_codes = 0, wrong_since = null where operator_id = $1

-- name: finish
-- Takes the secret that waited.
update bespeak.operator set
    totp_secret = totp_pending, totp_pending = null, totp_step = $2, wrong_codes = 0, wrong_since = null
where operator_id = $1

-- name: remove
-- Takes the app away.
update bespeak.operator set totp_secret = null, totp_pending = null where operator_id = $1

-- name: forget_codes
-- Takes the recovery codes away.
delete from bespeak.operator_recovery_code where operator_id = $1

-- name: add_codes
-- New recovery codes.
insert into bespeak.operator_recovery_code (operator_id, hash) select $1, unnest($2::bytea[])

-- name: use_code
-- Uses a recovery code up; no row where there is none such, or it was used.
update bespeak.operator_recovery_code set used_at = bespeak.now()
where operator_id = $1 and hash = $2 and used_at is null returning operator_id
