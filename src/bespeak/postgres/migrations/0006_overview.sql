-- The counts that operators see.

-- What happened, by the minute: how many holds or bookings, how many units, how much money. The feed
-- has no index by time, and an operator's day may be a million events; so they are counted once, by a
-- follower that keeps its place with the counts, and a day is some thousand rows. Of `refunded` the
-- holds are counted whose money went back, of all others those to which it happened.
create table bespeak.minute_count (
    minute timestamptz not null,
    what text not null check (what in
        ('held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded')),
    -- Of what has an amount; else empty.
    currency text not null,
    count bigint not null,
    units bigint not null,
    amount bigint not null,
    primary key (minute, what, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Requests for holds that were refused. A refusal leaves no other trace; each process counts its own
-- and adds them here every few seconds, so that one that is killed loses some seconds of its counts.
create table bespeak.refusal_count (
    minute timestamptz not null,
    code text not null,
    count bigint not null,
    primary key (minute, code)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
