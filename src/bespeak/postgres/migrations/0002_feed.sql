-- The feed of what happened, and how far its durable followers have read.

create sequence bespeak.event_position as bigint;

-- What happened, a row for each hold and resource that it touched. `units` are the units whose
-- state this event changed: an expiry lists only what was still the hold's, not what was taken over.
-- Readers follow (horizon, position) up to the oldest running transaction; see bespeak.horizon().
create table bespeak.event (
    resource_id bigint not null,
    horizon xid8 not null,
    position bigint not null default nextval('bespeak.event_position'),
    kind text not null check (kind in ('created', 'changed', 'held', 'extended', 'confirmed',
        'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided',
        'payment_late', 'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off')),
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamptz not null,
    -- What else there is to tell: the payment with its amount, the refund, the gate.
    data jsonb,
    primary key (resource_id, horizon, position)
) with (autovacuum_vacuum_scale_factor = 0.2);

-- Followers of everything read in this order; rows only ever arrive at the right edge.
create index event_feed on bespeak.event (horizon, position);

-- A booking's timeline. What happens to every hold is left out (the hold itself knows when it was
-- placed and ended), so that the hot path writes no second entry.
create index event_of_booking on bespeak.event (hold_id)
    where kind not in ('created', 'changed', 'held', 'extended', 'released', 'expired', 'blocked',
        'unblocked');

-- From a hold that late money pays for now back to the one that the money was for: rare.
create index event_of_late_money on bespeak.event ((data->>'hold_id')) where kind = 'payment_late';

-- How far a durable follower has read. It moves in the transaction that writes what follows from the
-- events: none is lost, none is handled twice.
create table bespeak.follower (
    name text primary key,
    horizon xid8 not null,
    position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

insert into bespeak.follower (name, horizon, position) values ('notifications', '0', 0);

insert into bespeak.follower (name, horizon, position) values ('overview', '0', 0);
