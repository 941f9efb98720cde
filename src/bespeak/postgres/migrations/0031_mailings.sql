-- What a merchant writes to all who booked a resource.

-- One text to many. `texts` are a subject and a text by language, the first for whoever reads none of
-- them. Its bookings are walked through in their order, from `after_booking` on.
create table bespeak.mailing (
    mailing_id uuid primary key,
    resource_id bigint not null,
    texts jsonb not null,
    state text not null check (state in ('writing', 'written', 'stopped')),
    after_booking uuid not null default '00000000-0000-0000-0000-000000000000',
    recipients integer not null default 0,
    actor text,
    key bytea,
    content bytea not null,
    created_at timestamptz not null,
    unique (resource_id, key)
);
create index mailing_of_resource on bespeak.mailing (resource_id, created_at desc, mailing_id);
create index mailing_writing on bespeak.mailing (created_at) where state = 'writing';

alter table bespeak.mail drop constraint mail_kind_check;
alter table bespeak.mail add constraint mail_kind_check check (kind in
    ('booking_confirmed', 'booking_reminder', 'booking_cancelled', 'payment_late', 'payment_failed',
        'refunded', 'mailing'));

-- What became of the mails of a mailing: its id is their occasion.
create index mail_of_mailing on bespeak.mail (occasion, state) where kind = 'mailing';
