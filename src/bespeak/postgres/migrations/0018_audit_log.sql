-- The audit log: who asked for what, beside what the feed tells of holds and bookings.

create sequence bespeak.audit_entry_number as bigint;

-- One entry. `asked` is written before what it tells of, so that nothing was done without one;
-- `refused` says that it was not done after all, or that a right or a login was refused, how many
-- times. `done` is written in the transaction of its effect.
create table bespeak.audit_entry (
    entry_id bigint primary key default nextval('bespeak.audit_entry_number'),
    at timestamptz not null default bespeak.now(),
    -- A key, `cli` for who works on the database itself, or `nobody`.
    actor text not null,
    action text not null,
    outcome text not null check (outcome in ('asked', 'refused', 'done')),
    -- What it is about: an id, or the salted digest of an owner.
    subject text,
    code text,
    address text,
    times integer not null default 1 check (times > 0),
    constraint audit_entry_refused_has_code check ((outcome = 'refused') = (code is not null))
);

-- The log of one actor, and of one thing.
create index audit_entry_of_actor on bespeak.audit_entry (actor, entry_id);
create index audit_entry_of_subject on bespeak.audit_entry (subject, entry_id) where subject is not null;

-- Entries are never changed, and none goes before its time: only the walk that lets old ones go may
-- delete, which says so in its transaction.
create function bespeak.keep_audit_entry() returns trigger
language plpgsql as $$
begin
    if tg_op = 'DELETE' and current_setting('bespeak.lets_audit_entries_go', true) = 'yes' then
        return old;
    end if;
    raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_entry_is_kept before update or delete on bespeak.audit_entry
    for each row execute function bespeak.keep_audit_entry();
create trigger audit_log_is_kept before truncate on bespeak.audit_entry
    for each statement execute function bespeak.keep_audit_entry();

alter table bespeak.table_walk drop constraint table_walk_name_check;
alter table bespeak.table_walk add constraint table_walk_name_check check (
    name in ('answer', 'audit_entry', 'erased_key', 'mail'));
insert into bespeak.table_walk (name) values ('audit_entry');
