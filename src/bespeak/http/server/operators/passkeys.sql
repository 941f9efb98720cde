-- name: lock
-- Locks an operator, as everybody does before their passkeys change.
select from bespeak.operator where operator_id = $1 for update

-- name: count
-- How many passkeys an operator has.
select count(*) from bespeak.operator_passkey where operator_id = $1

-- name: insert
-- A new passkey; no row where it is known already, whosever it is.
insert into bespeak.operator_passkey
    (passkey_id, operator_id, credential_id, public_key, sign_count, transports, name)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning *

-- name: of_operator
-- The passkeys of an operator, the oldest first.
select * from bespeak.operator_passkey where operator_id = $1 order by created_at, passkey_id

-- name: find
-- A passkey of an operator who may log in.
select p.* from bespeak.operator_passkey p
join bespeak.operator o using (operator_id)
where p.credential_id = $1 and o.state = 'active'

-- name: used
-- Notes the count of a passkey that was used; no row where another use has counted as far meanwhile.
update bespeak.operator_passkey set sign_count = $2, last_used_at = bespeak.now()
where passkey_id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))
returning passkey_id

-- name: delete
-- Takes a passkey away.
delete from bespeak.operator_passkey where operator_id = $1 and passkey_id = $2 returning passkey_id
