-- The first phase of an erasure: what its owner still holds is let go.

-- Ends what an owner holds, at most in_limit holds placed before the erasure began. A hold that is being
-- paid for is left: its money comes first. Beginning a payment locks the hold too, so that one of the
-- two sees the other. Answers how many were ended, and how many of these released.
create or replace function bespeak.release_erased(in_owner text, in_before timestamptz, in_limit integer,
    in_actor text default null)
returns table (ended integer, released integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    homes bigint[];
    ids uuid[];
    lapsed_homes bigint[];
    lapsed uuid[];
begin
    select coalesce(array_agg(h.hold_id), '{}') into ids from (
        select h.hold_id from bespeak.hold h
        where h.state = 'held' and h.owner = in_owner and h.created_at <= in_before
        order by h.resource_id, h.hold_id limit in_limit
        for update
    ) h;
    v_now := bespeak.now();
    -- A statement of its own: it sees the payments that began while the locks were waited for.
    select coalesce(array_agg(h.resource_id) filter (where h.expires_at > v_now), '{}'),
        coalesce(array_agg(h.hold_id) filter (where h.expires_at > v_now), '{}'),
        coalesce(array_agg(h.resource_id) filter (where h.expires_at <= v_now), '{}'),
        coalesce(array_agg(h.hold_id) filter (where h.expires_at <= v_now), '{}')
    into homes, ids, lapsed_homes, lapsed
    from unnest(ids) as g(hold_id)
    join bespeak.hold h on h.resource_id = bespeak.home_of(g.hold_id) and h.hold_id = g.hold_id
    where not exists (
        select from bespeak.payment p
        where p.hold_id = h.hold_id and p.state in ('pending', 'authorized', 'captured')
            and p.late is distinct from 'refund');
    -- Both kinds free claims and pools, so each goes through them in a transaction of its own.
    if cardinality(ids) > 0 then
        perform bespeak.end_holds('released', v_now, homes, ids,
            array_fill(in_actor, array[cardinality(ids)]));
        return query select cardinality(ids), cardinality(ids);
    else
        perform bespeak.end_holds('expired', v_now, lapsed_homes, lapsed, bespeak.sweepers(lapsed));
        return query select cardinality(lapsed), 0;
    end if;
end
$$;
