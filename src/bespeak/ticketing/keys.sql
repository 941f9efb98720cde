-- name: keys
-- The keys that ticket codes are signed with, each a JSON Web Key.
select name, value from bespeak.secret where name like 'ticket\_key\_%'

-- name: make_key
-- A new key. Its name has its number, so that of two who make the same one the first is kept.
insert into bespeak.secret (name, value) values ($1, $2) on conflict do nothing

-- name: drop_others
-- Forgets every key but this one: what they signed is no longer good.
delete from bespeak.secret where name like 'ticket\_key\_%' and name <> $1
