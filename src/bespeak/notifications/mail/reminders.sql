-- name: of_workspace
-- How many hours before it begins the buyers of a workspace are reminded.
select m.hours from bespeak.mail_reminders m where m.workspace = $1

-- name: set
-- Says how many hours before.
insert into bespeak.mail_reminders (workspace, hours, changed_at) values ($1, $2, bespeak.now())
on conflict (workspace) do update set hours = excluded.hours, changed_at = excluded.changed_at

-- name: remove
-- Reminds nobody any more.
delete from bespeak.mail_reminders m where m.workspace = $1

-- name: write
-- Writes down who is to be reminded, of the next so many bookings.
select bookings, mails from bespeak.write_reminders($1)
