-- name: lock
-- Locks an operator, as everybody does before how they log in changes.
select from bespeak.operator where operator_id = $1 for update

-- name: can_log_in
-- Whether an operator has a passkey or a password.
select o.password_hash is not null or exists (
    select from bespeak.operator_passkey p where p.operator_id = o.operator_id)
from bespeak.operator o where o.operator_id = $1

-- name: set_password
-- Another password, or none.
update bespeak.operator set password_hash = $2 where operator_id = $1

-- name: codes_left
-- How many recovery codes are not used yet.
select count(*) from bespeak.operator_recovery_code where operator_id = $1 and used_at is null

-- name: proved_until
-- Until when the last proof of a session counts.
select proved_at + interval '5 minutes' from bespeak.operator_session where session_id = $1
