-- Invitation codes of waiting rooms. The codes stand nowhere: they are made anew from the number of
-- their batch. What is kept is a row a batch, and one for each code that was used or revoked.

-- So many codes for a queue, each for so many persons. `until` null: as long as the queue is open.
create table bespeak.waiting_invite_batch (
    room_id text not null,
    batch smallint not null check (batch between 1 and 200),
    queue smallint not null,
    name text not null check (length(name) between 1 and 60),
    codes integer not null check (codes between 1 and 100000),
    persons smallint not null check (persons between 1 and 1000),
    until timestamptz,
    made_at timestamptz not null,
    revoked_at timestamptz,
    primary key (room_id, batch),
    foreign key (room_id, queue) references bespeak.waiting_queue (room_id, queue)
);

-- A code that somebody used or that was revoked: how many joined with it.
create table bespeak.waiting_invite (
    room_id text not null,
    batch smallint not null,
    serial integer not null check (serial between 1 and 100000),
    used smallint not null default 0 check (used between 0 and 1000),
    revoked_at timestamptz,
    primary key (room_id, batch, serial)
);

-- Who joined with a code, as what their queue token is for, and when: so that whoever enters it again
-- gets the very same token.
create table bespeak.waiting_invite_use (
    room_id text not null,
    batch smallint not null,
    serial integer not null,
    subject bytea not null,
    joined_us bigint not null,
    primary key (room_id, batch, serial, subject)
);
