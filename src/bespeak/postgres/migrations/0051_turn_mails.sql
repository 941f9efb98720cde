-- Mails that say that one's turn comes near: of those who wait and ask for one there is a row, of nobody
-- else. `place_key` is null until it is known; `wanted` until the turn comes near, then `pending` until the
-- mail leaves. A row stays until its room has ended, so that there is one mail for a turn; its address goes
-- as soon as no mail is to be sent. `address` is a digest of it.
create table bespeak.turn_mail (
    room_id text not null,
    queue smallint not null,
    subject bytea not null,
    joined_us bigint not null,
    place_key bigint,
    owner text not null,
    email text,
    address bytea not null,
    locale text,
    mail_id uuid not null,
    state text not null default 'wanted'
        check (state in ('wanted', 'withdrawn', 'pending', 'sent', 'dropped', 'failed')),
    asked_at timestamptz not null,
    near_at timestamptz,
    due_at timestamptz,
    primary key (room_id, queue, subject),
    constraint turn_mail_pending_is_due check ((state = 'pending') = (due_at is not null)),
    constraint turn_mail_has_an_address check (state in ('withdrawn', 'dropped', 'failed') = (email is null))
);
create index turn_mail_next on bespeak.turn_mail (room_id, queue, place_key) where state = 'wanted';
create index turn_mail_unplaced on bespeak.turn_mail (room_id) where state = 'wanted' and place_key is null;
create index turn_mail_due on bespeak.turn_mail (due_at) where state = 'pending';
create index turn_mail_share on bespeak.turn_mail (room_id, get_byte(subject, 0));
create index turn_mail_owner on bespeak.turn_mail (owner);

-- How many mails of a room went to an address, whoever asked for them: a row of `turn_mail` tells of the last
-- turn only, and may be another address by now.
create table bespeak.turn_mail_tally (
    room_id text not null,
    address bytea not null,
    mails integer not null,
    primary key (room_id, address)
);
