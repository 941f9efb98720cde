-- The positions of the feed: dense, in the order of (horizon, position), given to what is settled.

-- The last position that was given.
create or replace function bespeak.feed_end() returns bigint
language sql stable as $$
    select coalesce((select p.first + p.count - 1 from bespeak.feed_page p
        order by p.first desc limit 1), 0)
$$;

-- For how many seconds the oldest event that can be seen has had no position; null where all have one. All
-- that is behind it in the order was committed after it was written: so who has read up to the end of the
-- feed knows all that was committed before.
create or replace function bespeak.feed_waits() returns double precision
language plpgsql volatile
set enable_seqscan = off
as $$
declare
    v_last bespeak.feed_page;
begin
    select p.* into v_last from bespeak.feed_page p order by p.first desc limit 1;
    return (
        select extract(epoch from bespeak.now() - e.at)
        from bespeak.event e
        where (e.horizon, e.position)
                > (coalesce(v_last.until_horizon, 0), coalesce(v_last.until_position, 0))
            and e.horizon >= coalesce(v_last.until_horizon, 0)
        order by e.horizon, e.position limit 1
    );
end
$$;

-- Gives positions to what is settled, to at most so many events at once; how many. Any number may call it:
-- one numbers, the others get null. The same events get the same positions, whoever numbers them, also
-- when what the last one wrote was lost in a crash: what is settled has an order that nothing more comes
-- into, and all of it is on disk.
create or replace function bespeak.number_events(in_limit integer default 2560) returns integer
language plpgsql volatile
set enable_seqscan = off
as $$
declare
    v_begins bigint;
    v_settled bigint;
    v_page bespeak.feed_page;
    v_fresh integer;
    v_done integer := 0;
begin
    if not pg_try_advisory_xact_lock(7094970119) then
        return null;
    end if;
    v_begins := (bespeak.present_epoch()).begins;
    v_settled := bespeak.settled_horizon();
    select p.* into v_page from bespeak.feed_page p order by p.first desc limit 1;
    if not found then
        v_page.first := 1;
        v_page.count := 0;
        v_page.until_horizon := 0;
        v_page.until_position := 0;
    end if;
    while v_done < in_limit loop
        -- A page ends when it is full, and with its epoch.
        if v_page.count in (0, 256) or v_page.first <= v_begins then
            v_page.first := v_page.first + v_page.count;
            v_page.count := 0;
            v_page.after_horizon := v_page.until_horizon;
            v_page.after_position := v_page.until_position;
        end if;
        select s.count, s.until_horizon, s.until_position
        into v_fresh, v_page.until_horizon, v_page.until_position
        from bespeak.settled_stretch(v_page.until_horizon, v_page.until_position, v_settled,
            least(256 - v_page.count, in_limit - v_done)) s;
        exit when not found;
        perform bespeak.write_page(v_page, v_fresh);
        v_page.count := v_page.count + v_fresh;
        v_done := v_done + v_fresh;
    end loop;
    return v_done;
end
$$;

-- The next events behind one, up to a horizon: how many, at most so many, and where they end. No row: none.
create or replace function bespeak.settled_stretch(in_horizon bigint, in_position bigint,
    in_settled bigint, in_limit integer)
returns table (count integer, until_horizon bigint, until_position bigint)
language sql stable
set enable_seqscan = off
as $$
    select n::integer, horizon, "position"
    from (
        select e.horizon, e.position, row_number() over (order by e.horizon, e.position) as n
        from bespeak.event e
        where (e.horizon, e.position) > (in_horizon, in_position) and e.horizon >= in_horizon
            and e.horizon < in_settled
        order by e.horizon, e.position limit in_limit
    ) s
    order by n desc limit 1
$$;

-- Writes so many more events into a page: into a new one, or into the one that is there. The primary key
-- and the count keep two that number at once from doing it twice, should they ever come here.
create or replace function bespeak.write_page(in_page bespeak.feed_page, in_fresh integer) returns void
language plpgsql volatile as $$
begin
    if in_page.count = 0 then
        insert into bespeak.feed_page (first, count, after_horizon, after_position, until_horizon,
            until_position)
        values (in_page.first, in_fresh, in_page.after_horizon, in_page.after_position,
            in_page.until_horizon, in_page.until_position);
        return;
    end if;
    update bespeak.feed_page p
    set count = p.count + in_fresh, until_horizon = in_page.until_horizon,
        until_position = in_page.until_position
    where p.first = in_page.first and p.count = in_page.count;
    if not found then
        raise exception 'another numbers the feed' using errcode = 'serialization_failure';
    end if;
end
$$;

-- The positions of events, by their keys. One that has none yet does not come back.
create or replace function bespeak.feed_positions(in_horizons bigint[], in_positions bigint[])
returns table (key bigint, "position" bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = on  -- it joins arrays with arrays
as $$
    with pages as (
        select distinct p.*
        from unnest(in_horizons, in_positions) as k(horizon, "position")
        cross join lateral (
            select p.* from bespeak.feed_page p
            where (p.after_horizon, p.after_position) < (k.horizon, k.position)
            order by p.after_horizon desc, p.after_position desc limit 1
        ) p
    )
    select r.key, p.first + r.n - 1
    from pages p
    cross join lateral (
        select e.position as key, row_number() over (order by e.horizon, e.position) as n
        from bespeak.event e
        where (e.horizon, e.position) > (p.after_horizon, p.after_position)
            and (e.horizon, e.position) <= (p.until_horizon, p.until_position)
            and e.horizon between p.after_horizon and p.until_horizon
    ) r
    where r.key in (select unnest(in_positions))  -- each once, however often it is asked for
$$;
