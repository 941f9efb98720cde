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
    v_now timestamptz;
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    holds bespeak.hold[] := array_fill(null::bespeak.hold, array[cardinality(requests)]);
    good uuid[] := '{}';
    good_homes bigint[] := '{}';
    r record;
    a record;
begin
    for r in
        select q.ordinality as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
        holds[r.n] := r.hold;
        outcomes[r.n] := bespeak.hold_problem(v_now, r.asked_owner, r.hold);
        if r.idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select * into a from bespeak.recall('release', (r.hold).resource_id, (r.hold).owner,
                r.idempotency_key, r.fingerprint);
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        if outcomes[r.n] is null then
            good := good || (r.hold).hold_id;
            good_homes := good_homes || (r.hold).resource_id;
        end if;
    end loop;
    v_now := bespeak.now();

    perform bespeak.end_holds('released', v_now, good_homes, good);
    perform bespeak.remember('release', v_now, array_agg((holds[q.ordinality]).resource_id),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'released'), v_now,
        (select h from bespeak.hold h where h.resource_id = q.home and h.hold_id = q.hold_id),
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;
