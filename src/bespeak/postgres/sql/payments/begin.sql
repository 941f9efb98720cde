-- Paying for holds: a payment begins, and pins its hold.

-- Begins payments: writes down that the provider is about to be asked, and lets the hold live as long
-- as the payment may take, within its cap. Outcomes: pending, replayed, key_reused, free (there is
-- nothing to pay), payment_in_progress, and the problems of confirm_holds.
create or replace function bespeak.begin_payments(home bigint, requests bespeak.payment_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    holds bespeak.hold[] := array_fill(null::bespeak.hold, array[cardinality(requests)]);
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    known uuid[];  -- the payment that is answered with, where none begins
    expiries timestamptz[];  -- until when a payment that begins keeps its hold, if that is longer
    v_offered constant uuid[] := bespeak.offered_instead(array(select q.hold_id from unnest(requests) as q));
    a record;
    r record;
begin
    for r in
        select q.ordinality::integer as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint,
            q.provider, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
        holds[r.n] := r.hold;
        outcomes[r.n] := bespeak.hold_problem(v_now, r.asked_owner, r.hold);
        if r.idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select p.payment_id, p.fingerprint = r.fingerprint as same into a
            from bespeak.payment p
            where p.resource_id = (r.hold).resource_id and p.owner = (r.hold).owner
                and p.idempotency_key = r.idempotency_key;
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
                known[r.n] := a.payment_id;
            end if;
        end if;
        continue when outcomes[r.n] is not null;
        -- Said before anybody is asked for money; the confirmation decides.
        outcomes[r.n] := case when (r.hold).exchange is not null or (r.hold).hold_id = any(v_offered)
            then 'exchange_' || bespeak.exchange_problem(v_now, (r.hold).hold_id) end;
        continue when outcomes[r.n] is not null;

        -- What staff take by hand is written down wherever something costs, also where guests pay
        -- elsewhere: else there is more in the drawer than anybody knows of.
        select case when (r.hold).amount > 0
                and (bool_or(x.payment = 'required') or r.provider = 'desk')
            then min(x.payment_seconds) end as seconds into a
        from bespeak.resource x where x.resource_id = any((r.hold).resources);
        if a.seconds is null then
            outcomes[r.n] := 'free';
            continue;
        end if;
        known[r.n] := (
            select p.payment_id from bespeak.payment p
            where p.resource_id = (r.hold).resource_id and p.hold_id = (r.hold).hold_id
                and p.state in ('pending', 'authorized', 'captured')
                and p.late is distinct from 'refund');
        if known[r.n] is not null then
            outcomes[r.n] := 'payment_in_progress';
            continue;
        end if;
        expiries[r.n] := least(v_now + make_interval(secs => a.seconds), (r.hold).extends_until);
        expiries[r.n] := nullif(greatest(expiries[r.n], (r.hold).expires_at), (r.hold).expires_at);
    end loop;
    v_now := bespeak.now();
    outcomes := bespeak.retime_holds(holds, expiries, outcomes);
    perform bespeak.write_payments(v_now, requests, outcomes, expiries, v_offered);

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'pending'), v_now, h,
        -- Not joined: without statistics that may be planned as a look through all of its resource.
        (select b from bespeak.booking b where b.resource_id = q.home and b.booking_id = p.hold_id), p
    from unnest(requests) with ordinality as q
    left join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
    left join bespeak.payment p on p.resource_id = q.home
        and p.payment_id = coalesce(known[q.ordinality], q.payment_id);
end
$$;

-- Writes the payments of the requests that have no outcome yet, and lets their holds live as long. Raises
-- serialization_failure where another transaction has just begun a payment of another hold under the
-- same key: repeated, the batch sees it and answers it. `v_offered` are those of the holds that were offered
-- in place of a booking.
create or replace function bespeak.write_payments(
    v_now timestamptz, requests bespeak.payment_request[], outcomes text[], expiries timestamptz[],
    v_offered uuid[])
returns void
language plpgsql as $$
declare
    v_horizon constant bigint := bespeak.horizon();
    v_made integer;
begin
    -- What the pin needs of the request goes through it: joined again, each would be held against all.
    with pinned as (
        update bespeak.hold h set expires_at = coalesce(expiries[q.ordinality], h.expires_at)
        from unnest(requests) with ordinality as q
        where outcomes[q.ordinality] is null
            and h.resource_id = q.home and h.hold_id = q.hold_id
        returning h.resource_id, h.hold_id, h.owner, h.amount, h.currency, h.expires_at,
            q.payment_id, q.provider, q.token, q.return_url, q.idempotency_key, q.fingerprint,
            q.lease_seconds, q.actor,
            -- So that who changes a booking is written to also where the payment fails.
            case when q.contact is null and (h.exchange is not null or h.hold_id = any(v_offered))
                then bespeak.kept_contact(h.hold_id) else q.contact end as contact
    ), made as (
        insert into bespeak.payment as p (resource_id, payment_id, hold_id, owner, provider, state, step,
            due_at, amount, currency, token, return_url, contact, idempotency_key, fingerprint,
            window_ends_at, created_at, begun_by)
        select b.resource_id, b.payment_id, b.hold_id, b.owner, b.provider, 'pending', 'authorize',
            v_now + make_interval(secs => b.lease_seconds), b.amount, b.currency, b.token,
            b.return_url, b.contact, b.idempotency_key, b.fingerprint, b.expires_at, v_now,
            b.actor
        from pinned b
        on conflict (resource_id, owner, idempotency_key) where idempotency_key is not null do nothing
        returning p
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (m.p).resource_id, v_horizon, 'payment_begun', (m.p).hold_id, v_now, bespeak.payment_data(m.p),
        (m.p).begun_by
    from made m;
    get diagnostics v_made = row_count;
    if v_made < (select count(*) from unnest(outcomes) as o where o is null) then
        raise exception 'another payment was begun under this key just now'
            using errcode = 'serialization_failure';
    end if;
end
$$;

-- The data of an event about a payment.
create or replace function bespeak.payment_data(p bespeak.payment) returns jsonb
language sql stable parallel safe as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', p.payment_id), 'provider', p.provider,
        'amount', p.amount, 'currency', p.currency,
        'captured', case when p.captured_currency is not null then p.captured end,
        'captured_currency', nullif(p.captured_currency, p.currency),
        'failure', p.failure, 'late', p.late))
$$;
