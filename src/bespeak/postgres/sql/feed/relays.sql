-- Relays: durable followers that send the feed to a broker. A place is that of an event, as of any other
-- follower: it goes wherever the database goes, and is right in each life of the feed.

-- The place before the oldest event that is kept ('start'), behind the newest ('now'), or behind that of a
-- cursor. Raises BS004, BS080 and BS081, as reading the feed by a cursor does.
create or replace function bespeak.relay_place(in_after text)
returns table (horizon bigint, "position" bigint)
language plpgsql stable as $$
declare
    v_page bespeak.feed_page;
begin
    if in_after is distinct from 'now' then
        v_page := bespeak.feed_place(bespeak.cursor_position(nullif(in_after, 'start')));
    end if;
    if v_page.first is null then
        select p.until_horizon, p.until_position into v_page.after_horizon, v_page.after_position
        from bespeak.feed_page p order by p.first desc limit 1;
    end if;
    return query select coalesce(v_page.after_horizon, 0), coalesce(v_page.after_position, 0);
end
$$;

-- How many positions of the feed are up to a place; null where events behind it are deleted.
create or replace function bespeak.relayed_until(in_horizon bigint, in_position bigint) returns bigint
language plpgsql stable
set enable_seqscan = off
as $$
declare
    v_page bespeak.feed_page;
begin
    select p.* into v_page from bespeak.feed_page p
    where (p.after_horizon, p.after_position) <= (in_horizon, in_position)
    order by p.after_horizon desc, p.after_position desc limit 1;
    if not found then
        return case when not exists (select from bespeak.feed_page p) then 0 end;
    end if;
    return v_page.first - 1 + (
        select count(*) from bespeak.event e
        where (e.horizon, e.position) > (v_page.after_horizon, v_page.after_position)
            and (e.horizon, e.position) <= (in_horizon, in_position)
            and (e.horizon, e.position) <= (v_page.until_horizon, v_page.until_position)
            and e.horizon between v_page.after_horizon and v_page.until_horizon);
end
$$;

-- The events behind a place that have a position, oldest first, with all that a receiver needs to know of
-- where they stand: the epoch of their life, and behind which position it began. At most so many, and none
-- more once they have so many lines, which bounds how large they are together. Raises BS081.
create or replace function bespeak.events_to_relay(
    in_horizon bigint, in_position bigint, in_limit integer, in_lines integer)
returns table (cursor text, "position" bigint, epoch bigint, begins bigint, horizon bigint, key bigint,
    kind text, resource_id bigint, hold_id uuid, units text[], quantities integer[], at timestamptz,
    data jsonb, actor text)
language plpgsql stable
set enable_seqscan = off
as $$
declare
    v_until constant bigint := coalesce(bespeak.relayed_until(in_horizon, in_position),
        bespeak.kept_position(0));
begin
    return query
    select to_hex(l.epoch) || '-' || to_hex(n.position), n.position, l.epoch, l.begins, n.horizon,
        n.key, n.kind, n.resource_id, n.hold_id, n.units, n.quantities, n.at, n.data, n.actor
    from (
        select v_until + row_number() over (order by e.horizon, e.position) as "position", e.horizon,
            sum(coalesce(cardinality(e.units), 0)) over (order by e.horizon, e.position)
                - coalesce(cardinality(e.units), 0) as lines_before,
            e.position as key, e.kind, e.resource_id, e.hold_id, e.units, e.quantities, e.at, e.data,
            e.actor
        from bespeak.events_numbered(in_horizon, in_position, in_limit) e
    ) n
    cross join lateral (
        select f.epoch, f.begins from bespeak.feed_epoch f
        where f.begins < n.position order by f.epoch desc limit 1
    ) l
    where n.lines_before < in_lines
    order by n.position;
end
$$;
