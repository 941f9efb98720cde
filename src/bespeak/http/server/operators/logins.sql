-- name: by_login
-- Who has this login and may log in.
select operator_id, password_hash, totp_secret is not null as has_authenticator
from bespeak.operator where login = $1 and state = 'active'

-- name: still
-- Whether the password is still this one; it stays so until the session is open.
select operator_id from bespeak.operator
where operator_id = $1 and password_hash = $2 and state = 'active' for share

-- name: set_password
-- Another password.
update bespeak.operator set password_hash = $2 where operator_id = $1

-- name: password_of
-- The hash of an operator's password, if there is one.
select password_hash from bespeak.operator where operator_id = $1

-- name: proof
-- When and by what the operator of a session last proved who they are, and by what they could.
select s.proved_by, s.proved_at > bespeak.now() - make_interval(mins => $2) as is_recent,
    exists (select from bespeak.operator_passkey p where p.operator_id = s.operator_id) as has_passkey,
    o.totp_secret is not null as has_code
from bespeak.operator_session s join bespeak.operator o using (operator_id)
where s.session_id = $1 and s.ended_at is null

-- name: proved
-- That the operator of a session proved who they are.
update bespeak.operator_session set proved_at = bespeak.now(), proved_by = $2
where session_id = $1 and ended_at is null
