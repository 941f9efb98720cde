-- name: insert
-- A new key; only its hash is kept. None is made that would be over already.
insert into bespeak.api_key (key_id, kind, name, hash, ending, scopes, resources, place, expires_at,
    workspace)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
where $9::timestamptz is null or $9::timestamptz > bespeak.now() returning *

-- name: find
-- The key with this hash, revoked or not, and whether it has expired.
select *, coalesce(expires_at <= bespeak.now(), false) as is_over from bespeak.api_key where hash = $1

-- name: find_session
-- The key of a console's session, unless it was revoked, has expired, or the session was ended.
select k.* from bespeak.api_key k
where k.key_id = $1 and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > bespeak.now())
    and not exists (select from bespeak.ended_session e where e.session_id = $2)

-- name: end_session
-- Ends a console's session; those that are over by themselves need not be kept any more.
with gone as (
    delete from bespeak.ended_session where expires_at < bespeak.now() - interval '1 day'
)
insert into bespeak.ended_session (session_id, expires_at) values ($1, $2) on conflict do nothing

-- name: insert_once
-- The key of the box office: whoever comes second finds it there.
insert into bespeak.api_key (key_id, kind, name, hash, ending)
values ($1, $2, $3, $4, $5) on conflict do nothing

-- name: change_secret
-- Another value for a secret.
insert into bespeak.secret (name, value) values ($1, $2)
on conflict (name) do update set value = excluded.value

-- name: list
-- The keys of a workspace or all keys, newest first.
select * from bespeak.api_key where ($1::text is null or workspace = $1)
order by created_at desc, key_id limit 1000

-- name: of_browsers
-- The keys of browsers that are good, newest first.
select * from bespeak.api_key
where kind = 'publishable' and revoked_at is null
    and (expires_at is null or expires_at > bespeak.now())
order by created_at desc, key_id limit $1

-- name: revoke
-- Ends a key; repeating it changes nothing.
update bespeak.api_key set revoked_at = coalesce(revoked_at, bespeak.now())
where key_id = $1 and ($2::text is null or workspace = $2) returning *

-- name: ready
-- Whether the database answers.
select 1
