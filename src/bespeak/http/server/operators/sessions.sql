-- name: open
-- A new session of an operator who may log in, and whom nobody disables meanwhile; those that were
-- over a month ago need not be kept.
with gone as (
    delete from bespeak.operator_session where expires_at < bespeak.now() - interval '30 days'
)
insert into bespeak.operator_session
    (session_id, hash, operator_id, expires_at, proved_at, proved_by, address, agent)
select $1, $2, o.operator_id, bespeak.now() + make_interval(secs => $4), bespeak.now(), $5, $6, $7
from (
    select operator_id from bespeak.operator
    where operator_id = $3 and state = 'active' for share
) o
returning session_id

-- name: find
-- An open session with its operator; no row where either is over, or it was long not used.
select o.*, s.session_id, s.hash, s.expires_at as session_expires_at,
    s.last_seen_at < bespeak.now() - make_interval(secs => $2) as seen_long_ago
from bespeak.operator_session s
join bespeak.operator o using (operator_id)
where s.hash = $1 and s.ended_at is null and s.expires_at > bespeak.now() and o.state = 'active'
    and s.last_seen_at > bespeak.now() - make_interval(secs => $3)

-- name: seen
-- That a session was used.
update bespeak.operator_session set last_seen_at = bespeak.now() where session_id = $1

-- name: end
-- Ends one session of an operator; no row where there is none that is open.
update bespeak.operator_session set ended_at = bespeak.now()
where session_id = $2 and operator_id = $1 and ended_at is null and expires_at > bespeak.now()
returning session_id

-- name: end_others
-- Ends all sessions of an operator but one.
update bespeak.operator_session set ended_at = bespeak.now()
where operator_id = $1 and session_id <> $2 and ended_at is null

-- name: list
-- The open sessions of an operator, the latest first.
select * from bespeak.operator_session
where operator_id = $1 and ended_at is null and expires_at > bespeak.now()
    and last_seen_at > bespeak.now() - make_interval(secs => $2)
order by created_at desc, session_id limit 100
