-- What SQL knows of a plan: the seats and pools of a room.

-- The units that a plan has, each with its capacity (null: an exclusive unit) and the price of its
-- category in minor units (null: the plan gives none). Counted rows count from `first` by `step`,
-- listed rows and tables name their seats; a table sold whole is one unit.
create or replace function bespeak.plan_units(plan jsonb)
returns table (unit text, capacity integer, price bigint)
language sql immutable as $$
    with prices as materialized (
        select coalesce(jsonb_object_agg(c.value->>'name', c.value->'price')
            filter (where c.value ? 'price'), '{}') as of_category
        from jsonb_array_elements(plan->'categories') c
    ),
    sections as materialized (
        select coalesce(s.value->>'prefix', '') as prefix,
            coalesce(s.value->>'category', 'standard') as category,
            s.value->'rows' as seat_rows, s.value->'tables' as tables
        from jsonb_array_elements(plan->'sections') s
    ),
    seat_rows as materialized (
        select s.prefix || (r.value->>'name') as start,
            coalesce(r.value->>'category', s.category) as category,
            coalesce((r.value->>'first')::integer, 1) as first,
            coalesce((r.value->>'step')::integer, 1) as step,
            (r.value->>'seats')::integer as seats,
            (select array_agg(w.value::integer) from jsonb_array_elements(r.value->'without') w)
                as without,
            r.value->'list' as listed
        from sections s, jsonb_array_elements(s.seat_rows) r
    )
    select r.start || n, null::integer, (p.of_category->>r.category)::bigint
    from prices p, seat_rows r,
        generate_series(r.first, r.first + (r.seats - 1) * r.step, r.step) n
    where r.without is null or n <> all (r.without)
    union all
    select r.start || l.label, null, (p.of_category->>coalesce(l.category, r.category))::bigint
    from prices p, seat_rows r, jsonb_to_recordset(r.listed) as l(label text, category text)
    union all
    select s.prefix || t.name || case when t.whole then '' else '-' || n end, null,
        (p.of_category->>coalesce(t.category, s.category))::bigint
    from prices p, sections s,
        jsonb_to_recordset(s.tables) as t(name text, seats integer, category text, whole boolean),
        generate_series(1, case when t.whole then 1 else t.seats end) n
    union all
    select o.unit, o.capacity, (p.of_category->>o.category)::bigint
    from prices p,
        jsonb_to_recordset(plan->'pools') as o(unit text, capacity integer, category text)
$$;
