-- Where the feed begins, and what goes of it when it begins later.

-- The oldest event that somebody has still to read or to send: the place of the slowest durable follower
-- but those that are named, or an event of which a message or a mail waits to be sent.
create or replace function bespeak.feed_needed_from(in_without text[])
returns table (horizon bigint, "position" bigint)
language sql stable as $$
    select n.horizon, n.position
    from (
        select f.horizon, f.position from bespeak.follower f where f.name <> all(in_without)
        union all
        (select d.horizon, d.position - 1 from bespeak.webhook_delivery d
         where d.state = 'pending' and d.resource_id > 0 order by d.horizon, d.position limit 1)
        union all
        (select m.horizon, m.position - 1 from bespeak.mail m
         where m.state = 'pending' and m.position is not null order by m.horizon, m.position limit 1)
    ) n
    order by n.horizon, n.position limit 1
$$;

-- Lets the feed begin later: at most so many pages of positions go, of which every event is past its time
-- and nobody needs one. Answers how many. The last page stays, since it says where the feed goes on.
create or replace function bespeak.begin_feed_later(
    in_before timestamptz, in_without text[], in_pages integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
    v_needed record;
    v_gone integer;
begin
    perform set_config('synchronous_commit', 'off', true);
    -- Before anything is locked, since the feed waits for whoever writes. What is written down to be sent
    -- meanwhile is of events behind the follower's place as it is seen here.
    select n.* into v_needed from bespeak.feed_needed_from(in_without) n;
    perform from bespeak.feed_page p
    where p.first = (select min(o.first) from bespeak.feed_page o)
    for update skip locked;
    if not found then
        return 0;
    end if;
    delete from bespeak.feed_page g
    using (
        select p.first, bool_and((p.until_horizon, p.until_position)
                <= (v_needed.horizon, v_needed.position)
            and (select max(e.at) from bespeak.event e
                where (e.horizon, e.position) > (p.after_horizon, p.after_position)
                    and (e.horizon, e.position) <= (p.until_horizon, p.until_position)
                    and e.horizon between p.after_horizon and p.until_horizon) <= in_before)
            over (order by p.first) as is_past
        from (
            select o.* from bespeak.feed_page o
            where o.first < (select max(l.first) from bespeak.feed_page l)
            order by o.first limit in_pages
        ) p
    ) j
    where g.first = j.first and j.is_past;
    get diagnostics v_gone = row_count;
    return v_gone;
end
$$;

-- The next events before the beginning of the feed that are deleted one by one, oldest first, up to the
-- first that is younger than the time: those of a part that is not going to be dropped soon.
create or replace function bespeak.past_events(in_before timestamptz, in_limit integer)
returns setof bespeak.event
language plpgsql stable
set enable_seqscan = off
as $$
declare
    v_first bespeak.feed_page;
begin
    select p.* into v_first from bespeak.feed_page p order by p.first limit 1;
    return query
    select (w.event).* from (
        select n.event, bool_and((n.event).at <= in_before)
            over (order by (n.event).horizon, (n.event).position) as is_past
        from (
            select e as event from bespeak.event e
            where (e.horizon, e.position) <= (v_first.after_horizon, v_first.after_position)
                and e.horizon <= v_first.after_horizon
            order by e.horizon, e.position limit in_limit
        ) n
    ) w
    where w.is_past;
end
$$;

-- Which kinds of events stay for the timeline of their hold: those of the index event_of_booking.
create or replace function bespeak.is_kept(kind text) returns boolean
language sql immutable as $$
    select kind not in ('created', 'changed', 'held', 'extended', 'released', 'expired', 'blocked',
        'unblocked')
$$;

-- Lets so many of these events go, and keeps those of bookings for their timelines. The turn is named by
-- the position of its first event; no row where it is not the next any more.
create or replace function bespeak.let_go_events(
    in_first bigint, in_events integer, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_gone integer;
begin
    perform set_config('synchronous_commit', 'off', true);
    if not pg_try_advisory_xact_lock(7094970123) then
        return;
    end if;
    perform from bespeak.past_events(in_before, 1) e where e.position = in_first;
    if not found then
        return;
    end if;
    with past as materialized (
        select e.resource_id, e.horizon, e.position from bespeak.past_events(in_before, in_events) e
    ), deleted as (
        delete from bespeak.event e using past p
        where e.resource_id = p.resource_id and e.horizon = p.horizon and e.position = p.position
        returning e.*
    ), kept as (
        insert into bespeak.kept_event (resource_id, horizon, position, kind, hold_id, units,
            quantities, at, data, actor)
        select d.resource_id, d.horizon, d.position, d.kind, d.hold_id, d.units, d.quantities, d.at,
            d.data, d.actor
        from deleted d where d.hold_id is not null and bespeak.is_kept(d.kind)
        on conflict do nothing
    )
    select count(*) into v_gone from deleted;
    return query select v_gone;
end
$$;
