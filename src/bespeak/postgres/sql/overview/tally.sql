-- The counts of what happened, by the minute.

-- Reads on in the feed and counts, in one transaction with the cursor: each event once. Any number may
-- call it; one counts, the others get no row.
create or replace function bespeak.tally_events(in_limit integer)
returns table (events integer, last_at timestamptz)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_cursor bespeak.follower;
    v_one constant boolean := (select count(*) = 1 from bespeak.workspace);
begin
    perform set_config('synchronous_commit', 'off', true);
    select f.* into v_cursor from bespeak.follower f where f.name = 'overview'
    for update skip locked;
    if not found then
        return;
    end if;
    return query
    with batch as materialized (
        select * from bespeak.events_numbered(v_cursor.horizon, v_cursor.position, in_limit)
    ), counted as (
        insert into bespeak.minute_count as m (minute, what, currency, count, units, amount, workspace)
        select date_trunc('minute', e.at), e.kind,
            coalesce(b.currency, case e.kind when 'refunded' then e.data ->> 'currency' end, ''),
            count(distinct e.hold_id), coalesce(sum(u.units), 0),
            coalesce(sum(case
                -- A hold over several resources has an event for each; its price is at its home.
                when e.kind = 'confirmed' and e.resource_id = b.resource_id then b.amount
                when e.kind = 'refunded' then (e.data ->> 'amount')::bigint
            end), 0),
            -- While there is one workspace, nobody looks in which a resource is.
            case when v_one then 'default' else coalesce((select r.workspace
                from bespeak.resource r where r.resource_id = e.resource_id), 'default') end
        from batch e
        left join bespeak.booking b on e.kind = 'confirmed'
            and b.resource_id = bespeak.home_of(e.hold_id) and b.booking_id = e.hold_id
        cross join lateral (
            select sum(coalesce(q, 1)) as units from unnest(e.quantities) as q
        ) u
        where e.kind in ('held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded')
        group by 1, 2, 3, 7
        on conflict (minute, what, currency, workspace) do update
        set count = m.count + excluded.count, units = m.units + excluded.units,
            amount = m.amount + excluded.amount
        returning 1
    ), last as (
        select e.horizon, e.position, e.at from batch e
        order by e.horizon desc, e.position desc limit 1
    ), moved as (
        update bespeak.follower f set horizon = l.horizon, position = l.position
        from last l where f.name = 'overview'
        returning 1
    )
    select (select count(*) from batch)::integer, (select l.at from last l)
    from (select count(*) from counted) c, (select count(*) from moved) m;
end
$$;
