-- Blocks: units that the operator takes out of sale, as claims and draws that never expire.

-- Takes units of one resource out of sale, all or nothing, in one round trip. A null quantity
-- blocks an exclusive unit, a number that many of a pool. A source that has a standing block is
-- answered with that one. The caller has checked the units against this version of the resource.
-- Outcomes: blocked, replayed, key_reused, plan_changed, taken (details list what stands in the way).
create or replace function bespeak.block_units(
    home bigint, in_block_id uuid, in_reason text, in_units text[], in_quantities integer[],
    in_capacities integer[], key text, content bytea, in_source text, in_version integer,
    in_actor text default null)
returns table (outcome text, answered_at timestamptz, block bespeak.block, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    a record;
    v_conflicts jsonb;
    made bespeak.block;
begin
    perform bespeak.keep_plans(array[home]);
    -- The key comes first: a twin in flight waits here for its sibling, and sees its answer.
    if key is not null then
        insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint,
            subject, answered_at)
        values (home, '', 'block', key, content, in_block_id, v_now)
        on conflict do nothing;
        if not found then
            select * into a from bespeak.recall('block', home, '', key, content);
            return query
            select a.outcome, v_now, b, null::jsonb
            from bespeak.block b where b.resource_id = home and b.block_id = a.subject;
            return;
        end if;
    end if;

    if in_version <> (select r.version from bespeak.resource r where r.resource_id = home) then
        delete from bespeak.answer r
        where r.resource_id = home and r.owner = '' and r.verb = 'block'
            and r.idempotency_key = key and r.subject = in_block_id;
        return query select 'plan_changed', v_now, null::bespeak.block, null::jsonb;
        return;
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

    v_conflicts := bespeak.take_for_block(v_now, made, in_capacities);
    if v_conflicts is not null then
        delete from bespeak.block b where b.resource_id = home and b.block_id = in_block_id;
        delete from bespeak.answer r
        where r.resource_id = home and r.owner = '' and r.verb = 'block'
            and r.idempotency_key = key and r.subject = in_block_id;
        return query select 'taken', v_now, null::bespeak.block, v_conflicts;
        return;
    end if;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    values (home, bespeak.horizon(), 'blocked', in_block_id, in_units, in_quantities, v_now,
        in_actor);
    return query select 'blocked', v_now, made, null::jsonb;
end
$$;

-- Claims and draws the units of a block for ever, as a hold would for its time, and answers null; or
-- what stands in the way, and then what was taken goes back as if it had never been touched.
create or replace function bespeak.take_for_block(
    v_now timestamptz, b bespeak.block, in_capacities integer[]) returns jsonb
language plpgsql as $$
declare
    request bespeak.hold_request;
    alive boolean[];
    way jsonb;
begin
    request.hold_id := b.block_id;
    request.resources := array_fill(b.resource_id, array[cardinality(b.units)]);
    request.units := b.units;
    request.quantities := b.quantities;
    request.capacities := in_capacities;
    alive := bespeak.claim_units(v_now, array[request], array[true]);
    if alive[1] then
        alive := bespeak.draw_from_pools(v_now, array[request], alive);
    end if;
    if not alive[1] then
        select coalesce(c.details, '[]') into way from bespeak.conflicts(
            v_now, b.block_id, request.resources, b.units, b.quantities, in_capacities) c;
        -- A private code, caught right below: it only undoes what this part wrote.
        raise exception using errcode = 'ZZ001';
    end if;
    return null;
exception when sqlstate 'ZZ001' then
    return way;
end
$$;
