-- A mail to who was moved, and what a merchant writes in it.

alter table bespeak.mail drop constraint mail_kind_check;
alter table bespeak.mail add constraint mail_kind_check check (kind in
    ('booking_confirmed', 'booking_reminder', 'booking_moved', 'booking_cancelled', 'payment_late',
        'payment_failed', 'refunded', 'mailing'));

alter table bespeak.mail_text drop constraint mail_text_kind_check;
alter table bespeak.mail_text add constraint mail_text_kind_check check (kind in
    ('booking_confirmed', 'booking_reminder', 'booking_moved', 'booking_cancelled', 'payment_late',
        'payment_failed', 'refunded'));
