-- What is taken of listings, night by night, for the board of a property. Exact rooms are named before the
-- date, so each room is a stretch of the index of its own; a counted type is one.
create function stays.taken(numbers bigint[], first text, last text)
returns table (resource_id bigint, night text, hold_id uuid, rooms integer)
language sql stable rows 1000 as $$
    select d.resource_id, d.unit, d.hold_id, d.quantity
    from unnest(numbers) as n(number)
    join bespeak.draw d on d.resource_id = n.number and d.unit >= first and d.unit < last
    where d.expires_at > bespeak.now()
    union all
    select c.resource_id, right(c.unit, 10), c.hold_id, 1
    from unnest(numbers) as n(number)
    join bespeak.resource r on r.resource_id = n.number
    cross join lateral jsonb_array_elements_text(
        case jsonb_typeof(r.plan -> 'rooms') when 'array' then r.plan -> 'rooms' else '[]' end) as o(room)
    -- Room by room, each a range of the index; joined freely, all of a listing's claims would be read.
    cross join lateral (select e.* from bespeak.claim e where e.resource_id = n.number
        and e.unit >= o.room || '@' || first and e.unit < o.room || '@' || last offset 0) c
    where c.expires_at > bespeak.now()
$$;

-- The lines of nights that holds and bookings have of listings, with how many rooms of each are left when
-- what was cancelled is taken away, and what these cost: each line's own share.
create function stays.lines_of(numbers bigint[], named text[], holds uuid[])
returns table (resource_id bigint, hold_id uuid, place integer, room text, rooms integer,
    first date, last date, amount bigint, currency text, expires_at timestamptz,
    confirmed_at timestamptz, total bigint, given_back bigint, contact jsonb)
language sql stable rows 1000 as $$
    select n.number, h.hold_id, l.place::integer, l.said ->> 'unit', o.of_line - o.gone,
        (l.said ->> 'from')::date, (l.said ->> 'to')::date,
        case when g.hold_id is null
            then coalesce(h.amounts[l.place], 0) * (o.of_line - o.gone) / o.of_line else 0 end::bigint,
        h.currency, h.expires_at, b.confirmed_at,
        case when g.hold_id is null then coalesce(b.amount, h.amount) else 0 end,
        (select coalesce(sum(h.amounts[a.place] * b.cancelled_shown[a.place]
                / coalesce((a.said -> 'line' ->> 'quantity')::integer, 1)), 0)::bigint
            from jsonb_array_elements(h.shown -> 'lines') with ordinality as a(said, place)),
        b.contact
    from unnest(holds) as t(hold_id)
    join bespeak.hold h on h.resource_id = bespeak.home_of(t.hold_id) and h.hold_id = t.hold_id
    left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id
    left join bespeak.free_sale g on g.resource_id = h.resource_id and g.hold_id = h.hold_id
    cross join lateral (select e.said -> 'line' as said, e.place
        from jsonb_array_elements(h.shown -> 'lines') with ordinality as e(said, place)) l
    cross join lateral (select coalesce((l.said ->> 'quantity')::integer, 1) as of_line,
        coalesce(b.cancelled_shown[l.place], 0) as gone) o
    join unnest(numbers, named) as n(number, name) on n.name = l.said ->> 'resource_id'
    where l.said ->> 'from' is not null and l.said ->> 'to' is not null and o.of_line > o.gone
$$;
