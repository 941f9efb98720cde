-- name: of_workspace
-- How many hours before it begins the buyers of a workspace are reminded.
select m.hours, bespeak.version_of(to_jsonb(m)) as version from bespeak.mail_reminders m
where m.workspace = $1

-- name: set
-- Says how many hours before; no row where they are of another version than was seen ($3).
insert into bespeak.mail_reminders as t (workspace, hours, changed_at)
select $1::text, $2::integer[], bespeak.now()
where bespeak.is_seen($3, (select to_jsonb(b) from bespeak.mail_reminders b
    where b.workspace = $1 for update))
on conflict (workspace) do update set hours = excluded.hours, changed_at = excluded.changed_at
where bespeak.is_seen($3, to_jsonb(t))
returning bespeak.version_of(to_jsonb(t))

-- name: remove
-- Reminds nobody any more; null where the hours are of another version than was seen ($2).
with gone as (
    delete from bespeak.mail_reminders m
    where m.workspace = $1 and bespeak.is_seen($2, to_jsonb(m)) returning m.workspace
)
select 0 where $2::bigint is null or exists (select from gone)
    or $2 = 0 and not exists (select from bespeak.mail_reminders m where m.workspace = $1)

-- name: version
-- The version of the hours.
select bespeak.version_of(to_jsonb(m)) from bespeak.mail_reminders m where m.workspace = $1

-- name: write
-- Writes down who is to be reminded, of the next so many bookings.
select bookings, mails from bespeak.write_reminders($1)
