-- Operators make invitation codes by calls, which may be repeated, and look how many were used.

-- By which idempotency key a batch was made, and of what: both as digests.
alter table bespeak.waiting_invite_batch add column key bytea, add column content bytea;
create unique index waiting_invite_batch_key on bespeak.waiting_invite_batch (room_id, key)
    where key is not null;

-- How many have joined by the codes of a batch, in sixteen parts by the last bits of a code's number: one
-- row would have all who join wait for one another, and to count the codes takes seconds of a big room.
create table bespeak.waiting_invite_tally (
    room_id text not null,
    batch smallint not null,
    part smallint not null check (part between 0 and 15),
    used integer not null check (used >= 0),
    primary key (room_id, batch, part)
);

insert into bespeak.waiting_invite_tally (room_id, batch, part, used)
select i.room_id, i.batch, i.serial & 15, sum(i.used)
from bespeak.waiting_invite i
where i.used > 0
group by i.room_id, i.batch, i.serial & 15;
