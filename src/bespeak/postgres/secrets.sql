-- name: make_secret
-- A secret of this installation; the first one that is made stands.
insert into bespeak.secret (name, value) values ($1, $2) on conflict do nothing

-- name: secret
-- The value of a secret.
select value from bespeak.secret where name = $1
