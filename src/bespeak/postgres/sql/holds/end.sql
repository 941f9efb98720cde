-- The end of holds that were not confirmed: released, or their time is over.

-- Ends holds whose rows the caller has locked in state held: frees their lines and tells the feed.
create or replace function bespeak.end_holds(
    v_state text, v_now timestamptz, homes bigint[], ids uuid[], actors text[]) returns void
language plpgsql as $$
#variable_conflict use_column
declare
    holders uuid[];
    resources bigint[];
    units text[];
    quantities integer[];
begin
    if cardinality(ids) = 0 then
        return;
    end if;
    select array_agg(h.hold_id), array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity)
    into holders, resources, units, quantities
    from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity);
    select array_agg(f.hold_id), array_agg(f.resource_id), array_agg(f.unit), array_agg(f.quantity)
    into holders, resources, units, quantities
    from bespeak.free_lines(holders, resources, units, quantities) f;
    -- The guard names both sides, so that it is asked of what was found by its key. As a condition of the
    -- hold alone it would let the index of holds that are due, or the whole table, be read first: where
    -- statistics say that nothing is held, each was sought in all that is.
    update bespeak.hold h set state = v_state, ended_at = v_now, ended_by = g.actor
    from unnest(homes, ids, actors) as g(home, hold_id, actor)
    where h.resource_id = g.home and h.hold_id = g.hold_id
        and case when g.hold_id = h.hold_id then h.state = 'held' end;
    perform bespeak.tell_freed(
        v_state, v_now, ids, homes, actors, holders, resources, units, quantities);
end
$$;

-- Who ends holds whose time is over, as the actor of each.
create or replace function bespeak.sweepers(ids uuid[]) returns text[]
language sql immutable as $$ select array_fill('sweeper'::text, array[cardinality(ids)]) $$;

-- Expires at most in_limit holds that are due. It only tidies up and tells the feed: their units
-- were free to the next taker already. Skips what another verb or sweeper has locked, so any
-- number of sweepers may run, and none waits for a session that keeps a lock.
create or replace function bespeak.expire_holds(in_limit integer)
returns table (expired integer, next_due timestamptz, answered_at timestamptz)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    ids uuid[];
    homes bigint[];
begin
    with due as (
        select h.resource_id, h.hold_id from bespeak.hold h
        where h.state = 'held' and h.expires_at <= v_now
        order by h.expires_at
        limit in_limit
        for update skip locked
    )
    select coalesce(array_agg(resource_id), '{}'), coalesce(array_agg(hold_id), '{}')
    into homes, ids from due;
    select coalesce(array_agg(u.home), '{}'), coalesce(array_agg(u.hold_id), '{}')
    into homes, ids from bespeak.unlocked_holds(homes, ids) u;
    perform bespeak.end_holds('expired', v_now, homes, ids, bespeak.sweepers(ids));
    return query
    select cardinality(ids),
        (select h.expires_at from bespeak.hold h where h.state = 'held'
         order by h.expires_at limit 1),
        bespeak.now();
end
$$;

-- Which of these holds, whose rows the caller has locked, have no claim and no pool that another has
-- locked; those of them are locked from now on.
create or replace function bespeak.unlocked_holds(homes bigint[], ids uuid[])
returns table (home bigint, hold_id uuid)
language sql as $$
    select g.home, g.hold_id
    from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    cross join unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    left join lateral (
        select true as got from bespeak.claim c
        where l.quantity is null and c.resource_id = l.resource_id and c.unit = l.unit
            and c.hold_id = g.hold_id
        for update skip locked
    ) k on true
    left join lateral (
        select true as got from bespeak.pool p
        where l.quantity is not null and p.resource_id = l.resource_id and p.unit = l.unit
        for update skip locked
    ) p on true
    group by g.home, g.hold_id
    having bool_and(k.got is not null or p.got is not null or case
        when l.quantity is null then not exists (
            select from bespeak.claim c where c.resource_id = l.resource_id and c.unit = l.unit
                and c.hold_id = g.hold_id)
        else not exists (
            select from bespeak.pool q where q.resource_id = l.resource_id and q.unit = l.unit)
        end)
$$;
