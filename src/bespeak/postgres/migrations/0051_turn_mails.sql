-- Mails that say that one's turn comes near: of those who wait and ask for one there is a row, of nobody
-- else. `place_key` is null until it is known; `wanted` until the turn comes near, then `pending` until the
-- mail leaves. A row stays until its room has ended, so that there is one mail for a turn; its address goes
-- as soon as no mail is to be sent.
create table bespeak.turn_mail (
    room_id text not null,
    queue smallint not null,
    subject bytea not null,
    joined_us bigint not null,
    place_key bigint,
    owner text not null,
    email text,
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
create index turn_mail_due on bespeak.turn_mail (due_at) where state = 'pending';
create index turn_mail_share on bespeak.turn_mail (room_id, get_byte(subject, 0));
create index turn_mail_address on bespeak.turn_mail (room_id, lower(email))
    where state in ('pending', 'sent');
create index turn_mail_owner on bespeak.turn_mail (owner);
