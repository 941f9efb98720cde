-- How far the deleting of what is past its time has come.

-- The feed is an index by time that nobody has to write for it: holds that ended, and the keys of those
-- that were booked, are found by following it, each by a follower of its own.
insert into bespeak.follower (name, horizon, position) values ('ended_holds', '0', 0);
insert into bespeak.follower (name, horizon, position) values ('booked_keys', '0', 0);

-- A table without an index by time is walked from its first block to its last, once a day, and this is
-- the next block. An index would be written by every verb, for a look a day.
create table bespeak.table_walk (
    name text primary key check (name in ('answer', 'erased_key', 'mail')),
    next_block bigint not null default 0,
    -- When the present walk began, or the last one, if the next block is the first.
    begun_at timestamptz not null default '-infinity'
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

insert into bespeak.table_walk (name) values ('answer'), ('erased_key'), ('mail');
