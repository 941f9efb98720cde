-- Workspaces: several businesses in one installation, each with resources, keys and webhooks of its own.

create table bespeak.workspace (
    name text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    created_at timestamptz not null default bespeak.now()
);

-- The one that there always is. Who needs no second never hears of it.
insert into bespeak.workspace (name) values ('default');

-- A resource never changes its workspace, so what is of a resource does not either: holds, bookings,
-- payments and refunds have no column, their ids say which resource they are of.
alter table bespeak.resource
    add column workspace text not null default 'default';
create index resource_of_workspace on bespeak.resource (workspace, resource_id);

alter table bespeak.api_key
    add column workspace text not null default 'default';
alter table bespeak.webhook_endpoint
    add column workspace text not null default 'default';
-- In each workspace there is always an owner who can log in.
alter table bespeak.operator
    add column workspace text not null default 'default';

-- The workspace of the key that it tells of.
alter table bespeak.audit_entry add column workspace text not null default 'default';
create index audit_entry_of_workspace on bespeak.audit_entry (workspace, entry_id)
    where workspace <> 'default';

-- What happened, and what was refused, is counted apart.
alter table bespeak.minute_count
    add column workspace text not null default 'default',
    drop constraint minute_count_pkey,
    add primary key (minute, what, currency, workspace);
alter table bespeak.refusal_count
    add column workspace text not null default 'default',
    drop constraint refusal_count_pkey,
    add primary key (minute, code, workspace);
