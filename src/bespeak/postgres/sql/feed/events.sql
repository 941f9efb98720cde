-- The feed: every change, each once, causes before effects, none missing.

-- A page of the feed behind a cursor (null: from the beginning), of one resource or of all, oldest first.
-- Only events come that have a position: a slow transaction delays the feed for the moment that it takes,
-- and never loses an event. Raises BS004, and BS080 where the cursor is of another life of the feed.
create or replace function bespeak.events_after(in_cursor text, in_resource bigint, in_limit integer)
returns table (cursor text, "position" bigint, kind text, resource_id bigint, hold_id uuid, units text[],
    quantities integer[], at timestamptz, data jsonb, actor text)
language plpgsql stable
as $$
declare
    v_from constant bespeak.feed_page := bespeak.feed_place(bespeak.cursor_position(in_cursor));
begin
    return query
    -- The epoch of a position is the last that had begun before it.
    select to_hex((select max(f.epoch) from bespeak.feed_epoch f where f.begins < n.position))
            || '-' || to_hex(n.position),
        n.position, e.kind, e.resource_id, e.hold_id, e.units, e.quantities, e.at, e.data,
        e.actor
    from (
        select a.* from bespeak.numbered_of_all(v_from, in_limit) a where in_resource is null
        union all
        select r.* from bespeak.numbered_of_resource(v_from, in_resource, in_limit) r
        where in_resource is not null
    ) n
    cross join lateral (select (n.event).*) e;
end
$$;

-- The rest of the page that begins behind a position, as a page: from which event on, which is the first
-- position, how many. Null where nothing is behind it yet.
create or replace function bespeak.feed_place(in_position bigint) returns bespeak.feed_page
language plpgsql stable
set enable_seqscan = off
as $$
declare
    v_page bespeak.feed_page;
    v_seen integer;
begin
    select p.* into v_page from bespeak.feed_page p
    where p.first + p.count > in_position + 1 and p.first >= (
        select coalesce(max(b.first), 0) from bespeak.feed_page b where b.first <= in_position + 1)
    order by p.first limit 1;
    v_seen := in_position + 1 - v_page.first;
    if v_seen > 0 then
        select e.horizon, e.position into v_page.after_horizon, v_page.after_position
        from bespeak.event e
        where (e.horizon, e.position) > (v_page.after_horizon, v_page.after_position)
            and e.horizon between v_page.after_horizon and v_page.until_horizon
        order by e.horizon, e.position offset v_seen - 1 limit 1;
        v_page.first := v_page.first + v_seen;
        v_page.count := v_page.count - v_seen;
    end if;
    return v_page;
end
$$;

-- The events from a place on, with their positions.
create or replace function bespeak.numbered_of_all(in_from bespeak.feed_page, in_limit integer)
returns table ("position" bigint, event bespeak.event)
language sql stable
set enable_seqscan = off
as $$
    select (in_from).first - 1 + row_number() over (order by e.horizon, e.position), e
    from bespeak.events_numbered((in_from).after_horizon, (in_from).after_position, in_limit) e
$$;

-- The events of a resource from a place on, with their positions, which are counted within their pages.
create or replace function bespeak.numbered_of_resource(in_from bespeak.feed_page, in_resource bigint,
    in_limit integer)
returns table ("position" bigint, event bespeak.event)
language sql stable
set enable_seqscan = off
as $$
    with found as materialized (
        select e as event from bespeak.event e
        where e.resource_id = in_resource
            and (e.horizon, e.position) > ((in_from).after_horizon, (in_from).after_position)
            and (e.horizon, e.position) <= (
                select p.until_horizon, p.until_position from bespeak.feed_page p
                order by p.first desc limit 1)
            and e.horizon between (in_from).after_horizon and (
                select p.until_horizon from bespeak.feed_page p order by p.first desc limit 1)
        order by e.horizon, e.position limit in_limit
    )
    select n.position, f.event
    from bespeak.feed_positions(array(select (f.event).horizon from found f),
        array(select (f.event).position from found f)) n
    join found f on (f.event).position = n.key
    order by n.position
$$;

-- The events behind one that have a position, oldest first: for followers that live in this database, and
-- go wherever it goes.
create or replace function bespeak.events_numbered(in_horizon bigint, in_position bigint, in_limit integer)
returns setof bespeak.event
language plpgsql stable
set enable_seqscan = off
as $$
declare
    v_last bespeak.feed_page;
begin
    select p.* into v_last from bespeak.feed_page p order by p.first desc limit 1;
    return query
    select e.* from bespeak.event e
    where (e.horizon, e.position) > (in_horizon, in_position)
        and (e.horizon, e.position) <= (v_last.until_horizon, v_last.until_position)
        and e.horizon between in_horizon and v_last.until_horizon
    order by e.horizon, e.position limit in_limit;
end
$$;
