-- name: make
-- A new link in the place of those before; of a reset, the sessions end. No row where the operator
-- is disabled. The operator's row is locked, so that of two links that are made at once one is good.
with whose as materialized (
    select operator_id from bespeak.operator
    where operator_id = $2 and state <> 'disabled' for update
),
before as (
    delete from bespeak.operator_link l using whose w
    where l.operator_id = w.operator_id and (l.used_at is null or l.expires_at < bespeak.now())
),
ended as (
    update bespeak.operator_session s set ended_at = bespeak.now() from whose w
    where s.operator_id = w.operator_id and s.ended_at is null and $3 = 'reset'
)
insert into bespeak.operator_link (hash, operator_id, purpose, expires_at)
select $1, w.operator_id, $3, bespeak.now() + interval '1 day' from whose w
returning expires_at

-- name: look
-- A link that is good.
select l.* from bespeak.operator_link l
join bespeak.operator o using (operator_id)
where l.hash = $1 and l.used_at is null and l.expires_at > bespeak.now() and o.state <> 'disabled'

-- name: use
-- Uses a link up; no row where it was used, is over, or its operator is disabled. The operator's row
-- is locked first, as where links are made.
with whose as materialized (
    select o.operator_id from bespeak.operator o
    join bespeak.operator_link l using (operator_id)
    where l.hash = $1 and o.state <> 'disabled' for update of o
)
update bespeak.operator_link l set used_at = bespeak.now() from whose w
where l.hash = $1 and l.operator_id = w.operator_id
    and l.used_at is null and l.expires_at > bespeak.now()
returning l.operator_id, l.purpose, l.expires_at

-- name: forget_operator
-- Takes the password and the authenticator app away.
update bespeak.operator set
    password_hash = null, totp_secret = null, totp_pending = null, wrong_codes = 0, wrong_since = null
where operator_id = $1

-- name: forget_passkeys
-- Takes the passkeys away.
delete from bespeak.operator_passkey where operator_id = $1

-- name: forget_codes
-- Takes the recovery codes away.
delete from bespeak.operator_recovery_code where operator_id = $1

-- name: end_sessions
-- Ends all sessions.
update bespeak.operator_session set ended_at = bespeak.now()
where operator_id = $1 and ended_at is null

-- name: activate
-- From now on they can log in.
update bespeak.operator set state = 'active' where operator_id = $1 and state = 'invited'
