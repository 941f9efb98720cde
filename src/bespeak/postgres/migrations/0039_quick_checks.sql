-- The kinds of events are checked by a function. PostgreSQL keeps the text of a CHECK and reads it anew for
-- each statement that writes: of a list of thirty names that took longer than the insert itself. A
-- migration that brings a kind replaces the function; what is stored stays allowed.
create function bespeak.is_event_kind(kind text) returns boolean
language plpgsql immutable strict parallel safe as $$
begin
    return kind in ('created', 'changed', 'held', 'extended', 'confirmed', 'released', 'expired',
        'cancelled', 'blocked', 'unblocked', 'payment_begun', 'payment_authorized',
        'payment_captured', 'payment_failed', 'payment_voided', 'payment_late', 'refund_begun',
        'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased', 'vacated', 'moved',
        'waitlist_joined', 'waitlist_offered', 'waitlist_accepted', 'waitlist_declined',
        'waitlist_lapsed', 'waitlist_left', 'waiting_room_opened', 'waiting_room_sold_out',
        'waiting_room_drained');
end
$$;

alter table bespeak.event
    drop constraint event_kind_check,
    add constraint event_kind_check check (bespeak.is_event_kind(kind));
