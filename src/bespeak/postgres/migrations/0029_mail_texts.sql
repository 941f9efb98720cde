-- What merchants write in their mails beside the record, and when buyers are reminded of what they booked.

-- Texts of a merchant's own, by kind of mail and language. Empty is what stays ours, or is not there.
-- Placeholders were judged when it was saved.
create table bespeak.mail_text (
    workspace text not null,
    kind text not null check (kind in ('booking_confirmed', 'booking_reminder', 'booking_cancelled',
        'payment_late', 'payment_failed', 'refunded')),
    language text not null check (language in ('en', 'de', 'ar')),
    subject text not null,
    introduction text not null,
    closing text not null,
    changed_at timestamptz not null,
    primary key (workspace, kind, language)
);

-- How many hours before it begins buyers are reminded; without a row they are not.
create table bespeak.mail_reminders (
    workspace text primary key,
    hours integer[] not null check (cardinality(hours) between 1 and 3),
    changed_at timestamptz not null
);

-- How far the bookings of a resource have been reminded, so many hours before this begin. Of another begin
-- they are walked through again, and who was reminded is not reminded twice.
create table bespeak.reminder_walk (
    resource_id bigint not null,
    hours integer not null,
    starts_at timestamptz not null,
    after_booking uuid not null,
    is_done boolean not null,
    primary key (resource_id, hours)
);

alter table bespeak.mail drop constraint mail_kind_check;
alter table bespeak.mail add constraint mail_kind_check check (kind in
    ('booking_confirmed', 'booking_reminder', 'booking_cancelled', 'payment_late', 'payment_failed',
        'refunded'));

-- Which of its kind a mail is that tells of no event: of a reminder, how many hours before.
alter table bespeak.mail add column occasion text;
create unique index mail_of_occasion on bespeak.mail (hold_id, kind, occasion)
    where occasion is not null;

-- Of those that were asked for again one waits at a time; reminders have an index of their own.
drop index bespeak.mail_again;
create unique index mail_again on bespeak.mail (hold_id, kind)
    where position is null and occasion is null and state = 'pending';
