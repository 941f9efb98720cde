-- The parts of the feed: made before they are needed, dropped when all that is in them is past its time.

-- How many horizons a part has: as many transactions of the server, some hours to some weeks of them.
-- Each statement that reads the feed locks all parts, so they are few and large.
create or replace function bespeak.event_range() returns bigint
language sql immutable as $$ select 16777216::bigint $$;

-- The parts, by what they begin with (null: all that is before the end) and end before (null: the default
-- one, for what has no other).
create or replace function bespeak.event_partitions()
returns table (name text, from_horizon bigint, until_horizon bigint)
language sql stable as $$
    select c.relname::text, substring(b.bounds from 'FROM \(''?(\d+)')::bigint,
        substring(b.bounds from 'TO \(''?(\d+)')::bigint
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bounds) b
    where i.inhparent = 'bespeak.event'::regclass
$$;

-- Makes the parts for the present horizon and for so many ranges after it; answers how many. Where events
-- have come to the default part meanwhile, the next part begins behind them. Attaching locks the default
-- part, which is empty but in that case, and lets all others read and write; raises 55P03 where
-- somebody reads it for longer than a moment.
create or replace function bespeak.make_event_partitions(in_ahead integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
    v_range constant bigint := bespeak.event_range();
    v_stray constant bigint := (select max(e.horizon) from bespeak.event_default e);
    v_present constant bigint := greatest(bespeak.settled_horizon(), v_stray);
    v_next bigint;
    v_made integer := 0;
begin
    select max(p.until_horizon) into v_next from bespeak.event_partitions() p;
    v_next := greatest(v_next, (v_stray / v_range + 1) * v_range);
    while v_next <= (v_present / v_range + in_ahead) * v_range loop
        if not pg_try_advisory_xact_lock(7094970123) then
            return v_made;
        end if;
        perform set_config('lock_timeout', '50ms', true);
        execute format('create table bespeak.%I (like bespeak.event including all)'
            ' with (autovacuum_vacuum_scale_factor = 0.2)', 'event_' || v_next / v_range);
        execute format('alter table bespeak.event attach partition bespeak.%I'
            ' for values from (%s) to (%s)', 'event_' || v_next / v_range, v_next, v_next + v_range);
        v_next := v_next + v_range;
        v_made := v_made + 1;
    end loop;
    return v_made;
end
$$;

-- The oldest part of which all is before the beginning of the feed, with about how many rows it has. No
-- row: there is none.
create or replace function bespeak.past_partition() returns table (name text, events bigint)
language sql stable as $$
    select p.name, greatest(c.reltuples, 0)::bigint
    from bespeak.event_partitions() p
    join pg_class c on c.oid = format('bespeak.%I', p.name)::regclass
    where p.until_horizon <= (
        select g.after_horizon from bespeak.feed_page g order by g.first limit 1)
    order by p.until_horizon limit 1
$$;

-- Moves events of bookings out of a part that is about to go, a batch at a time; how many.
create or replace function bespeak.move_kept_events(in_partition text, in_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
    v_moved integer;
begin
    perform set_config('synchronous_commit', 'off', true);
    execute format($move$
        with moved as (
            delete from bespeak.%1$I e
            where e.ctid = any(array(
                select k.ctid from bespeak.%1$I k
                where k.hold_id is not null and k.kind not in ('created', 'changed', 'held', 'extended',
                    'released', 'expired', 'blocked', 'unblocked')
                limit $1))
            returning e.*
        )
        insert into bespeak.kept_event (resource_id, horizon, position, kind, hold_id, units,
            quantities, at, data, actor)
        select m.resource_id, m.horizon, m.position, m.kind, m.hold_id, m.units, m.quantities, m.at,
            m.data, m.actor
        from moved m
        on conflict do nothing
        $move$, in_partition)
    using in_limit;
    get diagnostics v_moved = row_count;
    return v_moved;
end
$$;

-- Takes a part out of the feed, to be dropped; false where it is not past, or events of bookings are in
-- it. It has to have the feed for itself for an instant, for which it waits 50 ms and then raises 55P03:
-- a lock that waits makes all wait that come after it.
create or replace function bespeak.detach_partition(in_partition text) returns boolean
language plpgsql
set enable_seqscan = off
as $$
begin
    if in_partition is distinct from (select p.name from bespeak.past_partition() p)
        or bespeak.move_kept_events(in_partition, 1) > 0
    then
        return false;
    end if;
    perform set_config('lock_timeout', '50ms', true);
    execute format('alter table bespeak.event detach partition bespeak.%I', in_partition);
    -- By this it is known to whoever goes on, should we die before it is dropped.
    execute format('comment on table bespeak.%I is ''past its time''', in_partition);
    return true;
end
$$;

-- Drops the parts that were taken out of the feed; how many.
create or replace function bespeak.drop_partitions() returns integer
language plpgsql as $$
declare
    v_dropped integer := 0;
    r record;
begin
    perform set_config('lock_timeout', '50ms', true);
    for r in
        select c.relname as name from pg_class c
        where c.relnamespace = 'bespeak'::regnamespace and c.relkind = 'r' and not c.relispartition
            and obj_description(c.oid, 'pg_class') = 'past its time'
    loop
        execute format('drop table bespeak.%I', r.name);
        v_dropped := v_dropped + 1;
    end loop;
    return v_dropped;
end
$$;
