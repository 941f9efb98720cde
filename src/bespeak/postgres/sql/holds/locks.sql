-- Holds that are to be changed. Every verb that changes holds locks the hold rows first, in key order,
-- and then follows the global order: claims, pools, draws.

-- Locks the holds of a batch, and answers them by request; null where there is no such hold.
create or replace function bespeak.lock_holds(requests bespeak.change_request[])
returns bespeak.hold[]
language plpgsql as $$
declare
    holds bespeak.hold[] := array_fill(null::bespeak.hold, array[cardinality(requests)]);
    r record;
begin
    for r in
        select q.ordinality as n, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        holds[r.n] := r.hold;
    end loop;
    return holds;
end
$$;

-- The outcomes of changes that cannot be made, of holds that are locked: not_found, the problems of a
-- hold, replayed, key_reused; null for those that can.
create or replace function bespeak.change_problems(
    verb text, v_now timestamptz, requests bespeak.change_request[], holds bespeak.hold[])
returns text[]
language plpgsql as $$
declare
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    request bespeak.change_request;
    h bespeak.hold;
    repeated text;
begin
    for i in 1 .. cardinality(requests) loop
        request := requests[i];
        h := holds[i];
        continue when h.hold_id is null;
        outcomes[i] := bespeak.hold_problem(v_now, request.owner, h);
        if request.idempotency_key is not null and outcomes[i] is distinct from 'not_owner' then
            select a.outcome into repeated from bespeak.recall(
                verb, h.resource_id, h.owner, request.idempotency_key, request.fingerprint) a;
            outcomes[i] := coalesce(repeated, outcomes[i]);
        end if;
    end loop;
    return outcomes;
end
$$;

-- Why a change of a hold cannot be made now; null when it can.
create or replace function bespeak.hold_problem(
    v_now timestamptz, asked_owner text, h bespeak.hold) returns text
language sql immutable as $$
    select case
        when asked_owner <> h.owner then 'not_owner'
        when h.state = 'confirmed' then 'hold_confirmed'
        when h.state = 'released' then 'hold_released'
        when h.state = 'expired' or h.expires_at <= v_now then 'hold_expired'
    end
$$;
