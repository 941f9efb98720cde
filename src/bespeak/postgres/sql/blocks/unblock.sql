-- Blocked units go back on sale.

-- Puts blocked units back on sale: all that the block still has, or some of its lines.
-- Outcomes: unblocked (the details are what was freed), replayed, key_reused, not_found, not_blocked (a
-- line is not the block's).
create or replace function bespeak.unblock_units(
    home bigint, in_block_id uuid, in_units text[], in_quantities integer[], key text, content bytea,
    in_actor text default null)
returns table (outcome text, answered_at timestamptz, block bespeak.block, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    b bespeak.block;
    a record;
    units text[];
    quantities integer[];
    left_units text[];
    left_quantities integer[];
    bad jsonb;
begin
    select * into b from bespeak.block k
    where k.resource_id = home and k.block_id = in_block_id for update;
    v_now := bespeak.now();
    if not found then
        return query select 'not_found', v_now, null::bespeak.block, null::jsonb;
        return;
    end if;
    select * into a from bespeak.recall('unblock', home, '', key, content);
    if found then
        return query
        select a.outcome, v_now, b, null::jsonb;
        return;
    end if;
    -- What it still has; a pool's line may be given back in part.
    with had as (
        select * from unnest(b.units, b.quantities) as l(unit, quantity)
    ), asked as (
        select * from unnest(coalesce(in_units, b.units),
            case when in_units is null then b.quantities else in_quantities end)
            as s(unit, quantity)
    )
    select array_agg(s.unit), array_agg(s.quantity),
        (select array_agg(h.unit) from had h left join asked s on s.unit = h.unit
         where s.unit is null or h.quantity > s.quantity),
        (select array_agg(h.quantity - coalesce(s.quantity, 0)) from had h
         left join asked s on s.unit = h.unit where s.unit is null or h.quantity > s.quantity),
        jsonb_agg(jsonb_build_object('resource_id', home, 'unit', s.unit)) filter (
            where h.unit is null or (h.quantity is null) <> (s.quantity is null)
                or s.quantity > h.quantity)
    into units, quantities, left_units, left_quantities, bad
    from asked s left join had h on h.unit = s.unit;
    if bad is not null or b.lifted_at is not null then
        return query select 'not_blocked', v_now, b, bad;
        return;
    end if;

    perform bespeak.tell_freed('unblocked', v_now, array[in_block_id], array[home],
        array[in_actor], array_agg(f.hold_id), array_agg(f.resource_id), array_agg(f.unit),
        array_agg(f.quantity))
    from bespeak.free_lines(array_fill(in_block_id, array[cardinality(units)]),
        array_fill(home, array[cardinality(units)]), units, quantities) f;
    if key is not null then
        perform bespeak.remember('unblock', v_now, array[home], array[''], array[key],
            array[content], array[in_block_id]);
    end if;
    return query
    with lifted as (
        update bespeak.block k
        set units = coalesce(left_units, '{}'), quantities = coalesce(left_quantities, '{}'),
            lifted_at = case when left_units is null then v_now end
        where k.resource_id = home and k.block_id = in_block_id
        returning k
    )
    select 'unblocked', v_now, lifted.k, to_jsonb(units) from lifted;
end
$$;
