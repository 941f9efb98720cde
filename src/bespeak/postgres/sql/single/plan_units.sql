-- What SQL knows of a plan: the seats and pools of a room.

-- The units that a plan has, each with its capacity (null: an exclusive unit) and the price of its
-- category in minor units (null: the plan gives none). Counted rows count from `first` by `step`,
-- listed rows and tables name their seats; a table sold whole is one unit.
create or replace function bespeak.plan_units(plan jsonb)
returns table (unit text, capacity integer, price bigint)
language sql immutable as $$
    with prices as materialized (select bespeak.plan_prices(plan) as of_category),
    seat_rows as materialized (select * from bespeak.plan_rows(plan)),
    tables as materialized (select * from bespeak.plan_tables(plan))
    select r.start || n, null::integer, (p.of_category->>r.category)::bigint
    from prices p, seat_rows r,
        generate_series(r.first, r.first + (r.seats - 1) * r.step, r.step) n
    where r.without is null or n <> all (r.without)
    union all
    select r.start || l.label, null, (p.of_category->>coalesce(l.category, r.category))::bigint
    from prices p, seat_rows r, jsonb_to_recordset(r.listed) as l(label text, category text)
    union all
    select t.start || case when t.whole then '' else '-' || n end, null,
        (p.of_category->>t.category)::bigint
    from prices p, tables t, generate_series(1, case when t.whole then 1 else t.seats end) n
    union all
    select o.unit, o.capacity, (p.of_category->>o.category)::bigint
    from prices p,
        jsonb_to_recordset(plan->'pools') as o(unit text, capacity integer, category text)
$$;

-- One of these units, or no row. Nothing that has not the beginning of its name is unfolded, so that a
-- hold costs the same in a hall of ten seats and of ten thousand.
create or replace function bespeak.plan_unit(plan jsonb, wanted text)
returns table (unit text, capacity integer, price bigint)
language sql immutable as $$
    with prices as materialized (select bespeak.plan_prices(plan) as of_category),
    seat_rows as materialized (
        select r.*, substr(wanted, length(r.start) + 1) as rest from bespeak.plan_rows(plan) r
        where starts_with(wanted, r.start)
    ),
    counted as materialized (
        -- No number of the format has more digits.
        select r.*, case when r.rest ~ '^(0|-?[1-9][0-9]{0,7})$' then r.rest::integer end as n
        from seat_rows r where r.seats is not null
    )
    select wanted, null::integer, (p.of_category->>r.category)::bigint
    from prices p, counted r
    where (r.n - r.first) % r.step = 0 and (r.n - r.first) / r.step between 0 and r.seats - 1
        and (r.without is null or r.n <> all (r.without))
    union all
    select wanted, null, (p.of_category->>coalesce(l.category, r.category))::bigint
    from prices p, seat_rows r, jsonb_to_recordset(r.listed) as l(label text, category text)
    where l.label = r.rest
    union all
    select wanted, null, (p.of_category->>t.category)::bigint
    from prices p, bespeak.plan_tables(plan) t,
        generate_series(1, case when t.whole then 1 else t.seats end) n
    where starts_with(wanted, t.start)
        and wanted = t.start || case when t.whole then '' else '-' || n end
    union all
    select wanted, o.capacity, (p.of_category->>o.category)::bigint
    from prices p,
        jsonb_to_recordset(plan->'pools') as o(unit text, capacity integer, category text)
    where o.unit = wanted
$$;

-- The price of each category of a plan that has one, by its name.
create or replace function bespeak.plan_prices(plan jsonb) returns jsonb
language sql immutable as $$
    select coalesce(jsonb_object_agg(c.value->>'name', c.value->'price')
        filter (where c.value ? 'price'), '{}')
    from jsonb_array_elements(plan->'categories') c
$$;

-- The rows of a plan, counted or listed, each with how the names of its seats begin.
create or replace function bespeak.plan_rows(plan jsonb)
returns table (start text, category text, first integer, step integer, seats integer,
    without integer[], listed jsonb)
language sql immutable as $$
    select coalesce(s.value->>'prefix', '') || (r.value->>'name'),
        coalesce(r.value->>'category', s.value->>'category', 'standard'),
        coalesce((r.value->>'first')::integer, 1), coalesce((r.value->>'step')::integer, 1),
        (r.value->>'seats')::integer,
        (select array_agg(w.value::integer) from jsonb_array_elements(r.value->'without') w),
        r.value->'list'
    from jsonb_array_elements(plan->'sections') s, jsonb_array_elements(s.value->'rows') r
$$;

-- The tables of a plan, each with its name, or how the names of its seats begin.
create or replace function bespeak.plan_tables(plan jsonb)
returns table (start text, category text, seats integer, whole boolean)
language sql immutable as $$
    select coalesce(s.value->>'prefix', '') || t.name,
        coalesce(t.category, s.value->>'category', 'standard'), t.seats, t.whole
    from jsonb_array_elements(plan->'sections') s,
        jsonb_to_recordset(s.value->'tables')
            as t(name text, seats integer, category text, whole boolean)
$$;
