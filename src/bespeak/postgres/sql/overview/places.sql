-- How full resources of seats and standing areas are, for lists of many.

-- How many seats, and places of these areas, are taken at a moment. What has lapsed is not counted, as the
-- next taker would not be stopped by it either. Areas are named, since limits and codes are pools as well. A
-- table of one row: so the planner takes its body into the statement, a fifth of the time for each row.
create or replace function bespeak.places_taken(in_resource bigint, in_areas text[], in_at timestamptz)
returns table (taken integer)
language sql stable as $$
    select (
        (select count(*) from bespeak.claim c where c.resource_id = in_resource and c.expires_at > in_at)
        + (select coalesce(sum(p.taken - case when p.lapses_at <= in_at then coalesce((
                    select sum(d.quantity) from bespeak.draw d
                    where d.resource_id = p.resource_id and d.unit = p.unit
                        and d.expires_at <= in_at), 0)
                else 0 end), 0)
            from bespeak.pool p where p.resource_id = in_resource and p.unit = any(in_areas))
    )::integer
$$;
