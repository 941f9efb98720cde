-- Waiting rooms: the queue before a sale. Nobody who waits has a row of their own: how many joined is
-- counted by the tick, and who has had their turn is one number, the front.

-- `a_minute` is the most that are let in; with the pace `stock` as many as there is something left for.
-- The hash of the seed is told before the opening, the seed after it. `credit` is how many may be let in by
-- the pace, of those that were not; `units_left` what there was to buy when that was looked at last, and
-- `units_a_place` how much of it each who waits was expected to take.
create table bespeak.waiting_room (
    room_id text primary key,
    workspace text not null default 'default',
    name text not null,
    state text not null default 'scheduled' check (state in ('scheduled', 'open', 'paused', 'ended')),
    early_order text not null check (early_order in ('shuffle', 'first_come')),
    early_opens_at timestamptz not null,
    opens_at timestamptz not null,
    pace text not null check (pace in ('rate', 'stock')),
    a_minute integer not null check (a_minute between 1 and 100000),
    inside_max integer not null check (inside_max between 1 and 1000000),
    pass_seconds integer not null check (pass_seconds between 60 and 86400),
    grace_seconds integer not null check (grace_seconds between 10 and 3600),
    units_max integer check (units_max between 1 and 1000),
    message text check (length(message) between 1 and 500),
    seed bytea not null,
    public_value text check (length(public_value) between 1 and 500),
    opened_at timestamptz,
    early_joined bigint,
    sold_out boolean not null default false,
    steered_at timestamptz not null default '-infinity',
    credit real not null default 0,
    units_left bigint,
    units_a_place real,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint waiting_room_early_before_sale check (early_opens_at <= opens_at),
    constraint waiting_room_opened_unless_scheduled
        check ((opened_at is null) = (state = 'scheduled') or state = 'ended'),
    constraint waiting_room_shuffled_by_a_public_value
        check (opened_at is null or public_value is not null)
);
create index waiting_room_of_workspace on bespeak.waiting_room (workspace, created_at desc, room_id);
create index waiting_room_at_work on bespeak.waiting_room (room_id) where state <> 'ended';

-- What can be bought by those whom a room lets in, and by no other guest.
create table bespeak.waiting_room_resource (
    resource_id bigint primary key,
    room_id text not null references bespeak.waiting_room (room_id)
);
create index waiting_room_resource_of_room on bespeak.waiting_room_resource (room_id);

-- The queues of a room, with the share of those let in that each gets. Whoever stands before the front
-- has had their turn.
create table bespeak.waiting_queue (
    room_id text not null references bespeak.waiting_room (room_id),
    queue smallint not null check (queue between 0 and 7),
    name text not null check (length(name) between 1 and 60),
    share smallint not null check (share between 1 and 100),
    invited boolean not null default false,
    front bigint not null default 0,
    primary key (room_id, queue)
);

-- How many joined a queue within a tick of ten milliseconds, counted since 1970.
create table bespeak.waiting_join (
    room_id text not null,
    queue smallint not null,
    tick bigint not null,
    joined integer not null check (joined > 0),
    noted_at timestamptz not null,
    primary key (room_id, queue, tick)
) with (fillfactor = 70);
create index waiting_join_noted on bespeak.waiting_join (noted_at);

-- How the front moved: who was called when. Kept as long as somebody who was called may still come.
create table bespeak.waiting_call (
    room_id text not null,
    queue smallint not null,
    called_at timestamptz not null,
    front bigint not null,
    primary key (room_id, queue, front)
);

-- Who was let in, by what their queue token was made for. A person has one pass at a time, and a new one
-- only for a turn that was waited for after the one before had ended.
create table bespeak.waiting_pass (
    room_id text not null,
    subject bytea not null,
    owner text not null,
    queue smallint not null,
    place_key bigint not null,
    given_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    ended_as text check (ended_as in ('bought', 'left', 'lapsed')),
    primary key (room_id, subject),
    constraint waiting_pass_ended_somehow check ((ended_at is null) = (ended_as is null))
);
create index waiting_pass_inside on bespeak.waiting_pass (room_id, expires_at) where ended_at is null;
create index waiting_pass_of_owner on bespeak.waiting_pass (owner);
create index waiting_pass_given on bespeak.waiting_pass (room_id, given_at);
