-- The lives of the feed, and the order of events across them.

-- Which server this is, for as long as its transaction numbers go on and no other server has them: the
-- cluster, its timeline (a promotion or a restore begins a new one), the database, and the file of a table
-- that is loaded anew when a dump is. Not to be asked of a standby.
create or replace function bespeak.feed_server() returns text
language sql volatile as $$
    select concat_ws('-', c.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
        (select d.oid from pg_database d where d.datname = current_database()),
        pg_relation_filenode('bespeak.feed_epoch'))
    from pg_control_system() c
$$;

-- The present life of the feed. The first who asks in a new life opens it: so nobody sees an event of it
-- without its epoch. A standby is in the life that it has heard of.
create or replace function bespeak.present_epoch() returns bespeak.feed_epoch
language plpgsql volatile as $$
declare
    v_last bespeak.feed_epoch;
begin
    select e.* into v_last from bespeak.feed_epoch e order by e.epoch desc limit 1;
    if pg_is_in_recovery() then
        return v_last;
    end if;
    if v_last.server is distinct from bespeak.feed_server() then
        return bespeak.begin_epoch(v_last);
    end if;
    return v_last;
end
$$;

-- Begins a life of the feed by hand: after a disk was put back to an earlier state and its server was
-- started on it, which nothing in the database can know. Answers its epoch.
create or replace function bespeak.open_epoch() returns bigint
language sql volatile as $$
    select (bespeak.begin_epoch(e)).epoch
    from (values (true)) as one(row)
    left join lateral (select l from bespeak.feed_epoch l order by l.epoch desc limit 1) as last(e) on true
$$;

-- Begins the life after the last one that was seen, unless somebody else has, and answers the present
-- one. The base stays where the transaction numbers of this server go on from those of the events, as
-- they do after a promotion, and where it is opened by hand while others write.
create or replace function bespeak.begin_epoch(in_last bespeak.feed_epoch) returns bespeak.feed_epoch
language plpgsql volatile as $$
declare
    v_base constant bigint := coalesce(in_last.base, 0);
    v_chance constant bigint := ('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint;
    v_completed bigint;
    v_newest bigint;
    v_present bespeak.feed_epoch;
begin
    -- The lock of who numbers: no position is given beyond the end that is written down here.
    perform pg_advisory_xact_lock(7094970119);
    v_completed := pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1;
    v_newest := coalesce((select max(e.horizon) from bespeak.event e), 0);
    -- In repeatable read, where the other's row cannot be seen, this raises 40001: repeat.
    insert into bespeak.feed_epoch (epoch, server, base, begins, at)
    values ((coalesce(in_last.epoch, 0) >> 32) + 1 << 32 | v_chance, bespeak.feed_server(),
        case when v_base + v_completed >= v_newest then v_base else v_newest + 1 end,
        bespeak.feed_end(), bespeak.now())
    on conflict do nothing;
    if found and in_last.epoch is not null then
        -- The ids of webhook messages are made of these numbers. The life that was left behind may have
        -- given out some that this one has not heard of.
        perform setval('bespeak.event_position', nextval('bespeak.event_position')
            + (1::bigint << 32) + v_chance);
    end if;
    select e.* into v_present from bespeak.feed_epoch e order by e.epoch desc limit 1;
    return v_present;
end
$$;

-- What an event that is written now is ordered by. It is the event's own transaction or the latest that
-- had completed when it was written, whichever is later, behind all that this life found. The own
-- transaction makes the feed gap-free: it is read up to the oldest that runs. The latest completed makes
-- it causal: whoever waited for a row lock writes its event after the transaction that held the lock
-- completed, so it sorts behind it even where its own transaction number is smaller.
create or replace function bespeak.horizon() returns bigint
language plpgsql volatile as $$
declare
    v_own constant bigint := pg_current_xact_id()::text::bigint;
    v_last bespeak.feed_epoch;
begin
    select e.* into v_last from bespeak.feed_epoch e order by e.epoch desc limit 1;
    -- A session ends with its server: what it has found once need not be looked for at each event.
    if v_last.epoch::text is distinct from coalesce(current_setting('bespeak.epoch', true), '') then
        v_last := bespeak.present_epoch();
        perform set_config('bespeak.epoch', v_last.epoch::text, false);
    end if;
    return v_last.base + greatest(v_own, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1);
end
$$;

-- Before this horizon nothing can come any more: all that may still write there has ended.
create or replace function bespeak.settled_horizon() returns bigint
language sql stable as $$
    select coalesce((select e.base from bespeak.feed_epoch e order by e.epoch desc limit 1), 0)
        + pg_snapshot_xmin(pg_current_snapshot())::text::bigint
$$;
