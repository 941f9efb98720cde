-- What the API's workers tell each other of guests, so that who goes to another worker is the same guest.
-- Both tables are unlogged: they say nothing that a sale depends on, and after a crash they begin empty.
-- Rows are deleted an hour after they count for nothing.

-- The holds of guests, by whence they came: an address or a network of 64 bits. The guest is a digest by a
-- key of the installation. `changed` is the transaction that wrote the row: with the oldest that was still
-- running at the last reading, the next one finds all that was committed since.
create unlogged table bespeak.guest_hold (
    hold_id uuid not null,
    resource_id bigint not null,
    prefix text,
    guest text not null,
    units integer not null check (units > 0),
    placed_at timestamptz not null,
    expires_at timestamptz not null,
    -- How it ended, as far as a worker saw it; what lapsed is looked up in the hold itself.
    outcome text check (outcome in ('booked', 'released', 'wasted')),
    changed xid8 not null,
    primary key (hold_id, resource_id)
);
create index guest_hold_changed on bespeak.guest_hold (changed);
create index guest_hold_expires on bespeak.guest_hold (expires_at);

-- How much of a budget was spent by whom (an address, a guest's or a card's digest) in an hour.
create unlogged table bespeak.budget_count (
    budget text not null,
    who text not null,
    period timestamptz not null,
    amount bigint not null,
    changed xid8 not null,
    primary key (budget, who, period)
);
create index budget_count_changed on bespeak.budget_count (changed);
create index budget_count_period on bespeak.budget_count (period);
