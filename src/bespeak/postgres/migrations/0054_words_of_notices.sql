-- Merchants write in the mails to who waits, too: of waitlists, and that a turn comes near.

alter table bespeak.mail_text drop constraint mail_text_kind_check;
alter table bespeak.mail_text add constraint mail_text_kind_check check (kind in
    ('booking_confirmed', 'booking_reminder', 'booking_moved', 'booking_cancelled', 'payment_late',
        'payment_failed', 'refunded', 'waitlist_joined', 'waitlist_offered', 'waitlist_over', 'turn_near'));
