-- name: insert
-- A new key; only its hash is kept.
insert into bespeak.api_key (key_id, kind, name, hash, ending)
values ($1, $2, $3, $4, $5) returning *

-- name: find
-- The key with this hash, revoked or not.
select * from bespeak.api_key where hash = $1

-- name: list
-- All keys, newest first.
select * from bespeak.api_key order by created_at desc, key_id limit 1000

-- name: revoke
-- Ends a key; repeating it changes nothing.
update bespeak.api_key set revoked_at = coalesce(revoked_at, bespeak.now())
where key_id = $1 returning *

-- name: make_secret
-- The installation's own signing secret, made once; whoever comes second keeps the first.
insert into bespeak.secret (name, value) values ($1, $2) on conflict do nothing

-- name: secret
-- A secret by its name.
select value from bespeak.secret where name = $1

-- name: ready
-- Whether the database answers.
select 1
