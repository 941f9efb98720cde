-- Holds that must not leave a seat single: rows of seats are locked, and looked at.

-- Holds the rows of seats that the guards of these requests name until the transaction ends. Two
-- holds that are placed at once beside each other lock no row in common, so without this neither
-- would see that both together leave a seat single. In the order of the lock's own numbers.
create or replace function bespeak.lock_seat_rows(
    requests bespeak.hold_request[], alive boolean[]) returns void
language plpgsql as $$
begin
    perform pg_advisory_xact_lock(k.key)
    from (
        select distinct hashtextextended(g.resource_id || ':' || g.seat_row, 0) as key
        from unnest(requests) with ordinality as q, unnest(q.guards) as g
        where alive[q.ordinality]
        order by 1
    ) k;
end
$$;

-- Which requests that are alive leave seats single, and which seats: the seat is free, and its other
-- neighbour is a wall or taken. Called with the rows locked and the claims made, so that a neighbour
-- which is the hold's own is taken too.
create or replace function bespeak.single_seats(
    v_now timestamptz, requests bespeak.hold_request[], alive boolean[])
returns table (ordinal integer, details jsonb)
language sql stable as $$
    select q.ordinality::integer,
        jsonb_agg(distinct jsonb_build_object('resource_id', g.resource_id, 'unit', g.unit))
    from unnest(requests) with ordinality as q, unnest(q.guards) as g
    where alive[q.ordinality]
        and not exists (
            select from bespeak.claim c where c.resource_id = g.resource_id and c.unit = g.unit
                and c.expires_at > v_now)
        and (g.beyond is null
            or exists (
                select from bespeak.claim c where c.resource_id = g.resource_id
                    and c.unit = g.beyond and c.expires_at > v_now))
    group by q.ordinality
$$;
