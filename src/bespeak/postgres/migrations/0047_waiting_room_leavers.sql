-- Who gave a place in a queue up before the turn, by what their queue token was made for: of somebody who
-- waits there is no row. Tokens that were joined for until then (microseconds since 1970) are over.
create table bespeak.waiting_leaver (
    room_id text not null,
    queue smallint not null,
    subject bytea not null,
    joined_until bigint not null,
    left_at timestamptz not null,
    primary key (room_id, queue, subject)
);

-- Who leaves is counted no more. A count may be less than none for a second, where the process at which
-- they joined has not told of it yet.
alter table bespeak.waiting_join drop constraint waiting_join_joined_check;
