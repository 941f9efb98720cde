-- name: insert
-- A new operator, invited; no row where another has this login.
insert into bespeak.operator (operator_id, login, name, role, resources, place, workspace)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (login) do nothing returning operator_id

-- name: read
-- One operator by id or login, or everybody by name, with how they can log in; of a workspace or of any.
select o.*,
    (select count(*) from bespeak.operator_passkey p where p.operator_id = o.operator_id) as passkeys,
    o.password_hash is not null as has_password,
    o.totp_secret is not null as has_authenticator,
    (select max(s.last_seen_at) from bespeak.operator_session s
        where s.operator_id = o.operator_id) as last_seen_at
from bespeak.operator o
where ($3::boolean or o.operator_id = $1 or o.login = $2)
    and ($4::text is null or o.workspace = $4)
order by o.name, o.operator_id limit 1000

-- name: change
-- Changes an operator; no row where that would take the last owner of the workspace away. The owners
-- are locked in one order before they are counted, so that of two who disable each other one stays. Who
-- is enabled again and never set up a login is invited, as before.
with owners as materialized (
    select operator_id from bespeak.operator
    where role = 'owner' and state = 'active' and workspace = (
        select w.workspace from bespeak.operator w where w.operator_id = $1)
    order by operator_id for update
)
update bespeak.operator o set
    name = coalesce($2, o.name), role = coalesce($3, o.role),
    resources = case when $5 then $6 else o.resources end,
    place = case when $5 then $7 else o.place end,
    state = case when $4::text is null then o.state
        when $4 = 'disabled' then 'disabled'
        when o.password_hash is null and not exists (
            select from bespeak.operator_passkey p where p.operator_id = o.operator_id) then 'invited'
        else 'active' end,
    disabled_at = case when $4::text is null then o.disabled_at
        when $4 = 'disabled' then coalesce(o.disabled_at, bespeak.now()) end
where o.operator_id = $1 and (
    (coalesce($3, o.role) = 'owner' and $4::text is distinct from 'disabled')
    or not (o.role = 'owner' and o.state = 'active')
    or (select count(*) from owners w where w.operator_id <> $1) > 0)
returning operator_id

-- name: end_all
-- Ends all sessions of an operator, and takes back the links that they have not used.
with taken_back as (
    delete from bespeak.operator_link where operator_id = $1 and used_at is null
)
update bespeak.operator_session set ended_at = bespeak.now()
where operator_id = $1 and ended_at is null

-- name: has_none
-- Whether nobody can log in at the console yet.
select not exists (select from bespeak.operator where state = 'active')
    and not exists (select from bespeak.api_key where kind = 'admin' and revoked_at is null)
