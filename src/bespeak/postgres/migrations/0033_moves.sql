-- Bookings that are moved to other units of their resource: a verb whose keys are remembered, and what the
-- feed tells of it.

alter table bespeak.answer
    drop constraint answer_verb_check,
    add constraint answer_verb_check check (verb in
        ('confirm', 'release', 'extend', 'cancel', 'block', 'unblock', 'create', 'move'));

alter table bespeak.event
    drop constraint event_kind_check,
    add constraint event_kind_check check (kind in ('created', 'changed', 'held', 'extended',
        'confirmed', 'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided', 'payment_late',
        'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased', 'vacated',
        'moved'));

-- A part of a booking that is to be cancelled was found, and its refund computed, when it had these units.
alter type bespeak.change_request add attribute known_units text[];
