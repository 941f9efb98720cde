-- Events are parted by ranges of their horizon, so that what is past its time goes as a whole. All who
-- read the feed name a horizon to begin at, so no more than the newest parts are looked at.

-- What of the feed belongs to a booking, and stays when its event goes: for timelines.
create table bespeak.kept_event (
    resource_id bigint not null,
    horizon bigint not null,
    position bigint not null,
    kind text not null,
    hold_id uuid not null,
    units text[],
    quantities integer[],
    at timestamptz not null,
    data jsonb,
    primary key (resource_id, horizon, position)
);

create index kept_event_of_hold on bespeak.kept_event (hold_id);
create index kept_event_of_late_money on bespeak.kept_event ((data->>'hold_id'))
    where kind = 'payment_late';

-- What is there becomes the first part, with its indexes, and is not written anew.
alter table bespeak.event rename to event_first;
alter index bespeak.event_pkey rename to event_first_pkey;
alter index bespeak.event_feed rename to event_first_feed;
alter index bespeak.event_of_booking rename to event_first_of_booking;
alter index bespeak.event_of_late_money rename to event_first_of_late_money;

-- What happened, a row for each hold and resource that it touched. `units` are the units whose
-- state this event changed: an expiry lists only what was still the hold's, not what was taken over.
-- Its parts are made by `bespeak.make_event_partitions()`; the default one is for what comes when that
-- was not done in time.
create table bespeak.event (
    like bespeak.event_first including defaults including constraints including storage,
    primary key (resource_id, horizon, position)
) partition by range (horizon);

-- Followers of everything read in this order; rows only ever arrive at the right edge.
create index event_feed on bespeak.event (horizon, position);

-- A booking's timeline. What happens to every hold is left out (the hold itself knows when it was
-- placed and ended), so that the hot path writes no second entry.
create index event_of_booking on bespeak.event (hold_id)
    where kind not in ('created', 'changed', 'held', 'extended', 'released', 'expired', 'blocked',
        'unblocked');

-- From a hold that late money pays for now back to the one that the money was for: rare.
create index event_of_late_money on bespeak.event ((data->>'hold_id')) where kind = 'payment_late';

-- Only ever grown at its end, and dropped: nothing to vacuum but what was moved to kept_event.
create table bespeak.event_default partition of bespeak.event default
    with (autovacuum_vacuum_scale_factor = 0.2);

-- The first part ends where the next range of horizons begins.
do $$
declare
    v_range constant bigint := 16777216;
    v_newest constant bigint := greatest(
        (select max(e.horizon) from bespeak.event_first e),
        coalesce((select max(f.base) from bespeak.feed_epoch f), 0)
            + pg_snapshot_xmax(pg_current_snapshot())::text::bigint);
begin
    execute format('alter table bespeak.event attach partition bespeak.event_first'
        ' for values from (minvalue) to (%s)', (v_newest / v_range + 1) * v_range);
end
$$;
