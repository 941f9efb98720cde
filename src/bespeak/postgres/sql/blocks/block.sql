-- Blocks: units that the operator takes out of sale, as claims and draws that never expire.

-- Takes units of one resource out of sale, all or nothing, in one round trip. A null quantity
-- blocks an exclusive unit, a number that many of a pool. A source that has a standing block is
-- answered with that one. Outcomes: blocked, replayed, key_reused, taken (details list what stands
-- in the way).
create or replace function bespeak.block_units(
    home bigint, in_block_id uuid, in_reason text, in_units text[], in_quantities integer[],
    in_capacities integer[], key text, content bytea, in_source text default null)
returns table (outcome text, answered_at timestamptz, block bespeak.block, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    a record;
    short integer;
    v_conflicts jsonb;
    made bespeak.block;
begin
    -- The key comes first: a twin in flight waits here for its sibling, and sees its answer.
    if key is not null then
        insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint,
            subject, answered_at)
        values (home, '', 'block', key, content, in_block_id, v_now)
        on conflict do nothing;
        if not found then
            select * into a from bespeak.recall('block', home, '', key, content);
            return query
            select case when a.same then 'replayed' else 'key_reused' end, v_now, b, null::jsonb
            from bespeak.block b where b.resource_id = home and b.block_id = a.subject;
            return;
        end if;
    end if;

    -- Then the block itself: who imports the same entry at the same time waits here.
    insert into bespeak.block as b (resource_id, block_id, reason, units, quantities, created_at,
        source)
    values (home, in_block_id, in_reason, in_units, in_quantities, v_now, in_source)
    on conflict (resource_id, source) where source is not null and lifted_at is null do nothing
    returning b.* into made;
    if made.block_id is null then
        select b.* into made from bespeak.block b
        where b.resource_id = home and b.source = in_source and b.lifted_at is null;
        update bespeak.answer r set subject = made.block_id
        where r.resource_id = home and r.owner = '' and r.verb = 'block'
            and r.idempotency_key = key and r.subject = in_block_id;
        return query select 'replayed', v_now, made, null::jsonb;
        return;
    end if;

    -- What was taken for a block that is refused goes back as if it had never been touched.
    begin
        with line as materialized (
            select * from unnest(in_units, in_quantities) as l(unit, quantity) where l.quantity is null
        ), got as (
            insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
            select home, unit, in_block_id, 'infinity' from line order by unit
            on conflict (resource_id, unit) do update
                set hold_id = excluded.hold_id, expires_at = excluded.expires_at
                where c.expires_at <= v_now
            returning 1
        )
        select (select count(*) from line) - (select count(*) from got) into short;
        if short = 0 and exists (select from unnest(in_quantities) as n where n is not null) then
            select cardinality(bespeak.draw_from_pools(v_now, array[row(
                in_block_id, '', 2000000000, 2000000000, null, null, array_agg(home), array_agg(l.unit),
                array_agg(l.quantity), array_agg(l.capacity), 0, null, null, null, null, null, null, null, null)
                ::bespeak.hold_request], array[true]))
            into short
            from unnest(in_units, in_quantities, in_capacities) as l(unit, quantity, capacity)
            where l.quantity is not null;
        end if;
        if short > 0 then
            select c.details into v_conflicts from bespeak.conflicts(v_now, in_block_id,
                array_fill(home, array[cardinality(in_units)]), in_units, in_quantities,
                in_capacities) c;
            -- A private code, caught right below: it only undoes what this part wrote.
            raise exception using errcode = 'ZZ001';
        end if;
    exception when sqlstate 'ZZ001' then
        delete from bespeak.block b where b.resource_id = home and b.block_id = in_block_id;
        delete from bespeak.answer r
        where r.resource_id = home and r.owner = '' and r.verb = 'block'
            and r.idempotency_key = key and r.subject = in_block_id;
        return query select 'taken', v_now, null::bespeak.block, coalesce(v_conflicts, '[]');
        return;
    end;

    insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
    select home, l.unit, in_block_id, l.quantity, 'infinity'
    from unnest(in_units, in_quantities) as l(unit, quantity) where l.quantity is not null;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    values (home, bespeak.horizon(), 'blocked', in_block_id, in_units, in_quantities, v_now);
    return query select 'blocked', v_now, made, null::jsonb;
end
$$;
