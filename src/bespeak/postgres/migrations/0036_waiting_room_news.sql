-- What of a waiting room the feed was told: each once, in the transaction in which it came about.

-- `sold_out_told` until something comes back; `drained_at` once for each opening. `empty_since` is when
-- nobody waited any more; null while somebody does. `alarms` are what an operator should look at now.
alter table bespeak.waiting_room
    add column sold_out_told boolean not null default false,
    add column empty_since timestamptz,
    add column drained_at timestamptz,
    add column alarms jsonb not null default '[]';

-- What operators said of a room, and who did: for whoever checks afterwards that it was fair.
create table bespeak.waiting_room_change (
    room_id text not null,
    change_id bigint generated always as identity,
    at timestamptz not null,
    actor text,
    changed jsonb not null,
    primary key (room_id, change_id)
);

-- How the fronts moved, for the same; unlike a call, which is forgotten, and whose time may stand still.
create table bespeak.waiting_front (
    room_id text not null,
    queue smallint not null,
    front bigint not null,
    moved_at timestamptz not null,
    primary key (room_id, queue, front)
);

alter table bespeak.event
    drop constraint event_kind_check,
    add constraint event_kind_check check (kind in ('created', 'changed', 'held', 'extended',
        'confirmed', 'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided', 'payment_late',
        'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased', 'vacated',
        'moved', 'waitlist_joined', 'waitlist_offered', 'waitlist_accepted', 'waitlist_declined',
        'waitlist_lapsed', 'waitlist_left', 'waiting_room_opened', 'waiting_room_sold_out',
        'waiting_room_drained'));
