-- Releasing holds.

-- Releases holds: all that they still have is free at once.
-- Outcomes: released, replayed, key_reused, and the problems of confirm_holds.
create or replace function bespeak.release_holds(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    holds constant bespeak.hold[] := bespeak.lock_holds(requests);
    v_now constant timestamptz := bespeak.now();  -- when all of them are locked
    outcomes text[] := bespeak.change_problems('release', v_now, requests, holds);
begin
    perform bespeak.end_holds('released', v_now, array_agg(q.home), array_agg(q.hold_id),
        array_agg(q.actor))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null
    having count(*) > 0;
    perform bespeak.remember_changes('release', v_now, requests, holds, outcomes);

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'released'), v_now,
        (select h from bespeak.hold h where h.resource_id = q.home and h.hold_id = q.hold_id),
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;
