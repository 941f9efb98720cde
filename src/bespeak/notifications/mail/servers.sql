-- name: read
-- The mail server that was set, with its password as it is sealed; at most one row.
select s.host, s.port, s.encryption, s.username, s.password, s.sender, s.changed_at,
    bespeak.version_of(to_jsonb(s)) as version
from bespeak.mail_server s

-- name: locked
-- The mail server that was set, kept as it is until the transaction ends; at most one row.
select s.host, s.port, s.encryption, s.username, s.password, s.sender, s.changed_at,
    bespeak.version_of(to_jsonb(s)) as version
from bespeak.mail_server s
for update

-- name: set
-- Says the mail server, whether there was one or not; no row where it is of another version than was
-- seen ($7).
insert into bespeak.mail_server as t
    (is_the_one, host, port, encryption, username, password, sender, changed_at)
select true, $1::text, $2::integer, $3::text, $4::text, $5::bytea, $6::text, bespeak.now()
where bespeak.is_seen($7, (select to_jsonb(b) from bespeak.mail_server b for update))
on conflict (is_the_one) do update
set host = excluded.host, port = excluded.port, encryption = excluded.encryption,
    username = excluded.username, password = excluded.password, sender = excluded.sender,
    changed_at = excluded.changed_at
where bespeak.is_seen($7, to_jsonb(t))
returning bespeak.version_of(to_jsonb(t))

-- name: version
-- The version of the mail server.
select bespeak.version_of(to_jsonb(s)) from bespeak.mail_server s

-- name: remove
-- Takes the mail server away; no row where there is none, or where it is of another version than was seen
-- ($1).
delete from bespeak.mail_server t where bespeak.is_seen($1, to_jsonb(t))
returning true
