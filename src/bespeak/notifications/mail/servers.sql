-- name: read
-- The mail server that was set, with its password as it is sealed; at most one row.
select s.host, s.port, s.encryption, s.username, s.password, s.sender, s.changed_at
from bespeak.mail_server s

-- name: locked
-- The mail server that was set, kept as it is until the transaction ends; at most one row.
select s.host, s.port, s.encryption, s.username, s.password, s.sender, s.changed_at
from bespeak.mail_server s
for update

-- name: set
-- Says the mail server, whether there was one or not.
insert into bespeak.mail_server (is_the_one, host, port, encryption, username, password, sender, changed_at)
values (true, $1, $2, $3, $4, $5, $6, bespeak.now())
on conflict (is_the_one) do update
set host = excluded.host, port = excluded.port, encryption = excluded.encryption,
    username = excluded.username, password = excluded.password, sender = excluded.sender,
    changed_at = excluded.changed_at

-- name: remove
-- Takes the mail server away.
delete from bespeak.mail_server
