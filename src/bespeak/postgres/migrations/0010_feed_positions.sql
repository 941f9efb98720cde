-- A feed that outlives its server. The order of events becomes a plain number, so that what a server begins
-- anew (its transaction numbers, after a dump and restore) can be put behind what it found. Before that order
-- stands a dense position, which is what followers keep.

alter table bespeak.event alter column horizon type bigint using horizon::text::bigint;
alter table bespeak.follower alter column horizon type bigint using horizon::text::bigint;
alter table bespeak.webhook_delivery alter column horizon type bigint using horizon::text::bigint;
alter table bespeak.mail alter column horizon type bigint using horizon::text::bigint;

-- The lives of the feed. A server that was promoted, restored or loaded from a dump begins a new one, before
-- its first event can be seen. The high half of an epoch counts them; the low half is chance, so that two
-- servers that were promoted of one do not take each other's cursors.
create table bespeak.feed_epoch (
    epoch bigint primary key check (epoch > 0),
    -- Which server: see bespeak.feed_server().
    server text not null,
    -- Added to the transaction numbers of this server: its events sort behind all that it found.
    base bigint not null check (base >= 0),
    -- The last position that was given before. Up to here the feed is that of the epoch before.
    begins bigint not null check (begins >= 0),
    at timestamptz not null
);

-- Two that open an epoch at the same time open one.
create unique index feed_epoch_number on bespeak.feed_epoch ((epoch >> 32));

-- Positions of events: those behind `after` and up to `until`, in the order of the feed, have the positions
-- from `first` on. So an event is not written a second time to be numbered.
create table bespeak.feed_page (
    first bigint primary key check (first > 0),
    count integer not null check (count between 1 and 256),
    after_horizon bigint not null,
    after_position bigint not null,
    until_horizon bigint not null,
    until_position bigint not null,
    constraint feed_page_goes_on
        check ((after_horizon, after_position) < (until_horizon, until_position))
) with (fillfactor = 80);  -- the last page grows in place

-- From an event to its page; and no two pages begin at the same event.
create unique index feed_page_order on bespeak.feed_page (after_horizon, after_position);
