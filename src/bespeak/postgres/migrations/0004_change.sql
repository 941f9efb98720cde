-- Confirming, extending and releasing holds, and the expiry of those whose time is over.
-- Every verb locks the hold row first and then follows the global order: claims, pools, draws.

-- One request to change a hold or booking. A null owner is a trusted caller (the operator's server).
-- The lines are claims to give back, of a cancellation in part. Where the hold shows other lines
-- than its claims, shown_lines are the places of those (from 1) that the claims stand for, with how
-- many of each, and the claims name the draws from the owner's limits as well.
-- refund_amount is what a cancellation gives back (null: no money moves), computed when the booking's
-- `cancelled` was expected_cancelled; called_off is the resource that was, if that is why.
create type bespeak.change_request as (
    hold_id uuid,
    home bigint,
    owner text,
    idempotency_key text,
    fingerprint bytea,
    seconds integer,
    reason text,
    resources bigint[],
    units text[],
    quantities integer[],
    shown_lines integer[],
    shown_quantities integer[],
    contact jsonb,
    refund_amount bigint,
    expected_cancelled integer[],
    called_off bigint
);

-- Sets when the claims and draws of holds lapse, and answers the holds that no longer have them
-- all (someone took over at the instant of expiry). Rows are locked in key order first.
create function bespeak.retime_lines(
    holders uuid[], expiries timestamptz[], in_resources bigint[], in_units text[],
    in_quantities integer[]) returns uuid[]
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    done integer;
    short uuid[] := '{}';
begin
    with line as materialized (
        select * from unnest(holders, expiries, in_resources, in_units, in_quantities)
            as l(hold_id, expires_at, resource_id, unit, quantity)
    ), locked as materialized (
        select c.resource_id, c.unit, l.expires_at
        from line l join bespeak.claim c
            on c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = l.hold_id
        where l.quantity is null
        order by c.resource_id, c.unit
        for update of c
    ), claimed as (
        update bespeak.claim c set expires_at = l.expires_at
        from locked l where c.resource_id = l.resource_id and c.unit = l.unit
        returning 1
    ), drawn as (
        update bespeak.draw d set expires_at = l.expires_at
        from line l
        where l.quantity is not null and d.resource_id = l.resource_id and d.unit = l.unit
            and d.hold_id = l.hold_id
        returning 1
    )
    select (select count(*) from claimed) + (select count(*) from drawn) into done;
    if done < cardinality(holders) then
        select array_agg(distinct l.hold_id) into short
        from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        where case when l.quantity is null then not exists (
                select from bespeak.claim c where c.resource_id = l.resource_id
                    and c.unit = l.unit and c.hold_id = l.hold_id)
            else not exists (
                select from bespeak.draw d where d.resource_id = l.resource_id
                    and d.unit = l.unit and d.hold_id = l.hold_id)
            end;
    end if;
    return short;
end
$$;

-- Frees lines of holds, bookings or blocks and answers what was really theirs to free: a unit
-- that someone took over after the lapse is not touched and not listed.
create function bespeak.free_lines(
    holders uuid[], in_resources bigint[], in_units text[], in_quantities integer[])
returns table (hold_id uuid, resource_id bigint, unit text, quantity integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
    return query
    with locked as materialized (
        select c.resource_id, c.unit
        from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        join bespeak.claim c
            on c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = l.hold_id
        where l.quantity is null
        order by c.resource_id, c.unit
        for update of c
    )
    delete from bespeak.claim c using locked l
    where c.resource_id = l.resource_id and c.unit = l.unit
    returning c.hold_id, c.resource_id, c.unit, null::integer;

    perform from bespeak.pool p
    join (
        select distinct l.resource_id, l.unit
        from unnest(in_resources, in_units, in_quantities) as l(resource_id, unit, quantity)
        where l.quantity is not null
    ) l on p.resource_id = l.resource_id and p.unit = l.unit
    order by p.resource_id, p.unit
    for update of p;

    return query
    with line as materialized (
        select * from unnest(holders, in_resources, in_units, in_quantities)
            as l(hold_id, resource_id, unit, quantity)
        where l.quantity is not null
    ), gone as (
        delete from bespeak.draw d using line l
        where d.resource_id = l.resource_id and d.unit = l.unit and d.hold_id = l.hold_id
            and d.quantity <= l.quantity
        returning d.hold_id, d.resource_id, d.unit, d.quantity
    ), cut as (
        update bespeak.draw d set quantity = d.quantity - l.quantity
        from line l
        where d.resource_id = l.resource_id and d.unit = l.unit and d.hold_id = l.hold_id
            and d.quantity > l.quantity
        returning d.hold_id, d.resource_id, d.unit, l.quantity
    ), freed as (
        select * from gone union all select * from cut
    ), returned as (
        update bespeak.pool p set taken = p.taken - f.quantity
        from (
            select f.resource_id, f.unit, sum(f.quantity)::integer as quantity
            from freed f group by f.resource_id, f.unit
        ) f
        where p.resource_id = f.resource_id and p.unit = f.unit
        returning 1
    )
    select f.hold_id, f.resource_id, f.unit, f.quantity from freed f;
end
$$;

-- Writes the events of a change that frees lines, one for each hold and resource.
create function bespeak.tell_freed(
    v_kind text, v_now timestamptz, holders uuid[], homes bigint[], freed_holders uuid[],
    freed_resources bigint[], freed_units text[], freed_quantities integer[]) returns void
language sql
set enable_hashjoin = on  -- it joins arrays with arrays, long ones when sweeping
as $$
    with freed as (
        select f.hold_id, f.resource_id, array_agg(f.unit) as units,
            array_agg(f.quantity) as quantities
        from unnest(freed_holders, freed_resources, freed_units, freed_quantities)
            as f(hold_id, resource_id, unit, quantity)
        where f.unit not like 'owner:%'
        group by f.hold_id, f.resource_id
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select coalesce(f.resource_id, h.home), bespeak.horizon(), v_kind, h.hold_id,
        coalesce(f.units, '{}'), coalesce(f.quantities, '{}'), v_now
    from unnest(holders, homes) with ordinality as h(hold_id, home, n)
    left join freed f on f.hold_id = h.hold_id
    order by h.n
$$;

-- Looks up what a key was answered with before. Zero rows: the key is new.
create function bespeak.recall(in_verb text, home bigint, in_owner text, key text, content bytea)
returns table (subject uuid, same boolean)
language sql stable as $$
    select a.subject, a.fingerprint = content
    from bespeak.answer a
    where a.resource_id = home and a.owner = in_owner and a.verb = in_verb
        and a.idempotency_key = key
$$;

-- Remembers the answers of a batch. Two requests that use one key at the same instant for
-- different holds meet here; the second fails with 40001, and repeating it finds the key.
create function bespeak.remember(
    in_verb text, v_now timestamptz, homes bigint[], owners text[], keys text[],
    fingerprints bytea[], subjects uuid[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    kept integer;
begin
    with kept as (
        insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint,
            subject, answered_at)
        select k.home, k.owner, in_verb, k.key, k.fingerprint, k.subject, v_now
        from unnest(homes, owners, keys, fingerprints, subjects)
            as k(home, owner, key, fingerprint, subject)
        where k.key is not null
        order by 1, 2, 4
        on conflict do nothing
        returning 1
    )
    select count(*) into kept from kept;
    if kept < cardinality(array_remove(keys, null)) then
        raise exception 'an idempotency key was used by another request at this instant'
            using errcode = '40001';
    end if;
end
$$;

-- Why a change of a hold cannot be made now; null when it can.
create function bespeak.hold_problem(v_now timestamptz, asked_owner text, h bespeak.hold) returns text
language sql immutable as $$
    select case
        when asked_owner <> h.owner then 'not_owner'
        when h.state = 'confirmed' then 'hold_confirmed'
        when h.state = 'released' then 'hold_released'
        when h.state = 'expired' or h.expires_at <= v_now then 'hold_expired'
    end
$$;

-- Confirms holds: their claims never expire from then on, and each becomes a booking under the
-- same UUID. Outcomes: confirmed, replayed, key_reused, not_found, not_owner, hold_confirmed,
-- hold_released, hold_expired, payment_required.
create function bespeak.confirm_holds(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, details jsonb)
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
    unpaid uuid[];
    short uuid[];
    v_horizon xid8;
    r record;
    a record;
    i integer;
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
            select * into a from bespeak.recall('confirm', (r.hold).resource_id, (r.hold).owner,
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

    -- A hold that costs and is of a resource that wants payment becomes a booking only when the money
    -- for it is there: its payment was authorized before, or is being so in this transaction.
    select array_agg(h.hold_id) into unpaid
    from unnest(good_homes, good) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    where h.amount > 0 and exists (
        select from bespeak.resource r
        where r.resource_id = any(h.resources) and r.payment = 'required')
        and not exists (
            select from bespeak.payment p
            where p.resource_id = h.resource_id and p.hold_id = h.hold_id
                and p.state in ('authorized', 'captured') and p.late is distinct from 'refund');
    if unpaid is not null then
        for i in 1 .. cardinality(requests) loop
            if (holds[i]).hold_id = any(unpaid) and outcomes[i] is null then
                outcomes[i] := 'payment_required';
            end if;
        end loop;
        select array_agg(g.home), array_agg(g.hold_id) into good_homes, good
        from unnest(good_homes, good) as g(home, hold_id) where g.hold_id <> all(unpaid);
    end if;

    if cardinality(good) > 0 then
        select bespeak.retime_lines(array_agg(h.hold_id),
            array_agg('infinity'::timestamptz), array_agg(l.resource_id), array_agg(l.unit),
            array_agg(l.quantity))
        into short
        from unnest(good_homes, good) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
            unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity);
        if cardinality(short) > 0 then
            -- Lost at the instant of expiry: what is left lapses again as it would have.
            perform bespeak.retime_lines(array_agg(h.hold_id), array_agg(h.expires_at),
                array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
            from unnest(good_homes, good) as g(home, hold_id)
            join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
                unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
            where h.hold_id = any(short);
            for i in 1 .. cardinality(requests) loop
                if (holds[i]).hold_id = any(short) then
                    outcomes[i] := 'hold_expired';
                end if;
            end loop;
        end if;
    end if;

    v_horizon := bespeak.horizon();
    with done as (
        update bespeak.hold h set state = 'confirmed', ended_at = v_now
        from unnest(good_homes, good) as g(home, hold_id)
        where h.resource_id = g.home and h.hold_id = g.hold_id
            and h.hold_id <> all(coalesce(short, '{}'))
        returning h.*
    ), booked as (
        -- The price is the hold's: what was promised is what is booked, whatever it costs by now.
        insert into bespeak.booking (resource_id, booking_id, owner, state, amount, currency,
            confirmed_at)
        select d.resource_id, d.hold_id, d.owner, 'confirmed', d.amount, d.currency, v_now
        from done d
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select l.resource_id, v_horizon, 'confirmed', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now
    from done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id;

    if exists (select from unnest(requests) as q where q.contact is not null) then
        update bespeak.booking b set contact = q.contact
        from unnest(requests) with ordinality as q
        where q.contact is not null and outcomes[q.ordinality] is null
            and b.resource_id = q.home and b.booking_id = q.hold_id;
    end if;

    perform bespeak.remember('confirm', v_now, array_agg((holds[q.ordinality]).resource_id),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'confirmed'), v_now,
        holds[q.ordinality],
        case when outcomes[q.ordinality] is null or outcomes[q.ordinality] = 'replayed' then
            (select b from bespeak.booking b
             where b.resource_id = q.home and b.booking_id = q.hold_id) end,
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;

-- Extends holds to `seconds` from now, never beyond extends_until and never shorter than before.
-- Outcomes: held, replayed, key_reused, beyond_cap, and the problems of confirm_holds.
create function bespeak.extend_holds(home bigint, requests bespeak.change_request[])
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
    good_expiries timestamptz[] := '{}';
    wanted timestamptz;
    short uuid[];
    r record;
    a record;
    i integer;
begin
    for r in
        select q.ordinality as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint,
            q.seconds, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
        holds[r.n] := r.hold;
        outcomes[r.n] := bespeak.hold_problem(v_now, r.asked_owner, r.hold);
        if r.idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select * into a from bespeak.recall('extend', (r.hold).resource_id, (r.hold).owner,
                r.idempotency_key, r.fingerprint);
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        wanted := v_now + make_interval(secs => r.seconds);
        if outcomes[r.n] is null and wanted > (r.hold).extends_until then
            outcomes[r.n] := 'beyond_cap';
        end if;
        if outcomes[r.n] is null then
            good := good || (r.hold).hold_id;
            good_homes := good_homes || (r.hold).resource_id;
            good_expiries := good_expiries || greatest(wanted, (r.hold).expires_at);
        end if;
    end loop;
    v_now := bespeak.now();

    select bespeak.retime_lines(array_agg(h.hold_id), array_agg(g.expires_at),
        array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
    into short
    from unnest(good_homes, good, good_expiries) as g(home, hold_id, expires_at)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    having count(*) > 0;
    if cardinality(short) > 0 then
        perform bespeak.retime_lines(array_agg(h.hold_id), array_agg(h.expires_at),
            array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
        from unnest(good_homes, good) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
            unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
        where h.hold_id = any(short);
        for i in 1 .. cardinality(requests) loop
            if (holds[i]).hold_id = any(short) then
                outcomes[i] := 'hold_expired';
            end if;
        end loop;
    end if;

    with done as (
        update bespeak.hold h set expires_at = g.expires_at
        from unnest(good_homes, good, good_expiries) as g(home, hold_id, expires_at)
        where h.resource_id = g.home and h.hold_id = g.hold_id
            and h.hold_id <> all(coalesce(short, '{}'))
        returning h.*
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select l.resource_id, bespeak.horizon(), 'extended', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now
    from done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id;

    perform bespeak.remember('extend', v_now, array_agg((holds[q.ordinality]).resource_id),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'held'), v_now,
        (select h from bespeak.hold h where h.resource_id = q.home and h.hold_id = q.hold_id),
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;

-- Releases holds: all that they still have is free at once.
-- Outcomes: released, replayed, key_reused, and the problems of confirm_holds.
create function bespeak.release_holds(home bigint, requests bespeak.change_request[])
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

-- Ends holds whose rows the caller has locked in state held: frees their lines and tells the feed.
create function bespeak.end_holds(
    v_state text, v_now timestamptz, homes bigint[], ids uuid[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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
    update bespeak.hold h set state = v_state, ended_at = v_now
    from unnest(homes, ids) as g(home, hold_id)
    where h.resource_id = g.home and h.hold_id = g.hold_id and h.state = 'held';
    perform bespeak.tell_freed(v_state, v_now, ids, homes, holders, resources, units, quantities);
end
$$;

-- Expires at most in_limit holds that are due. It only tidies up and tells the feed: their units
-- were free to the next taker already. Skips what another verb or sweeper has locked, so any
-- number of sweepers may run.
create function bespeak.expire_holds(in_limit integer)
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
    perform bespeak.end_holds('expired', v_now, homes, ids);
    return query
    select cardinality(ids),
        (select h.expires_at from bespeak.hold h where h.state = 'held'
         order by h.expires_at limit 1),
        bespeak.now();
end
$$;
