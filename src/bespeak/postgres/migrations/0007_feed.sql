-- Reading the feed: every change, each once, causes before effects, none missing.

-- Events after a cursor (horizon, position), of one resource or of all, oldest first. Only events
-- are returned whose horizon, and so everything that sorts before them, has ended: a slow
-- transaction delays the feed for the moment that it takes, and never loses an event.
create function bespeak.events_after(
    in_horizon xid8, in_position bigint, in_resource bigint, in_limit integer)
returns setof bespeak.event
language plpgsql stable
set enable_seqscan = off
as $$
begin
    if in_resource is null then
        return query
        select e.* from bespeak.event e
        where (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    else
        return query
        select e.* from bespeak.event e
        where e.resource_id = in_resource
            and (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    end if;
end
$$;

-- After a database was restored by dump and reload its transaction numbers start anew, and old
-- events would look as if they were still to come. This puts them all in the past, in order.
create function bespeak.rebase_feed() returns bigint
language sql as $$
    with moved as (
        update bespeak.event set horizon = '3'::xid8
        where exists (
            select from bespeak.event where horizon > pg_snapshot_xmax(pg_current_snapshot()))
        returning 1
    )
    select count(*) from moved
$$;
