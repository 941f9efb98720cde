-- Links that open one thing: of bookings, as mails carry them.

-- The bookings whose links were ended, and how often: a link says after how many ends it was made, and is
-- good as long as there was no other. No row: none was ended.
create table bespeak.booking_link (
    resource_id bigint not null,
    booking_id uuid not null,
    ends_so_far integer not null check (ends_so_far > 0),
    ended_at timestamptz not null,
    primary key (resource_id, booking_id)
);

-- A mail that was asked for again tells of no event, so it has no position.
alter table bespeak.mail alter column position drop not null;

-- Of one booking, one such mail waits at a time.
create unique index mail_again on bespeak.mail (hold_id, kind)
    where position is null and state = 'pending';

-- Links to the calendars of resources, for calendar programs. The token of one is signed, so nothing secret
-- stands here; what it shows, until when, and that it was not revoked, is asked of its row. `used_at` is the
-- hour in which it was last used, so that it is written once an hour.
create table bespeak.calendar_link (
    link_id text collate "C" primary key,
    number bigint not null generated always as identity,
    resource_id bigint not null,
    name text,
    details boolean not null,
    without text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    used_at timestamptz
) with (fillfactor = 80);

create index calendar_link_of_resource on bespeak.calendar_link (resource_id, number);
create unique index calendar_link_number on bespeak.calendar_link (number);

-- Who asked to find the bookings of an address, and, once the code of its mail was typed in the browser that
-- asked, who is signed in there. `ends_at` is until when the code is good, and then until when the session
-- is. The code stands nowhere: it is made of the id by a secret.
create table bespeak.sign_in (
    sign_in_id uuid primary key,
    email text not null,
    locale text,
    created_at timestamptz not null,
    ends_at timestamptz not null,
    tries integer not null default 0,
    used_at timestamptz,
    -- When its mail is due; null: it was sent, or there is nothing to tell.
    mail_due_at timestamptz
) with (fillfactor = 80);

create index sign_in_of_email on bespeak.sign_in (email, created_at);
create index sign_in_ends on bespeak.sign_in (ends_at);
create index sign_in_mail_due on bespeak.sign_in (mail_due_at) where mail_due_at is not null;
