-- Paying for holds. A payment begins (and pins its hold), and whatever a provider tells of it
-- afterwards, in a reply, a callback or a look-up, goes through one function that moves the record
-- towards it: repeated, late and out of order alike. No transaction is open while a provider is asked.
--
-- Locks: hold rows, booking rows, payment rows, refund rows, then what confirming and cancelling lock.

-- One payment to begin. A null owner is a trusted caller. The amount is the hold's.
create type bespeak.payment_request as (
    payment_id uuid,
    home bigint,
    hold_id uuid,
    owner text,
    provider text,
    token text,
    return_url text,
    contact jsonb,
    idempotency_key text,
    fingerprint bytea,
    lease_seconds integer
);

-- What a provider tells of a payment. `missing`: it does not know it.
create type bespeak.settle_request as (
    payment_id uuid,
    home bigint,
    standing text,
    reference text,
    amount bigint,
    currency text,
    action_url text,
    failure text,
    again_seconds integer
);

-- The data of an event about a payment.
create function bespeak.payment_data(p bespeak.payment) returns jsonb
language sql stable parallel safe as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', p.payment_id), 'provider', p.provider,
        'amount', p.amount, 'currency', p.currency, 'failure', p.failure, 'late', p.late))
$$;

-- Begins payments: writes down that the provider is about to be asked, and lets the hold live as long
-- as the payment may take, within its cap. Outcomes: pending, replayed, key_reused, free (there is
-- nothing to pay), payment_in_progress, and the problems of confirm_holds.
create function bespeak.begin_payments(home bigint, requests bespeak.payment_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    known uuid[] := array_fill(null::uuid, array[cardinality(requests)]);
    -- For how long each payment that begins keeps its hold; null where none begins.
    seconds integer[] := array_fill(null::integer, array[cardinality(requests)]);
    short uuid[];
    v_horizon xid8;
    a record;
    r record;
begin
    for r in
        select q.ordinality::integer as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint,
            h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
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

        select case when (r.hold).amount > 0 and bool_or(x.payment = 'required')
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
        seconds[r.n] := a.seconds;
    end loop;

    v_now := bespeak.now();
    select bespeak.retime_lines(array_agg(h.hold_id), array_agg(g.until),
        array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
    into short
    from unnest(requests) with ordinality as q
    join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id,
        lateral (select least(
            v_now + make_interval(secs => seconds[q.ordinality]), h.extends_until) as until) g,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    where seconds[q.ordinality] is not null and g.until > h.expires_at
    having count(*) > 0;
    if cardinality(short) > 0 then
        -- Lost at the instant of expiry: what is left lapses as it would have.
        perform bespeak.retime_lines(array_agg(h.hold_id), array_agg(h.expires_at),
            array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id,
            unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
        where seconds[q.ordinality] is not null and h.hold_id = any(short);
        for r in
            select q.ordinality as n from unnest(requests) with ordinality as q
            where seconds[q.ordinality] is not null and q.hold_id = any(short)
        loop
            outcomes[r.n] := 'hold_expired';
            seconds[r.n] := null;
        end loop;
    end if;

    v_horizon := bespeak.horizon();
    -- What the pin needs of the request goes through it: joined again, each would be held against all.
    with pinned as (
        update bespeak.hold h set expires_at = greatest(
            h.expires_at, least(v_now + make_interval(secs => seconds[q.ordinality]), h.extends_until))
        from unnest(requests) with ordinality as q
        where seconds[q.ordinality] is not null
            and h.resource_id = q.home and h.hold_id = q.hold_id
        returning h.resource_id, h.hold_id, h.owner, h.amount, h.currency, h.expires_at,
            q.payment_id, q.provider, q.token, q.return_url, q.contact, q.idempotency_key,
            q.fingerprint, q.lease_seconds
    ), made as (
        insert into bespeak.payment as p (resource_id, payment_id, hold_id, owner, provider, state, step,
            due_at, amount, currency, token, return_url, contact, idempotency_key, fingerprint,
            window_ends_at, created_at)
        select b.resource_id, b.payment_id, b.hold_id, b.owner, b.provider, 'pending', 'authorize',
            v_now + make_interval(secs => b.lease_seconds), b.amount, b.currency, b.token,
            b.return_url, b.contact, b.idempotency_key, b.fingerprint, b.expires_at, v_now
        from pinned b
        returning p
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (m.p).resource_id, v_horizon, 'payment_begun', (m.p).hold_id, v_now, bespeak.payment_data(m.p)
    from made m;

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

-- Moves payments to where their provider says that they stand, and with them the holds and bookings:
-- money that is authorized makes the booking, in this transaction; a reservation of money that is gone
-- undoes it. What does not fit the present state (late, twice, out of order) changes nothing.
-- Outcomes: settled, mismatch (another amount or currency: the money goes back), not_found.
create function bespeak.settle_payments(home bigint, requests bespeak.settle_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    v_horizon xid8;
    paid bespeak.change_request[];
    r record;
begin
    perform from unnest(requests) as q
    join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
    join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
    order by h.resource_id, h.hold_id for update of h;
    perform from unnest(requests) as q
    join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
    order by p.resource_id, p.payment_id for update of p;
    v_now := bespeak.now();
    v_horizon := bespeak.horizon();  -- not before the locks: it sorts behind what was waited for

    if exists (select from unnest(requests) as q where q.standing in ('authorized', 'captured')) then
        perform bespeak.return_mismatches(v_now, requests);
        with moved as (
            update bespeak.payment p
            set state = 'authorized', authorized_at = v_now, step = 'capture', tries = 0,
                due_at = v_now + make_interval(secs => q.again_seconds), reference = q.reference,
                token = null, action_url = null, failure = null, ended_at = null
            from unnest(requests) as q
            where p.resource_id = q.home and p.payment_id = q.payment_id
                and p.state in ('pending', 'failed') and q.standing in ('authorized', 'captured')
                and q.amount = p.amount and q.currency = p.currency
                -- Its hold may have been paid otherwise since this one failed.
                -- (Not `exists`, which may be planned as a hash of all live payments.)
                and (p.state = 'pending' or (
                    select o.payment_id from bespeak.payment o
                    where o.resource_id = p.resource_id and o.hold_id = p.hold_id
                        and o.state in ('pending', 'authorized', 'captured')
                        and o.late is distinct from 'refund' limit 1) is null)
            returning p
        ), told as (
            insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
            select (m.p).resource_id, v_horizon, 'payment_authorized', (m.p).hold_id, v_now,
                bespeak.payment_data(m.p)
            from moved m
        )
        select array_agg(bespeak.change_of((m.p).hold_id, (m.p).resource_id)) into paid from moved m;
        perform bespeak.return_second_payments(v_now, requests);
    end if;
    if paid is not null then
        for r in
            select c.outcome, q.hold_id, q.home
            from bespeak.confirm_holds(home, paid) c
            join unnest(paid) with ordinality as q on q.ordinality = c.ordinal
            where c.outcome <> 'confirmed'
        loop
            perform bespeak.settle_late(v_now, p, r.outcome) from bespeak.payment p
            where p.resource_id = r.home and p.hold_id = r.hold_id and p.state = 'authorized'
                and p.late is null;
        end loop;
    end if;
    if exists (select from unnest(requests) as q where q.standing = 'captured') then
        perform bespeak.note_captured(v_now, requests);
    end if;
    if exists (select from unnest(requests) as q
            where q.standing not in ('authorized', 'captured')) then
        perform bespeak.note_unpaid(v_now, requests);
    end if;

    return query
    select q.ordinality::integer,
        case when p.payment_id is null then 'not_found'
            when p.failure = 'amount_mismatch' then 'mismatch' else 'settled' end,
        v_now, h, b, p
    from unnest(requests) with ordinality as q
    left join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
    left join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
    left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id;
end
$$;

-- A change of a hold or booking by the operator's side, with nothing else named.
create function bespeak.change_of(hold_id uuid, home bigint, reason text default null)
returns bespeak.change_request
language plpgsql immutable as $$
declare
    made bespeak.change_request;
begin
    made.hold_id := $1;
    made.home := $2;
    made.reason := $3;
    return made;
end
$$;

-- Money of another amount or currency than was asked for pays for nothing: it goes back.
create function bespeak.return_mismatches(v_now timestamptz, requests bespeak.settle_request[])
returns void
language plpgsql as $$
begin
    with moved as (
        update bespeak.payment p
        set state = 'authorized', authorized_at = coalesce(p.authorized_at, v_now), step = 'void',
            late = 'refund', due_at = v_now, tries = 0, reference = q.reference, token = null,
            action_url = null, failure = 'amount_mismatch', ended_at = null
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id
            and p.state in ('pending', 'failed') and q.standing in ('authorized', 'captured')
            and (q.amount <> p.amount or q.currency <> p.currency)
        returning p
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (m.p).resource_id, bespeak.horizon(), 'payment_late', (m.p).hold_id, v_now, bespeak.payment_data(m.p)
    from moved m;
end
$$;

-- A payment that had failed and is authorized after all, when another pays for its hold: it goes back.
create function bespeak.return_second_payments(
    v_now timestamptz, requests bespeak.settle_request[]) returns void
language plpgsql as $$
begin
    with moved as (
        update bespeak.payment p
        set state = 'authorized', authorized_at = coalesce(p.authorized_at, v_now), step = 'void',
            late = 'refund', due_at = v_now, tries = 0, reference = q.reference, token = null,
            action_url = null, ended_at = null
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id and p.state = 'failed'
            and q.standing in ('authorized', 'captured')
        returning p
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (m.p).resource_id, bespeak.horizon(), 'payment_late', (m.p).hold_id, v_now, bespeak.payment_data(m.p)
    from moved m;
end
$$;

-- Money that was taken. Where it was not wanted any more (its hold was lost), it is to be refunded.
create function bespeak.note_captured(v_now timestamptz, requests bespeak.settle_request[])
returns void
language plpgsql as $$
declare
    v_horizon constant xid8 := bespeak.horizon();  -- once, not for each event
    late bespeak.payment[];
begin
    with moved as (
        update bespeak.payment p
        set state = 'captured', captured_at = v_now, tries = 0, reference = q.reference,
            step = case when p.step = 'offer' then 'offer' end,
            due_at = case when p.step = 'offer' then p.due_at end,
            refunding = case when p.late = 'refund' then p.amount else p.refunding end
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id
            and p.state = 'authorized' and q.standing = 'captured'
        returning p
    ), told as (
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
        select (m.p).resource_id, v_horizon, 'payment_captured', (m.p).hold_id, v_now,
            bespeak.payment_data(m.p)
        from moved m
    )
    select array_agg(m.p) into late from moved m where (m.p).late = 'refund';
    perform bespeak.begin_refund(v_now, m, m.amount, 'late') from unnest(late) as m;
end
$$;

-- Writes down that money is to be given back; the caller has raised `refunding` by the amount, whose
-- CHECK is what keeps all refunds of a payment within it.
create function bespeak.begin_refund(
    v_now timestamptz, p bespeak.payment, in_amount bigint, in_cause text,
    in_called_off bigint default null) returns uuid
language plpgsql as $$
declare
    made bespeak.refund;
begin
    insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency, cause,
        state, due_at, called_off, created_at)
    values (p.resource_id, bespeak.new_id(p.resource_id), p.payment_id, p.hold_id, in_amount,
        p.currency, in_cause, 'pending', v_now, in_called_off, v_now)
    returning * into made;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    values (p.resource_id, bespeak.horizon(), 'refund_begun', p.hold_id, v_now,
        bespeak.refund_data(made));
    return made.refund_id;
end
$$;

-- The data of an event about a refund.
create function bespeak.refund_data(f bespeak.refund) returns jsonb
language sql stable parallel safe as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', f.payment_id),
        'refund_id', bespeak.id_text('ref', f.refund_id),
        'amount', f.amount, 'currency', f.currency, 'cause', f.cause, 'failure', f.failure))
$$;

-- What a provider tells when there is no money (yet): still at it, declined, gone, never heard of.
create function bespeak.note_unpaid(v_now timestamptz, requests bespeak.settle_request[])
returns void
language plpgsql as $$
#variable_conflict use_column
declare
    r record;
begin
    -- Waiting: for the buyer at a challenge, or for the provider.
    update bespeak.payment p
    set step = 'await', due_at = v_now + make_interval(secs => q.again_seconds),
        reference = coalesce(q.reference, p.reference), action_url = q.action_url
    from unnest(requests) as q
    where p.resource_id = q.home and p.payment_id = q.payment_id and p.state = 'pending'
        and q.standing in ('pending', 'challenge');

    -- The late look at one that came to nothing: nothing it is. This comes before the payments that
    -- come to nothing now, whose late look is still to be.
    update bespeak.payment p set step = null, due_at = null, tries = 0
    from unnest(requests) as q
    where p.resource_id = q.home and p.payment_id = q.payment_id and p.state = 'failed'
        and p.step = 'check' and q.standing in ('missing', 'failed', 'voided');

    -- Never heard of: within the window it is asked for again. After it, it has come to nothing, and
    -- one late look makes sure that the request did not reach the provider after all.
    update bespeak.payment p
    set step = 'authorize', due_at = v_now
    from unnest(requests) as q
    where p.resource_id = q.home and p.payment_id = q.payment_id and p.state = 'pending'
        and q.standing = 'missing' and p.step = 'await' and v_now < p.window_ends_at;
    with moved as (
        update bespeak.payment p
        set state = 'failed', ended_at = v_now, token = null, action_url = null, tries = 0,
            failure = coalesce(q.failure, case q.standing when 'failed' then 'declined' else 'abandoned' end),
            step = case when q.standing = 'missing' then 'check' end,
            due_at = case when q.standing = 'missing' then v_now + interval '1 hour' end,
            reference = coalesce(q.reference, p.reference)
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id and p.state = 'pending'
            and (q.standing in ('failed', 'voided')
                or (q.standing = 'missing' and v_now >= p.window_ends_at))
        returning p
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (m.p).resource_id, bespeak.horizon(), 'payment_failed', (m.p).hold_id, v_now,
        bespeak.payment_data(m.p)
    from moved m;

    -- The reservation is gone. Given up by us, that is the end; else the booking has no money behind it.
    for r in
        select p as payment, q.failure from unnest(requests) as q
        join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
        where p.state = 'authorized' and q.standing in ('failed', 'voided')
        order by p.resource_id, p.payment_id
    loop
        perform bespeak.end_unpaid(v_now, r.payment, r.failure);
    end loop;
end
$$;

-- Ends an authorized payment whose reservation is gone, and cancels the booking that it paid for.
create function bespeak.end_unpaid(v_now timestamptz, p bespeak.payment, in_failure text)
returns void
language plpgsql as $$
#variable_conflict use_variable
declare
    is_lost constant boolean := p.step = 'capture';
begin
    update bespeak.payment x
    set state = case when is_lost then 'failed' else 'voided' end, step = null, due_at = null,
        tries = 0, ended_at = v_now,
        failure = case when is_lost then coalesce(in_failure, 'authorization_gone') else x.failure end
    where x.resource_id = p.resource_id and x.payment_id = p.payment_id and x.state = 'authorized'
    returning x.* into p;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    values (p.resource_id, bespeak.horizon(),
        case when is_lost then 'payment_failed' else 'payment_voided' end, p.hold_id, v_now,
        bespeak.payment_data(p));
    if is_lost then
        perform from bespeak.cancel_bookings(p.resource_id,
            array[bespeak.change_of(p.hold_id, p.resource_id, 'payment_failed')]);
    end if;
end
$$;

-- Late money: authorized when its hold could not be confirmed any more. By the policy of the resources
-- (the strictest of them): the same units again, if nobody has them; else an equal offer is to be
-- found; else the money goes back. Who released the hold gets it back whatever the policy.
create function bespeak.settle_late(v_now timestamptz, p bespeak.payment, problem text) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    policy text := 'refund';
    old bespeak.hold;
    taken uuid;
begin
    select h.* into old from bespeak.hold h
    where h.resource_id = p.resource_id and h.hold_id = p.hold_id;
    if problem = 'hold_expired' then
        select case when bool_or(x.late_payment = 'refund') then 'refund'
            when bool_or(x.late_payment = 'same_units') then 'same_units'
            else 'equal_offer' end
        into policy
        from bespeak.resource x where x.resource_id = any(old.resources);
    end if;
    if policy <> 'refund' then
        taken := bespeak.retake(v_now, old);
    end if;
    if taken is not null then
        update bespeak.payment x set hold_id = taken, late = 'same_units'
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id
        returning x.* into p;
        perform from bespeak.confirm_holds(
            p.resource_id, array[bespeak.change_of(taken, p.resource_id)]);
    elsif policy = 'equal_offer' then
        update bespeak.payment x set step = 'offer', due_at = v_now
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id;
        return;  -- what became of it is told when it is known
    else
        update bespeak.payment x set step = 'void', due_at = v_now, late = 'refund'
        where x.resource_id = p.resource_id and x.payment_id = p.payment_id
        returning x.* into p;
    end if;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    values (p.resource_id, bespeak.horizon(), 'payment_late', old.hold_id, v_now,
        bespeak.payment_data(p) || jsonb_build_object('hold_id', bespeak.id_text('hold', p.hold_id)));
end
$$;

-- Holds again, for the same owner and price, exactly what a lapsed hold had; null where any of it is
-- taken or not sold any more. The old hold ends as expired first, for a hold ends once.
create function bespeak.retake(v_now timestamptz, old bespeak.hold) returns uuid
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    again bespeak.hold_request;
    numbers bigint[];
    versions integer[];
    v_outcome text;
begin
    if old.state = 'held' then
        perform bespeak.end_holds('expired', v_now, array[old.resource_id], array[old.hold_id]);
    end if;
    again.hold_id := bespeak.new_id(old.resource_id);
    again.owner := old.owner;
    again.hold_seconds := 60;
    again.cap_seconds := 60;
    again.resources := old.resources;
    again.units := old.units;
    again.quantities := old.quantities;
    again.limit_lines := old.limit_lines;
    again.amount := old.amount;
    again.currency := old.currency;
    again.shown_quantities := old.shown_quantities;
    again.shown := old.shown;
    again.amounts := old.amounts;
    again.quote := old.quote;
    again.presale := old.resources;  -- it had leave to come early, if it did
    again.amounts := old.amounts;
    again.quote := old.quote;
    select array_agg(k.capacity order by l.n) into again.capacities
    from unnest(old.resources, old.units, old.quantities) with ordinality
        as l(resource_id, unit, quantity, n)
    left join bespeak.pool k on l.quantity is not null
        and k.resource_id = l.resource_id and k.unit = l.unit;
    select array_agg(x.resource_id), array_agg(x.version) into numbers, versions
    from bespeak.resource x where x.resource_id = any(old.resources);
    select h.outcome into v_outcome
    from bespeak.place_holds(old.resource_id, array[again], numbers, versions) h;
    return case when v_outcome = 'held' then again.hold_id end;
end
$$;

-- Ends the search for an equal offer: with the hold that was found and placed for the same owner, or
-- without one. Outcomes: as of settle_payments.
create function bespeak.rebook_payment(home bigint, in_payment uuid, in_hold uuid)
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_variable
declare
    v_now timestamptz;
    p bespeak.payment;
    before uuid;
    v_outcome text;
begin
    perform from bespeak.hold h where h.resource_id = home and h.hold_id = in_hold for update;
    select x.* into p from bespeak.payment x
    where x.resource_id = home and x.payment_id = in_payment for update;
    v_now := bespeak.now();
    if p.step = 'offer' then
        before := p.hold_id;
        if in_hold is not null and exists (
                select from bespeak.hold h where h.resource_id = home and h.hold_id = in_hold
                    and h.owner = p.owner and h.amount = p.amount and h.currency = p.currency) then
            update bespeak.payment x
            set hold_id = in_hold, late = 'equal_offer',
                step = case when x.state = 'authorized' then 'capture' end,
                due_at = case when x.state = 'authorized' then v_now end
            where x.resource_id = home and x.payment_id = in_payment;
            select c.outcome into v_outcome
            from bespeak.confirm_holds(home, array[bespeak.change_of(in_hold, home)]) c;
        end if;
        if v_outcome is distinct from 'confirmed' then
            update bespeak.payment x
            set hold_id = before, late = 'refund',
                step = case when x.state = 'authorized' then 'void' end,
                due_at = case when x.state = 'authorized' then v_now end,
                refunding = case when x.state = 'captured' then x.amount else x.refunding end
            where x.resource_id = home and x.payment_id = in_payment;
        end if;
        select x.* into p from bespeak.payment x
        where x.resource_id = home and x.payment_id = in_payment;
        if p.state = 'captured' and p.late = 'refund' then
            perform bespeak.begin_refund(v_now, p, p.amount, 'late');
        end if;
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
        values (home, bespeak.horizon(), 'payment_late', before, v_now, bespeak.payment_data(p)
            || jsonb_build_object('hold_id', bespeak.id_text('hold', p.hold_id)));
    end if;
    return query
    select 1, case when x.payment_id is null then 'not_found' else 'settled' end, v_now, h, b, x
    from (select 1) one
    left join bespeak.payment x on x.resource_id = home and x.payment_id = in_payment
    left join bespeak.hold h on h.resource_id = home and h.hold_id = x.hold_id
    left join bespeak.booking b on b.resource_id = home and b.booking_id = x.hold_id;
end
$$;

-- Claims payments whose next step is due, for lease_seconds. What has to be done sooner or later (taking
-- money, giving it up) is leased longer with each try, to an hour at most; a buyer who waits is not
-- made to wait for a worker that died. What another has locked is skipped, so any number may look.
create function bespeak.due_payments(in_limit integer, lease_seconds integer)
returns setof bespeak.payment
language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    with due as (
        select p.resource_id, p.payment_id from bespeak.payment p
        where p.step is not null and p.due_at <= bespeak.now()
        order by p.due_at limit in_limit
        for update skip locked
    )
    update bespeak.payment p
    set tries = p.tries + 1, due_at = bespeak.now() + make_interval(
        secs => case p.state when 'pending' then lease_seconds
            else least(3600, lease_seconds * 2 ^ least(p.tries, 10)) end)
    from due d
    where p.resource_id = d.resource_id and p.payment_id = d.payment_id
    returning p.*
$$;
