-- The single forms that block units and put them back on sale.

-- Takes units of one resource out of sale.
create or replace function bespeak.block(
    resource text, units text[], reason text, quantities integer[] default null,
    idempotency_key text default null,
    actor text default null)
returns table (id text, blocked_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    home constant bigint := bespeak.resource_number($1);
    counts integer[];
    capacities integer[];
    bad jsonb;
    answer record;
begin
    perform bespeak.check_lines(array[$1], $2, $4);
    perform bespeak.check_units($2);
    if $3 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($3, 'reason', 500);
    perform bespeak.check_text($5, 'idempotency_key', 200);
    perform bespeak.check_text($6, 'actor', 64);
    counts := coalesce($4, array_fill(null::integer, array[cardinality($2)]));
    perform bespeak.keep_plans(array[home]);
    perform bespeak.check_plan(home, r.plan, false)
    from bespeak.resource r where r.resource_id = home;
    if not found then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    select jsonb_agg(l.unit) filter (
            where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n)
    into bad, capacities
    from bespeak.resource r, unnest($2, counts) with ordinality as l(unit, quantity, n)
    left join lateral bespeak.plan_unit(r.plan, l.unit) p on true
    where r.resource_id = home;
    if bad is not null then
        perform bespeak.refuse('unknown_unit', 'BS003', bad);
    end if;
    select b.* into answer from bespeak.block_units(home, bespeak.new_id(home, true), $3, $2,
        counts, capacities, $5, bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[cardinality($2)]), $2, counts)) || bespeak.field_print($3),
        null, (select r.version from bespeak.resource r where r.resource_id = home), $6) b;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('blk', (answer.block).block_id),
        (answer.block).created_at;
end
$$;

-- Puts a block's units back on sale: all of them, or some.
create or replace function bespeak.unblock(
    id text, units text[] default null, quantities integer[] default null,
    idempotency_key text default null,
    actor text default null)
returns table (block_id text, lifted_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    number constant uuid := bespeak.id_uuid($1);
    home constant bigint := bespeak.home_of(number);
    counts integer[];
    answer record;
begin
    perform bespeak.check_text($4, 'idempotency_key', 200);
    perform bespeak.check_text($5, 'actor', 64);
    if $2 is not null then
        perform bespeak.check_lines(array[$1], $2, $3);
        perform bespeak.check_units($2);
        counts := coalesce($3, array_fill(null::integer, array[cardinality($2)]));
    end if;
    select b.* into answer from bespeak.unblock_units(home, number, $2, counts, $4,
        bespeak.field_print(number::text) || bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[coalesce(cardinality($2), 0)]), $2, counts)), $5) b;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'block_not_found' else answer.outcome end,
        answer.details);
    return query select $1, (answer.block).lifted_at;
end
$$;
