-- Which number is being served, and how many come before one.

-- Says which number is being served, and answers it. Whoever asks for a position is told.
create or replace function bespeak.set_serving(home bigint, number integer) returns integer
language plpgsql as $$
declare
    plan jsonb;
begin
    select r.plan into plan from bespeak.resource r where r.resource_id = home;
    if not found then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    if plan->>'type' is distinct from 'tickets' then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "resource"}');
    end if;
    if number is null or number not between 0 and 999999999 then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "number"}');
    end if;
    insert into bespeak.counter as c (resource_id, last, serving)
    values (home, coalesce((plan->>'first')::integer, 1) - 1, number)
    on conflict (resource_id) do update set serving = excluded.serving;
    return number;
end
$$;

-- The place in line of a hold or booking, by its lowest number of this resource: how many others
-- hold a lower number that has not been served yet. No row where it has no number, or none any more.
create or replace function bespeak.ticket_position(home bigint, id uuid)
returns table (number integer, ahead integer, serving integer)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    v_serving integer;
    v_prefix text;
    v_number integer;
begin
    select coalesce(r.plan->>'prefix', ''), coalesce(n.serving, 0) into v_prefix, v_serving
    from bespeak.resource r left join bespeak.counter n on n.resource_id = r.resource_id
    where r.resource_id = $1 and r.plan->>'type' = 'tickets';
    select min(bespeak.number_in(l.unit, v_prefix)) into v_number
    from bespeak.hold h,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    where h.resource_id = bespeak.home_of($2) and h.hold_id = $2
        and l.resource_id = $1 and l.quantity is null and exists (
            select from bespeak.claim c
            where c.resource_id = $1 and c.unit = l.unit and c.hold_id = $2
                and c.expires_at > v_now);
    if v_number is null then
        return;
    end if;
    return query
    select v_number, count(*)::integer, v_serving
    from bespeak.claim c
    where c.resource_id = $1 and c.expires_at > v_now and not bespeak.is_block(c.hold_id)
        and bespeak.number_in(c.unit, v_prefix) between v_serving + 1 and v_number - 1;
end
$$;
