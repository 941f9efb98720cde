-- The schema as the migrations leave it. Written by `make schema`; never edited by hand.

CREATE SCHEMA bespeak;

CREATE TYPE bespeak.change_request AS (
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

CREATE TYPE bespeak.check_in_request AS (
	booking_id uuid,
	ticket integer,
	admitted_to bigint,
	unit text,
	gate text,
	scanned_at timestamp with time zone,
	idempotency_key text,
	fingerprint bytea
);

CREATE TYPE bespeak.seat_guard AS (
	resource_id bigint,
	seat_row text,
	unit text,
	beyond text
);

CREATE TYPE bespeak.hold_request AS (
	hold_id uuid,
	owner text,
	hold_seconds integer,
	cap_seconds integer,
	idempotency_key text,
	fingerprint bytea,
	resources bigint[],
	units text[],
	quantities integer[],
	capacities integer[],
	limit_lines integer,
	amount bigint,
	currency text,
	shown_quantities integer[],
	shown text,
	guards bespeak.seat_guard[],
	amounts bigint[],
	quote text,
	presale bigint[]
);

CREATE TYPE bespeak.payment_request AS (
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

CREATE TYPE bespeak.refund_report AS (
	refund_id uuid,
	home bigint,
	standing text,
	failure text
);

CREATE TYPE bespeak.sandbox_order AS (
	payment_id uuid,
	reference text,
	owner text,
	token text,
	outcome text,
	state text,
	failure text,
	amount bigint,
	currency text,
	description text,
	return_url text,
	decide_seconds double precision,
	tells text,
	tell_seconds double precision,
	tell_copies integer,
	tell_amount bigint,
	tell_currency text
);

CREATE TYPE bespeak.settle_request AS (
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

CREATE FUNCTION bespeak.announce_events(in_follower text, in_limit integer) RETURNS TABLE(events integer, deliveries integer, mails integer, last_at timestamp with time zone, answered_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_cursor bespeak.follower;
    v_now timestamptz;
begin
    perform set_config('synchronous_commit', 'off', true);
    select f.* into v_cursor from bespeak.follower f where f.name = in_follower
    for update skip locked;
    if not found then
        return;
    end if;
    v_now := bespeak.now();
    return query
    with batch as materialized (
        select * from bespeak.events_after(v_cursor.horizon, v_cursor.position, null, in_limit)
    ), wanted as (
        insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon, kind,
            due_at, created_at)
        select w.endpoint_id, e.position, e.resource_id, e.horizon, e.kind, v_now, v_now
        from batch e join bespeak.webhook_endpoint w
            on w.enabled and w.deleted_at is null
            and (w.kinds is null or e.kind = any(w.kinds))
            and (w.resources is null or e.resource_id = any(w.resources))
        on conflict do nothing
        returning 1
    ), written as (
        insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, data, due_at,
            created_at)
        select distinct on (e.hold_id, k.mail, e.horizon) gen_random_uuid(), k.mail, e.hold_id,
            e.horizon, e.position, e.at, e.data, v_now + make_interval(secs => k.wait), v_now
        from batch e
        join (values ('confirmed', 'booking_confirmed', 0), ('cancelled', 'booking_cancelled', 0),
            ('payment_late', 'payment_late', 0), ('payment_failed', 'payment_failed', 120),
            ('refunded', 'refunded', 0)) as k(event, mail, wait) on k.event = e.kind
        -- Asked only of the events that are written about: this is one of five, and asking costs.
        where case when k.mail is not null
            then bespeak.contact_of(e.hold_id, e.data) ->> 'email' end is not null
        order by e.hold_id, k.mail, e.horizon, e.position
        on conflict do nothing
        returning 1
    ), last as (
        select e.horizon, e.position, e.at from batch e
        order by e.horizon desc, e.position desc limit 1
    ), moved as (
        update bespeak.follower f set horizon = l.horizon, position = l.position
        from last l where f.name = in_follower
    )
    select (select count(*) from batch)::integer, (select count(*) from wanted)::integer,
        (select count(*) from written)::integer, (select l.at from last l), v_now;
end
$$;

CREATE FUNCTION bespeak.audit(in_resource bigint DEFAULT NULL::bigint) RETURNS TABLE(problem text, resource_id bigint, unit text, hold_id uuid, detail text)
    LANGUAGE sql STABLE
    AS $$
    with live as materialized (
        -- What holds and bookings say they have, from their own lines.
        select h.hold_id, l.resource_id, l.unit, l.quantity,
            coalesce(l.quantity, 1) - coalesce(l.gone, 0) as has, h.state
        from bespeak.hold h
        left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id,
            unnest(h.resources, h.units, h.quantities, b.cancelled)
                as l(resource_id, unit, quantity, gone)
        where (in_resource is null or in_resource = any(h.resources))
            and ((h.state = 'held' and h.expires_at > bespeak.now()) or b.state = 'confirmed')
        union all
        select k.block_id, k.resource_id, l.unit, l.quantity, coalesce(l.quantity, 1), 'blocked'
        from bespeak.block k, unnest(k.units, k.quantities) as l(unit, quantity)
        where k.lifted_at is null and (in_resource is null or in_resource = k.resource_id)
    ), mine as (
        select * from live
        where has > 0 and (in_resource is null or resource_id = in_resource)
    )
    select 'double_sold', m.resource_id, m.unit, null::uuid, count(*) || ' holders'
    from mine m where m.quantity is null
    group by m.resource_id, m.unit having count(*) > 1
    union all
    select 'claim_missing', m.resource_id, m.unit, m.hold_id, m.state
    from mine m
    left join bespeak.claim c
        on c.resource_id = m.resource_id and c.unit = m.unit and c.hold_id = m.hold_id
    where m.quantity is null and c.hold_id is null
    union all
    select 'claim_orphaned', c.resource_id, c.unit, c.hold_id, c.expires_at::text
    from bespeak.claim c
    left join mine m
        on m.resource_id = c.resource_id and m.unit = c.unit and m.hold_id = c.hold_id
    where (in_resource is null or c.resource_id = in_resource)
        and c.expires_at > bespeak.now() and m.hold_id is null
    union all
    select 'draw_differs', coalesce(m.resource_id, d.resource_id), coalesce(m.unit, d.unit),
        coalesce(m.hold_id, d.hold_id), coalesce(m.has, 0) || ' by its hold, '
        || coalesce(d.quantity, 0) || ' drawn'
    from (select * from mine where quantity is not null) m
    full join (
        select * from bespeak.draw where expires_at > bespeak.now()
            and (in_resource is null or draw.resource_id = in_resource)
    ) d on d.resource_id = m.resource_id and d.unit = m.unit and d.hold_id = m.hold_id
    where m.has is distinct from d.quantity
    union all
    select 'pool_miscounted', p.resource_id, p.unit, null,
        p.taken || ' taken, ' || coalesce(sum(d.quantity), 0) || ' drawn'
    from bespeak.pool p
    left join bespeak.draw d on d.resource_id = p.resource_id and d.unit = p.unit
    where in_resource is null or p.resource_id = in_resource
    group by p.resource_id, p.unit, p.taken
    having p.taken <> coalesce(sum(d.quantity), 0)
    union all
    select 'counter_behind', c.resource_id, c.unit, c.hold_id,
        'numbers were given out up to ' || coalesce(n.last::text, 'none')
    from bespeak.resource r
    join bespeak.claim c on c.resource_id = r.resource_id and c.expires_at > bespeak.now()
    -- Only these were given a number: a block, or a line that names one, does not ask the counter.
    join bespeak.hold h on h.resource_id = bespeak.home_of(c.hold_id) and h.hold_id = c.hold_id
        and h.shown is not null
    left join bespeak.counter n on n.resource_id = r.resource_id
    where (in_resource is null or r.resource_id = in_resource)
        and r.plan->>'type' = 'tickets' and r.plan->>'refill' = 'never'
        and bespeak.number_in(c.unit, coalesce(r.plan->>'prefix', ''))
            > coalesce(n.last, coalesce((r.plan->>'first')::integer, 1) - 1)
    union all
    select 'booking_missing', h.resource_id, null, h.hold_id, h.state
    from bespeak.hold h
    left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id
    where (in_resource is null or h.resource_id = in_resource)
        and (h.state = 'confirmed') <> (b.booking_id is not null)
$$;

CREATE FUNCTION bespeak.base32_decode(digits text) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    result numeric := 0;
    digit int;
begin
    for i in 1 .. length(digits) loop
        digit := strpos(alphabet, substr(digits, i, 1)) - 1;
        if digit < 0 then
            raise exception 'not an id: %', digits using errcode = 'BS001';
        end if;
        result := result * 32 + digit;
    end loop;
    return result;
end
$$;

CREATE FUNCTION bespeak.base32_encode(value numeric, digits integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    rest numeric := value;
    result text := '';
begin
    for i in 1 .. digits loop
        result := substr(alphabet, mod(rest, 32)::int + 1, 1) || result;
        rest := div(rest, 32);
    end loop;
    return result;
end
$$;

CREATE TABLE bespeak.booking (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    cancelled integer[],
    confirmed_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone,
    reason text,
    cancelled_shown integer[],
    contact jsonb,
    CONSTRAINT booking_amount_check CHECK ((amount >= 0)),
    CONSTRAINT booking_check CHECK (((state = 'cancelled'::text) <= (cancelled_at IS NOT NULL))),
    CONSTRAINT booking_state_check CHECK ((state = ANY (ARRAY['confirmed'::text, 'cancelled'::text])))
);

CREATE TABLE bespeak.hold (
    resource_id bigint NOT NULL,
    hold_id uuid NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    resources bigint[] NOT NULL,
    units text[] NOT NULL,
    quantities integer[] NOT NULL,
    limit_lines smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    extends_until timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    idempotency_key text,
    fingerprint bytea,
    amount bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    shown_quantities integer[],
    shown jsonb,
    amounts bigint[],
    quote jsonb,
    CONSTRAINT hold_amount_check CHECK ((amount >= 0)),
    CONSTRAINT hold_check CHECK (((state = 'held'::text) = (ended_at IS NULL))),
    CONSTRAINT hold_check1 CHECK ((expires_at <= extends_until)),
    CONSTRAINT hold_check2 CHECK (((shown IS NULL) = (shown_quantities IS NULL))),
    CONSTRAINT hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.payment (
    resource_id bigint NOT NULL,
    payment_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    owner text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    step text,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    refunding bigint DEFAULT 0 NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    token text,
    return_url text,
    reference text,
    action_url text,
    failure text,
    late text,
    contact jsonb,
    idempotency_key text,
    fingerprint bytea,
    window_ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    authorized_at timestamp with time zone,
    captured_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT payment_check CHECK (((0 <= refunded) AND (refunded <= refunding) AND (refunding <= amount))),
    CONSTRAINT payment_check1 CHECK (((step IS NULL) = (due_at IS NULL))),
    CONSTRAINT payment_check2 CHECK (((state = 'captured'::text) <= (captured_at IS NOT NULL))),
    CONSTRAINT payment_late_check CHECK ((late = ANY (ARRAY['same_units'::text, 'equal_offer'::text, 'refund'::text]))),
    CONSTRAINT payment_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'refunded'::text, 'failed'::text, 'voided'::text]))),
    CONSTRAINT payment_step_check CHECK ((step = ANY (ARRAY['authorize'::text, 'await'::text, 'capture'::text, 'void'::text, 'offer'::text, 'check'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE FUNCTION bespeak.begin_payments(home bigint, requests bespeak.payment_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, payment bespeak.payment)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.begin_refund(v_now timestamp with time zone, p bespeak.payment, in_amount bigint, in_cause text, in_called_off bigint DEFAULT NULL::bigint) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION bespeak.block(resource text, units text[], reason text, quantities integer[] DEFAULT NULL::integer[], idempotency_key text DEFAULT NULL::text) RETURNS TABLE(id text, blocked_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    home constant bigint := bespeak.resource_number($1);
    counts integer[];
    capacities integer[];
    bad jsonb;
    answer record;
begin
    perform bespeak.check_lines(array[$1], $2, $4);
    perform bespeak.check_units($2);
    if $3 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($3, 'reason', 500);
    perform bespeak.check_text($5, 'idempotency_key', 200);
    counts := coalesce($4, array_fill(null::integer, array[cardinality($2)]));
    perform bespeak.check_plan(home, r.plan, false)
    from bespeak.resource r where r.resource_id = home;
    if not found then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    select jsonb_agg(l.unit) filter (
            where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n)
    into bad, capacities
    from bespeak.resource r, unnest($2, counts) with ordinality as l(unit, quantity, n)
    left join lateral (select * from bespeak.plan_units((
        select plan from bespeak.resource where resource_id = home))) p on p.unit = l.unit
    where r.resource_id = home;
    if bad is not null then
        perform bespeak.refuse('unknown_unit', 'BS003', bad);
    end if;
    select b.* into answer from bespeak.block_units(home, bespeak.new_id(home, true), $3, $2,
        counts, capacities, $5, bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[cardinality($2)]), $2, counts)) || bespeak.field_print($3)) b;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('blk', (answer.block).block_id),
        (answer.block).created_at;
end
$_$;

CREATE TABLE bespeak.block (
    resource_id bigint NOT NULL,
    block_id uuid NOT NULL,
    reason text NOT NULL,
    units text[] NOT NULL,
    quantities integer[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    lifted_at timestamp with time zone,
    source text
);

CREATE FUNCTION bespeak.block_units(home bigint, in_block_id uuid, in_reason text, in_units text[], in_quantities integer[], in_capacities integer[], key text, content bytea, in_source text DEFAULT NULL::text) RETURNS TABLE(outcome text, answered_at timestamp with time zone, block bespeak.block, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.bookings_with_words(in_words tsquery, in_limit integer) RETURNS TABLE(resource_id bigint, booking_id uuid, confirmed_at timestamp with time zone, state text)
    LANGUAGE sql STABLE
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET enable_indexonlyscan TO 'off'
    AS $$
    select b.resource_id, b.booking_id, b.confirmed_at, b.state from (
        (select b.resource_id, b.booking_id from bespeak.booking b
            where b.contact is not null and bespeak.contact_words(b.contact) @@ in_words
            limit in_limit)
        union
        (select p.resource_id, p.hold_id from bespeak.payment p
            where p.contact is not null and bespeak.contact_words(p.contact) @@ in_words
            limit in_limit)
    ) f
    join bespeak.booking b on b.resource_id = f.resource_id and b.booking_id = f.booking_id
    limit in_limit
$$;

CREATE TABLE bespeak.cancellation (
    resource_id bigint NOT NULL,
    reason text NOT NULL,
    refund text NOT NULL,
    state text NOT NULL,
    phase text NOT NULL,
    after_unit text NOT NULL COLLATE pg_catalog."C",
    after_hold uuid NOT NULL,
    bookings_total integer NOT NULL,
    bookings_done integer DEFAULT 0 NOT NULL,
    holds_released integer DEFAULT 0 NOT NULL,
    idempotency_key text,
    fingerprint bytea NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT cancellation_check CHECK (((state = 'done'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT cancellation_phase_check CHECK ((phase = ANY (ARRAY['claims'::text, 'draws'::text]))),
    CONSTRAINT cancellation_refund_check CHECK ((refund = ANY (ARRAY['full'::text, 'policy'::text]))),
    CONSTRAINT cancellation_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);

CREATE FUNCTION bespeak.call_off(home bigint, in_reason text, in_refund text, key text, content bytea) RETURNS TABLE(outcome text, cancellation bespeak.cancellation)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
    made bespeak.cancellation;
    v_outcome text := 'begun';
begin
    perform set_config('lock_timeout', '2s', true);
    perform pg_advisory_xact_lock(7094970116);
    perform from bespeak.resource r where r.resource_id = home for no key update;
    if not found then
        return query select 'not_found', null::bespeak.cancellation;
        return;
    end if;
    select c.* into made from bespeak.cancellation c where c.resource_id = home;
    if found then
        v_outcome := case
            when key is null or made.idempotency_key is distinct from key then 'called_off'
            when made.fingerprint = content then 'replayed'
            else 'key_reused' end;
        return query select v_outcome, made;
        return;
    end if;
    v_now := bespeak.now();
    update bespeak.resource r
    set state = 'closed', version = r.version + 1, updated_at = v_now
    where r.resource_id = home;
    insert into bespeak.cancellation as c (resource_id, reason, refund, state, phase, after_unit,
        after_hold, bookings_total, idempotency_key, fingerprint, begun_at)
    select home, in_reason, in_refund, 'running', 'claims', '',
        '00000000-0000-0000-0000-000000000000',
        -- The claims and draws of bookings are those that never lapse.
        (select count(distinct l.hold_id) from (
            select t.hold_id, t.expires_at from bespeak.claim t where t.resource_id = home
            union all
            select t.hold_id, t.expires_at from bespeak.draw t where t.resource_id = home) l
         where l.expires_at = 'infinity' and not bespeak.is_block(l.hold_id)),
        key, content, v_now
    returning c.* into made;
    insert into bespeak.event (resource_id, horizon, kind, at, data)
    values (home, bespeak.horizon(), 'changed', v_now, null),
        (home, bespeak.horizon(), 'called_off', v_now,
            jsonb_build_object('reason', in_reason, 'refund', in_refund));
    return query select v_outcome, made;
end
$$;

CREATE FUNCTION bespeak.call_off_batch(home bigint, requests bespeak.change_request[], released_homes bigint[], released uuid[], lapsed_homes bigint[], lapsed uuid[], next_phase text, next_unit text, next_hold uuid) RETURNS TABLE(booking_id uuid, outcome text)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
    done integer := 0;
    r record;
begin
    -- Many bookings draw from the same pools: locked first, in the order in which all lock them.
    perform from bespeak.pool p where p.resource_id = home order by p.unit for update of p;
    v_now := bespeak.now();
    perform bespeak.end_holds('expired', v_now, lapsed_homes, lapsed);
    perform bespeak.end_holds('released', v_now, released_homes, released);
    for r in
        select requests[c.ordinal].hold_id as booking_id, c.outcome
        from bespeak.cancel_bookings(home, requests) c
    loop
        if r.outcome in ('confirmed', 'cancelled') then
            done := done + 1;
        else
            return query select r.booking_id::uuid, r.outcome::text;
        end if;
    end loop;
    update bespeak.cancellation c
    set bookings_done = c.bookings_done + done,
        holds_released = c.holds_released + cardinality(released),
        phase = coalesce(next_phase, c.phase), after_unit = coalesce(next_unit, c.after_unit),
        after_hold = coalesce(next_hold, c.after_hold),
        state = case when next_phase is null then 'done' else c.state end,
        ended_at = case when next_phase is null then v_now end,
        -- Holds that were paid for meanwhile became bookings.
        bookings_total = case when next_phase is null then c.bookings_done + done
            else greatest(c.bookings_total, c.bookings_done + done) end
    where c.resource_id = home;
end
$$;

CREATE FUNCTION bespeak.cancel_booking(id text, reason text, owner text DEFAULT NULL::text, resources text[] DEFAULT NULL::text[], units text[] DEFAULT NULL::text[], quantities integer[] DEFAULT NULL::integer[], idempotency_key text DEFAULT NULL::text) RETURNS TABLE(booking_id text, state text, cancelled_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    numbers bigint[];
    counts integer[];
    request bespeak.change_request;
    answer record;
begin
    if $2 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($2, 'reason', 500);
    if $5 is not null then
        perform bespeak.check_lines($4, $5, $6);
        select array_agg(bespeak.resource_number(
            case when cardinality($4) = 1 then $4[1] else $4[n] end) order by n)
        into numbers from generate_subscripts($5, 1) as n;
        counts := coalesce($6, array_fill(null::integer, array[cardinality($5)]));
    end if;
    request := bespeak.one_change($1, $3, $7, null, $2, numbers, $5, counts,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2)
        || bespeak.field_print(bespeak.lines_text(numbers, $5, counts)));
    perform bespeak.check_text($7, 'idempotency_key', 200);
    if $5 is not null and exists (
            select from bespeak.hold h
            where h.resource_id = request.home and h.hold_id = request.hold_id
                and h.shown is not null and ($3 is null or h.owner = $3)) then
        perform bespeak.refuse('plan_not_in_sql', 'BS008');
    end if;
    select c.* into answer from bespeak.cancel_bookings(request.home, array[request]) c;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'booking_not_found' else answer.outcome end,
        answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).cancelled_at;
end
$_$;

CREATE FUNCTION bespeak.cancel_bookings(home bigint, requests bespeak.change_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    bad jsonb[] := array_fill(null::jsonb, array[cardinality(requests)]);
    places integer[] := '{}';
    changed bespeak.booking[] := '{}';
    holders uuid[] := '{}';
    freed_resources bigint[] := '{}';
    freed_units text[] := '{}';
    freed_quantities integer[] := '{}';
    b bespeak.booking;
    r record;
    a record;
begin
    -- What each takes is found one after the other, for each may take other lines; it is written for
    -- all at once.
    for r in
        select q.ordinality::integer as n, requests[q.ordinality] as request, b as booking, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        join bespeak.booking b on b.resource_id = q.home and b.booking_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h, b
    loop
        outcomes[r.n] := case
            when (r.request).owner <> (r.booking).owner then 'not_owner'
            when (r.booking).state = 'cancelled' then 'booking_cancelled' end;
        if (r.request).idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select * into a from bespeak.recall('cancel', (r.booking).resource_id,
                (r.booking).owner, (r.request).idempotency_key, (r.request).fingerprint);
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        if outcomes[r.n] is null and (r.request).refund_amount is not null
            and coalesce((r.booking).cancelled, '{}')
                <> coalesce((r.request).expected_cancelled, '{}') then
            outcomes[r.n] := 'booking_changed';
        end if;
        continue when outcomes[r.n] is not null;

        a := bespeak.cancelled_lines(r.hold, r.booking,
            (r.request).resources, (r.request).units, (r.request).quantities,
            (r.request).shown_lines, (r.request).shown_quantities);
        bad[r.n] := a.unknown;
        outcomes[r.n] := case when a.unknown is not null then 'not_in_booking'
            when (r.request).owner is not null and bespeak.takes_used(
                r.hold, r.booking, a.cancelled, a.cancelled_shown) then 'ticket_used' end;
        continue when outcomes[r.n] is not null;
        outcomes[r.n] := case when a.remaining = 0 then 'cancelled' else 'confirmed' end;
        places := places || r.n;
        b := r.booking;
        b.state := outcomes[r.n];
        b.cancelled := a.cancelled;
        b.cancelled_shown := a.cancelled_shown;
        b.reason := (r.request).reason;
        changed := changed || b;
        holders := holders || array_fill(b.booking_id, array[cardinality(a.units)]);
        freed_resources := freed_resources || a.resources;
        freed_units := freed_units || a.units;
        freed_quantities := freed_quantities || a.quantities;
    end loop;
    v_now := bespeak.now();

    if cardinality(places) > 0 then
        perform bespeak.give_back(v_now, array_agg(q.home), array_agg(q.hold_id),
            array_agg(q.refund_amount), array_agg(q.called_off))
        from unnest(requests) with ordinality as q
        where q.ordinality = any(places) and q.refund_amount > 0
        having count(*) > 0;
        perform bespeak.tell_freed('cancelled', v_now, bookings.ids, bookings.homes,
            freed.holders, freed.resources, freed.units, freed.quantities)
        from (
            select array_agg(c.booking_id) as ids, array_agg(c.resource_id) as homes
            from unnest(changed) as c
        ) bookings, (
            select array_agg(f.hold_id) as holders, array_agg(f.resource_id) as resources,
                array_agg(f.unit) as units, array_agg(f.quantity) as quantities
            from bespeak.free_lines(holders, freed_resources, freed_units, freed_quantities) f
        ) freed;
        update bespeak.booking b
        set state = c.state, cancelled = c.cancelled, cancelled_shown = c.cancelled_shown,
            cancelled_at = v_now, reason = c.reason
        from unnest(changed) as c
        where b.resource_id = c.resource_id and b.booking_id = c.booking_id
            and b.state = 'confirmed';
        perform bespeak.remember('cancel', v_now, array_agg(c.resource_id), array_agg(c.owner),
            array_agg((q.request).idempotency_key), array_agg((q.request).fingerprint),
            array_agg(c.booking_id))
        from unnest(changed) with ordinality as c,
            lateral (select requests[places[c.ordinality]] as request) q
        where (q.request).idempotency_key is not null
        having count(*) > 0;
    end if;

    return query
    select q.ordinality::integer, outcomes[q.ordinality], v_now, h, b, bad[q.ordinality]
    from unnest(requests) with ordinality as q
    left join bespeak.booking b on b.resource_id = q.home and b.booking_id = q.hold_id
    left join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id;
end
$$;

CREATE FUNCTION bespeak.cancelled_lines(h bespeak.hold, b bespeak.booking, in_resources bigint[], in_units text[], in_quantities integer[], in_shown_lines integer[], in_shown_quantities integer[], OUT resources bigint[], OUT units text[], OUT quantities integer[], OUT cancelled integer[], OUT cancelled_shown integer[], OUT remaining bigint, OUT unknown jsonb) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
declare
    is_whole boolean := coalesce(cardinality(in_units), 0) = 0;
    is_refused boolean := false;
begin
    if is_whole and b.cancelled is null and b.cancelled_shown is null then
        -- All of a booking that is as it was: by far the most frequent, and plain.
        resources := h.resources;
        units := h.units;
        quantities := h.quantities;
        cancelled := array(
            select coalesce(l.quantity, 1) from unnest(h.quantities) with ordinality as l(quantity, n)
            order by l.n);
        cancelled_shown := h.shown_quantities;
        remaining := 0;
        return;
    end if;
    if h.shown is not null then
        select array_agg(s.gone + s.takes order by s.n),
            is_whole or bool_and(s.gone + s.takes = s.count),
            not is_whole and (bool_or(s.gone + s.takes > s.count) or not coalesce(
                cardinality(in_shown_lines) > 0
                and cardinality(in_shown_lines) = cardinality(in_shown_quantities)
                and 1 <= all(in_shown_lines) and 1 <= all(in_shown_quantities)
                and cardinality(h.shown_quantities) >= all(in_shown_lines), false))
        into cancelled_shown, is_whole, is_refused
        from (
            select c.n, c.count, coalesce(c.gone, 0) as gone, coalesce((
                select sum(q.quantity)::integer
                from unnest(in_shown_lines, in_shown_quantities) as q(place, quantity)
                where q.place = c.n), 0) as takes
            from unnest(h.shown_quantities, b.cancelled_shown) with ordinality as c(count, gone, n)
        ) s;
    end if;

    with line as (
        select l.*, coalesce(l.quantity, 1) - coalesce(l.gone, 0) as had,
            l.n > cardinality(h.units) - h.limit_lines as is_limit
        from unnest(h.resources, h.units, h.quantities, b.cancelled)
            with ordinality as l(resource_id, unit, quantity, gone, n)
    ), asked as (
        select s.resource_id, s.unit, sum(coalesce(s.quantity, 1)) as quantity
        from unnest(in_resources, in_units, in_quantities) as s(resource_id, unit, quantity)
        group by s.resource_id, s.unit
    ), named as (
        select l.*, case when is_whole then l.had else coalesce(s.quantity, 0) end as takes
        from line l
        left join asked s on s.resource_id = l.resource_id and s.unit = l.unit
        where not l.is_limit
    ), given as (
        select * from named
        union all
        select l.*, case
            when (select bool_and(s.takes >= s.had) from named s) then l.had
            when h.shown is null then least(l.had, (
                select coalesce(sum(s.takes), 0) from named s where s.resource_id = l.resource_id))
            else least(l.had, coalesce((
                select s.quantity from asked s
                where s.resource_id = l.resource_id and s.unit = l.unit), 0)) end
        from line l where l.is_limit
    )
    select
        array_agg(resource_id order by n) filter (where takes > 0),
        array_agg(unit order by n) filter (where takes > 0),
        array_agg(case when quantity is not null then takes end::integer order by n)
            filter (where takes > 0),
        array_agg((coalesce(gone, 0) + takes)::integer order by n),
        sum(had - takes) filter (where not is_limit)::bigint,
        (select jsonb_agg(jsonb_build_object('resource_id', s.resource_id, 'unit', s.unit))
         from asked s
         left join line w on w.resource_id = s.resource_id and w.unit = s.unit
            and (not w.is_limit or h.shown is not null)
         where is_refused or w.unit is null or (s.quantity > w.had and not w.is_limit))
    into resources, units, quantities, cancelled, remaining, unknown
    from given;
    if remaining = 0 then
        cancelled_shown := h.shown_quantities;
    end if;
end
$$;

CREATE FUNCTION bespeak.change_of(hold_id uuid, home bigint, reason text DEFAULT NULL::text) RETURNS bespeak.change_request
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    made bespeak.change_request;
begin
    made.hold_id := $1;
    made.home := $2;
    made.reason := $3;
    return made;
end
$_$;

CREATE SEQUENCE bespeak.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bespeak.check_in (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    ticket integer NOT NULL,
    admitted_to bigint NOT NULL,
    unit text,
    gate text,
    checked_in_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    idempotency_key text,
    fingerprint bytea,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    CONSTRAINT check_in_check CHECK ((checked_in_at <= recorded_at)),
    CONSTRAINT check_in_ticket_check CHECK ((ticket > 0))
);

CREATE FUNCTION bespeak.check_in_tickets(home bigint, requests bespeak.check_in_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, check_in bespeak.check_in)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    r record;
    b bespeak.booking;
    h bespeak.hold;
    found_line record;
    known bespeak.check_in;
    v_now timestamptz;
    v_outcome text;
begin
    for r in
        select q.* from unnest(requests) with ordinality
            as q(booking_id, ticket, admitted_to, unit, gate, scanned_at, key, content, n)
        order by q.booking_id, q.ticket, q.n
    loop
        v_outcome := null;
        known := null;
        -- Shared, so that the gates of one booking need not wait for each other. Whoever cancels does.
        select k.* into b from bespeak.booking k
        where k.resource_id = home and k.booking_id = r.booking_id for share;
        if not found then
            v_outcome := 'not_found';
        end if;
        v_now := bespeak.now();
        select k.* into h from bespeak.hold k
        where k.resource_id = home and k.hold_id = r.booking_id;
        select * into found_line from bespeak.line_of_ticket(h, b, r.ticket);
        if not found then
            v_outcome := 'not_found';
        end if;
        while v_outcome is null loop
            select c.* into known from bespeak.check_in c
            where c.resource_id = home and c.idempotency_key = r.key;
            if found then
                v_outcome := case when known.fingerprint = r.content
                    then 'replayed' else 'key_reused' end;
                exit;
            end if;
            select c.* into known from bespeak.check_in c
            where c.resource_id = home and c.booking_id = r.booking_id and c.ticket = r.ticket;
            if found then
                v_outcome := 'already_checked_in';
                exit;
            end if;
            if found_line.last_ticket - r.ticket - (
                    select count(*) from bespeak.check_in c
                    where c.resource_id = home and c.booking_id = r.booking_id
                        and c.ticket > r.ticket and c.ticket <= found_line.last_ticket)
                    < found_line.cancelled then
                v_outcome := 'cancelled';
                exit;
            end if;
            -- A twin in flight is waited for here; then this goes round again and finds it.
            insert into bespeak.check_in as c (resource_id, booking_id, ticket, admitted_to, unit,
                gate, checked_in_at, recorded_at, idempotency_key, fingerprint)
            values (home, r.booking_id, r.ticket, r.admitted_to, r.unit, r.gate,
                least(coalesce(r.scanned_at, v_now), v_now), v_now, r.key, r.content)
            on conflict do nothing
            returning c.* into known;
            if found then
                v_outcome := 'checked_in';
                insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
                values (r.admitted_to, bespeak.horizon(), 'checked_in', r.booking_id, v_now,
                    jsonb_strip_nulls(jsonb_build_object('ticket', r.ticket, 'unit', r.unit,
                        'gate', r.gate, 'checked_in_at', to_char(known.checked_in_at
                            at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))));
            end if;
        end loop;
        return query select r.n::integer, v_outcome, v_now, known;
    end loop;
end
$$;

CREATE FUNCTION bespeak.check_lines(in_resources text[], in_units text[], in_quantities integer[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if coalesce(cardinality(in_units), 0) not between 1 and 10000
        or coalesce(cardinality(in_resources), 0) not in (1, cardinality(in_units))
        or cardinality(in_quantities) <> cardinality(in_units)
        or array_position(in_units, null) is not null
        or array_position(in_resources, null) is not null
        or 0 >= any(in_quantities) then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "lines"}');
    end if;
end
$$;

CREATE FUNCTION bespeak.check_plan(in_resource bigint, plan jsonb, is_hold boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if coalesce(plan->>'type', 'seats') <> 'seats'
        or (is_hold and coalesce(plan->>'orphans', 'off') <> 'off') then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;

CREATE FUNCTION bespeak.check_pricing(in_resource bigint, pricing jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if pricing <> '{}' then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;

CREATE FUNCTION bespeak.check_text(content text, field text, length_max integer) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
    if length(content) > length_max or content !~ '^[[:print:]]+$' then
        perform bespeak.refuse('invalid_request', 'BS004', jsonb_build_object('field', field));
    end if;
end
$_$;

CREATE FUNCTION bespeak.check_units(in_units text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    twice jsonb;
begin
    select jsonb_agg(t.unit) into twice
    from (select u.unit from unnest(in_units) as u(unit) group by u.unit having count(*) > 1) t;
    if twice is not null then
        perform bespeak.refuse('duplicate_line', 'BS007', twice);
    end if;
end
$$;

CREATE FUNCTION bespeak.checked_request(in_owner text, in_resources bigint[], in_units text[], in_quantities integer[], in_hold_seconds integer, key text) RETURNS bespeak.hold_request
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    result bespeak.hold_request;
    policy record;
    bad jsonb;
    limits record;
begin
    if in_owner is null or in_owner !~ '^[[:print:]]{1,200}$' then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "owner"}');
    end if;
    if coalesce(cardinality(in_units), 0) not between 1 and 1000
        or cardinality(in_resources) is distinct from cardinality(in_units)
        or cardinality(in_quantities) is distinct from cardinality(in_units)
        or 0 >= any(in_quantities) then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "lines"}');
    end if;
    select jsonb_agg(jsonb_build_object('resource_id', bespeak.resource_text(d.resource_id),
        'unit', d.unit)) into bad
    from (
        select l.resource_id, l.unit from unnest(in_resources, in_units) as l(resource_id, unit)
        group by l.resource_id, l.unit having count(*) > 1
    ) d;
    if bad is not null then
        perform bespeak.refuse('duplicate_line', 'BS007', bad);
    end if;

    select min(r.hold_seconds) as seconds, min(r.hold_seconds_max) as cap,
        count(*) as known, count(distinct r.currency) as currencies,
        min(r.resource_id) filter (where r.state <> 'open' or r.closes_at <= v_now) as closed,
        min(r.resource_id) filter (where r.opens_at > v_now) as early
    into policy
    from bespeak.resource r where r.resource_id = any(in_resources);
    if policy.known < (select count(distinct n) from unnest(in_resources) as n) then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    if policy.closed is not null then
        perform bespeak.refuse('resource_closed', 'BS005',
            jsonb_build_object('resource_id', bespeak.resource_text(policy.closed)));
    end if;
    if policy.early is not null then
        perform bespeak.refuse('resource_not_open', 'BS006',
            jsonb_build_object('resource_id', bespeak.resource_text(policy.early)), 'retry later');
    end if;
    if policy.currencies > 1 then
        perform bespeak.refuse('currencies_differ', 'BS061');
    end if;
    if in_hold_seconds < 1 or in_hold_seconds > policy.cap then
        perform bespeak.refuse('hold_time_beyond_cap', 'BS060',
            jsonb_build_object('hold_seconds_max', policy.cap));
    end if;

    perform bespeak.check_plan(r.resource_id, r.plan, true)
    from bespeak.resource r where r.resource_id = any(in_resources) order by r.resource_id;
    perform bespeak.check_pricing(r.resource_id, r.pricing)
    from bespeak.resource r where r.resource_id = any(in_resources) order by r.resource_id;
    select jsonb_agg(jsonb_build_object('resource_id', bespeak.resource_text(l.resource_id),
            'unit', l.unit)) filter (where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n),
        sum(coalesce(p.price, r.price_amount) * coalesce(l.quantity, 1)), min(r.currency),
        array_agg(coalesce(p.price, r.price_amount) * coalesce(l.quantity, 1) order by l.n)
    into bad, result.capacities, result.amount, result.currency, result.amounts
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
    join bespeak.resource r on r.resource_id = l.resource_id
    left join lateral bespeak.plan_units(r.plan) p on p.unit = l.unit;
    if bad is not null then
        perform bespeak.refuse('unknown_unit', 'BS003', bad);
    end if;

    select coalesce(array_agg(t.resource_id), '{}') as resources,
        coalesce(array_agg('owner:' || in_owner), '{}') as units,
        coalesce(array_agg(t.quantity), '{}') as quantities,
        coalesce(array_agg(t.owner_limit), '{}') as capacities, count(*)::integer as lines
    into limits
    from (
        select r.resource_id, r.owner_limit, sum(coalesce(l.quantity, 1))::integer as quantity
        from unnest(in_resources, in_quantities) as l(resource_id, quantity)
        join bespeak.resource r on r.resource_id = l.resource_id
        where r.owner_limit is not null
        group by r.resource_id, r.owner_limit
    ) t;

    if result.amount = 0 then
        result.amounts := null;
    end if;
    result.hold_id := bespeak.new_id(in_resources[1]);
    result.owner := in_owner;
    result.hold_seconds := coalesce(in_hold_seconds, policy.seconds);
    result.cap_seconds := policy.cap;
    result.idempotency_key := key;
    result.fingerprint := bespeak.field_print(
            bespeak.lines_text(in_resources, in_units, in_quantities))
        || bespeak.field_print(in_hold_seconds::text);
    result.resources := in_resources || limits.resources;
    result.units := in_units || limits.units;
    result.quantities := in_quantities || limits.quantities;
    result.capacities := result.capacities || limits.capacities;
    result.limit_lines := limits.lines;
    return result;
end
$_$;

CREATE TABLE bespeak.event (
    resource_id bigint NOT NULL,
    horizon xid8 NOT NULL,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    kind text NOT NULL,
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    data jsonb,
    CONSTRAINT event_kind_check CHECK ((kind = ANY (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'confirmed'::text, 'released'::text, 'expired'::text, 'cancelled'::text, 'blocked'::text, 'unblocked'::text, 'payment_begun'::text, 'payment_authorized'::text, 'payment_captured'::text, 'payment_failed'::text, 'payment_voided'::text, 'payment_late'::text, 'refund_begun'::text, 'refunded'::text, 'refund_failed'::text, 'checked_in'::text, 'called_off'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.2');

CREATE FUNCTION bespeak.claim_deliveries(in_endpoints text[], in_rooms integer[], in_lease_seconds integer) RETURNS TABLE(endpoint_id text, "position" bigint, kind text, tries integer, created_at timestamp with time zone, leased_until timestamp with time zone, event bespeak.event)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    v_until constant timestamptz := v_now + make_interval(secs => in_lease_seconds);
begin
    perform set_config('synchronous_commit', 'off', true);
    return query
    with due as materialized (
        select d.endpoint_id, d.position
        from unnest(in_endpoints, in_rooms) as r(endpoint_id, room)
        cross join lateral (
            select p.endpoint_id, p.position from bespeak.webhook_delivery p
            where p.endpoint_id = r.endpoint_id and p.state = 'pending' and p.due_at <= v_now
            order by p.due_at, p.position limit r.room
            for update skip locked
        ) d
    ), taken as (
        update bespeak.webhook_delivery d set due_at = v_until
        from due where d.endpoint_id = due.endpoint_id and d.position = due.position
        returning d.*
    )
    select t.endpoint_id, t.position, t.kind, t.tries, t.created_at, v_until, e
    from taken t
    left join bespeak.event e on e.resource_id = t.resource_id and e.horizon = t.horizon
        and e.position = t.position
    order by t.horizon, t.position;
end
$$;

CREATE TABLE bespeak.mail (
    mail_id uuid NOT NULL,
    kind text NOT NULL,
    hold_id uuid NOT NULL,
    horizon xid8 NOT NULL,
    "position" bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    data jsonb,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    failure text,
    CONSTRAINT mail_check CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT mail_check1 CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT mail_kind_check CHECK ((kind = ANY (ARRAY['booking_confirmed'::text, 'booking_cancelled'::text, 'payment_late'::text, 'payment_failed'::text, 'refunded'::text]))),
    CONSTRAINT mail_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE FUNCTION bespeak.claim_mails(in_limit integer, in_lease_seconds integer) RETURNS TABLE(mail bespeak.mail, hold bespeak.hold, booking bespeak.booking, contact jsonb, refunding bigint)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    return query
    with due as materialized (
        select m.mail_id, m.kind = 'payment_failed' and (
            exists (select from bespeak.booking b
                where b.resource_id = bespeak.home_of(m.hold_id) and b.booking_id = m.hold_id)
            or exists (select from bespeak.payment p
                where p.resource_id = bespeak.home_of(m.hold_id) and p.hold_id = m.hold_id
                    and p.state in ('pending', 'authorized', 'captured'))) as dropped
        from bespeak.mail m
        where m.state = 'pending' and m.due_at <= v_now
        order by m.due_at limit in_limit
        for update of m skip locked
    ), taken as (
        update bespeak.mail m
        set due_at = case when not d.dropped then v_now + make_interval(secs => in_lease_seconds) end,
            state = case when d.dropped then 'dropped' else 'pending' end,
            ended_at = case when d.dropped then v_now end
        from due d where m.mail_id = d.mail_id
        returning m as mail
    )
    select t.mail, h, b, bespeak.contact_of((t.mail).hold_id, (t.mail).data), (
        select sum((e.data ->> 'amount')::bigint)::bigint from bespeak.event e
        where (t.mail).kind = 'booking_cancelled' and e.hold_id = (t.mail).hold_id
            and e.kind = 'refund_begun' and e.data ->> 'cause' in ('cancelled', 'called_off')
            and e.at between (t.mail).at and (t.mail).at + interval '1 second')
    from taken t
    left join bespeak.hold h on h.resource_id = bespeak.home_of((t.mail).hold_id)
        and h.hold_id = (t.mail).hold_id
    left join bespeak.booking b on b.resource_id = bespeak.home_of((t.mail).hold_id)
        and b.booking_id = (t.mail).hold_id
    order by (t.mail).created_at, (t.mail).position;
end
$$;

CREATE FUNCTION bespeak.comes_early(resources bigint[], presale bigint[], early bigint[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select exists (
        select from unnest(resources) as r
        where r = any(early) and r <> all(coalesce(presale, '{}')))
$$;

CREATE FUNCTION bespeak.confirm_hold(id text, owner text DEFAULT NULL::text, idempotency_key text DEFAULT NULL::text) RETURNS TABLE(booking_id text, state text, amount bigint, currency text, confirmed_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $2, $3, null, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text));
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    select c.* into answer from bespeak.confirm_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).amount, (answer.booking).currency,
        (answer.booking).confirmed_at;
end
$_$;

CREATE FUNCTION bespeak.confirm_holds(home bigint, requests bespeak.change_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.conflicts(v_now timestamp with time zone, own uuid, in_resources bigint[], in_units text[], in_quantities integer[], in_capacities integer[]) RETURNS TABLE(details jsonb)
    LANGUAGE sql STABLE
    AS $$
    select jsonb_agg(jsonb_build_object(
        'resource_id', l.resource_id, 'unit', l.unit,
        'state', case
            when l.quantity is not null then 'short'
            when c.expires_at < 'infinity' then 'held'
            when bespeak.is_block(c.hold_id) then 'blocked'
            else 'booked' end,
        'until', case when c.expires_at < 'infinity' then extract(epoch from c.expires_at) end,
        'owner', h.owner,
        'capacity', l.capacity,
        'available', case when l.quantity is not null then l.capacity - coalesce(p.taken, 0) end))
    from unnest(in_resources, in_units, in_quantities, in_capacities)
        as l(resource_id, unit, quantity, capacity)
    left join bespeak.claim c on l.quantity is null
        and c.resource_id = l.resource_id and c.unit = l.unit
        and c.expires_at > v_now and c.hold_id <> own
    left join bespeak.hold h on h.resource_id = bespeak.home_of(c.hold_id) and h.hold_id = c.hold_id
    left join lateral (
        -- Without the draws that have lapsed, which the next taker gets.
        select k.taken - case when k.lapses_at <= v_now then coalesce((
            select sum(d.quantity) from bespeak.draw d
            where d.resource_id = k.resource_id and d.unit = k.unit
                and d.expires_at <= v_now), 0) else 0 end as taken
        from bespeak.pool k
        where l.quantity is not null and k.resource_id = l.resource_id and k.unit = l.unit
    ) p on true
    where c.hold_id is not null
        or (l.quantity is not null and coalesce(p.taken, 0) + l.quantity > l.capacity)
$$;

CREATE FUNCTION bespeak.contact_of(in_hold uuid, in_data jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        (select p.contact from bespeak.payment p
         where in_data ? 'payment_id' and p.resource_id = bespeak.home_of(in_hold)
            and p.payment_id = bespeak.id_uuid(in_data ->> 'payment_id')),
        (select b.contact from bespeak.booking b
         where b.resource_id = bespeak.home_of(in_hold) and b.booking_id = in_hold),
        (select p.contact from bespeak.payment p
         where p.hold_id = in_hold and p.state in ('pending', 'authorized', 'captured', 'refunded')
         order by p.created_at desc limit 1))
$$;

CREATE FUNCTION bespeak.contact_words(contact jsonb) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select to_tsvector('simple', concat_ws(' ', contact ->> 'name', contact ->> 'email'))
$$;

CREATE FUNCTION bespeak.draw_from_pools(v_now timestamp with time zone, requests bespeak.hold_request[], alive boolean[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    short_resources bigint[];
    short_units text[];
    lost integer[] := '{}';
    r record;
    fits boolean;
begin
    -- The common case in one statement: every pool has room for all that this batch asks of it.
    with demand as materialized (
        select l.resource_id, l.unit, max(l.capacity) as capacity, sum(l.quantity)::integer as quantity,
            v_now + make_interval(secs => min(q.hold_seconds)) as lapses_at
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities, q.capacities)
                as l(resource_id, unit, quantity, capacity)
        where alive[q.ordinality] and l.quantity is not null
        group by l.resource_id, l.unit
    ), drawn as (
        -- Every pool in key order, also those that can never fit: their rows are locked here.
        insert into bespeak.pool as p (resource_id, unit, capacity, taken, lapses_at)
        select resource_id, unit, capacity,
            case when quantity <= capacity then quantity else 0 end, lapses_at
        from demand
        order by resource_id, unit
        on conflict (resource_id, unit) do update
            set taken = p.taken + excluded.taken, capacity = excluded.capacity,
                lapses_at = least(p.lapses_at, excluded.lapses_at)
            where p.taken + excluded.taken <= excluded.capacity
        returning resource_id, unit
    )
    select array_agg(d.resource_id order by d.resource_id, d.unit),
        array_agg(d.unit order by d.resource_id, d.unit)
    into short_resources, short_units
    from demand d
    where ((select count(*) from drawn) < (select count(*) from demand)
            or exists (select from demand where quantity > capacity))
        and (d.quantity > d.capacity or not exists (
            select from drawn w where w.resource_id = d.resource_id and w.unit = d.unit));
    if short_resources is null then
        return lost;
    end if;

    -- Some pools are short (their rows are locked by the attempt). Take back what has lapsed.
    perform bespeak.reclaim_draws(v_now, short_resources, short_units);

    -- First come, first served, one request after the other, over the pools that are short.
    for r in
        select q.ordinality, q.hold_id, q.resources, q.units, q.quantities, q.capacities, q.hold_seconds
        from unnest(requests) with ordinality as q
        where alive[q.ordinality] and exists (
            select from unnest(q.resources, q.units) as l(resource_id, unit)
            join unnest(short_resources, short_units) as s(resource_id, unit)
                on s.resource_id = l.resource_id and s.unit = l.unit)
        order by q.ordinality
    loop
        select bool_and(p.taken + l.quantity <= l.capacity) into fits
        from unnest(r.resources, r.units, r.quantities, r.capacities)
            as l(resource_id, unit, quantity, capacity)
        join unnest(short_resources, short_units) as s(resource_id, unit)
            on s.resource_id = l.resource_id and s.unit = l.unit
        join bespeak.pool p on p.resource_id = l.resource_id and p.unit = l.unit
        where l.quantity is not null;
        if fits then
            update bespeak.pool p
            set taken = p.taken + l.quantity, capacity = l.capacity,
                lapses_at = least(p.lapses_at, v_now + make_interval(secs => r.hold_seconds))
            from unnest(r.resources, r.units, r.quantities, r.capacities)
                as l(resource_id, unit, quantity, capacity)
            join unnest(short_resources, short_units) as s(resource_id, unit)
                on s.resource_id = l.resource_id and s.unit = l.unit
            where p.resource_id = l.resource_id and p.unit = l.unit and l.quantity is not null;
        else
            -- It lost; what the first statement drew for it from the other pools goes back.
            lost := lost || r.ordinality::integer;
            update bespeak.pool p
            set taken = p.taken - l.quantity
            from unnest(r.resources, r.units, r.quantities) as l(resource_id, unit, quantity)
            where p.resource_id = l.resource_id and p.unit = l.unit and l.quantity is not null
                and not exists (
                    select from unnest(short_resources, short_units) as s(resource_id, unit)
                    where s.resource_id = l.resource_id and s.unit = l.unit);
        end if;
    end loop;
    return lost;
end
$$;

CREATE FUNCTION bespeak.due_payments(in_limit integer, lease_seconds integer) RETURNS SETOF bespeak.payment
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE TABLE bespeak.refund (
    resource_id bigint NOT NULL,
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    cause text NOT NULL,
    state text NOT NULL,
    failure text,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    called_off bigint,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT refund_amount_check CHECK ((amount > 0)),
    CONSTRAINT refund_cause_check CHECK ((cause = ANY (ARRAY['cancelled'::text, 'called_off'::text, 'late'::text, 'mismatch'::text]))),
    CONSTRAINT refund_check CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT refund_check1 CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT refund_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'refunded'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE FUNCTION bespeak.due_refunds(in_limit integer, lease_seconds integer) RETURNS TABLE(refund bespeak.refund, payment bespeak.payment)
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
    with due as (
        select f.resource_id, f.refund_id from bespeak.refund f
        where f.state = 'pending' and f.due_at <= bespeak.now()
        order by f.due_at limit in_limit
        for update skip locked
    ), claimed as (
        update bespeak.refund f
        set tries = f.tries + 1, due_at = bespeak.now() + make_interval(
            secs => least(3600, lease_seconds * 2 ^ least(f.tries, 10)))
        from due d
        where f.resource_id = d.resource_id and f.refund_id = d.refund_id
        returning f
    )
    select c.f, p from claimed c
    join bespeak.payment p
        on p.resource_id = (c.f).resource_id and p.payment_id = (c.f).payment_id
$$;

CREATE FUNCTION bespeak.end_holds(v_state text, v_now timestamp with time zone, homes bigint[], ids uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.end_unpaid(v_now timestamp with time zone, p bespeak.payment, in_failure text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION bespeak.events_after(in_horizon xid8, in_position bigint, in_resource bigint, in_limit integer) RETURNS SETOF bespeak.event
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
begin
    if in_resource is null then
        return query
        select e.* from bespeak.event e
        where (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    else
        return query
        select e.* from bespeak.event e
        where e.resource_id = in_resource
            and (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    end if;
end
$$;

CREATE FUNCTION bespeak.expire_holds(in_limit integer) RETURNS TABLE(expired integer, next_due timestamp with time zone, answered_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.extend_hold(id text, seconds integer, owner text DEFAULT NULL::text, idempotency_key text DEFAULT NULL::text) RETURNS TABLE(hold_id text, state text, expires_at timestamp with time zone, extends_until timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $3, $4, $2, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2::text));
    answer record;
begin
    if $2 is null or $2 < 1 then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "seconds"}');
    end if;
    perform bespeak.check_text($4, 'idempotency_key', 200);
    select c.* into answer from bespeak.extend_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, case when answer.outcome = 'beyond_cap' then
        jsonb_build_object('extends_until', (answer.hold).extends_until) end);
    return query select $1, (answer.hold).state, (answer.hold).expires_at,
        (answer.hold).extends_until;
end
$_$;

CREATE FUNCTION bespeak.extend_holds(home bigint, requests bespeak.change_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.field_print(content text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select substr(sha256(convert_to(coalesce(content, ''), 'UTF8')), 1, 8)
$$;

CREATE FUNCTION bespeak.free_lines(holders uuid[], in_resources bigint[], in_units text[], in_quantities integer[]) RETURNS TABLE(hold_id uuid, resource_id bigint, unit text, quantity integer)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.give_back(v_now timestamp with time zone, homes bigint[], holds uuid[], amounts bigint[], resources_called_off bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
    perform from unnest(homes, holds) as g(home, hold_id)
    join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
    where p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
    order by p.resource_id, p.payment_id for update of p;
    with paid as (
        update bespeak.payment p set refunding = p.refunding + g.amount
        from unnest(homes, holds, amounts, resources_called_off)
            as g(home, hold_id, amount, called_off)
        where p.resource_id = g.home and p.hold_id = g.hold_id
            and p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
        returning p.resource_id, p.payment_id, p.hold_id, p.currency, g.amount, g.called_off
    ), made as (
        insert into bespeak.refund as f (resource_id, refund_id, payment_id, hold_id, amount,
            currency, cause, state, due_at, called_off, created_at)
        select p.resource_id, bespeak.new_id(p.resource_id), p.payment_id, p.hold_id, p.amount,
            p.currency, case when p.called_off is null then 'cancelled' else 'called_off' end,
            'pending', v_now, p.called_off, v_now
        from paid p
        returning f
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (m.f).resource_id, bespeak.horizon(), 'refund_begun', (m.f).hold_id, v_now,
        bespeak.refund_data(m.f)
    from made m;
end
$$;

CREATE FUNCTION bespeak.give_numbers(v_now timestamp with time zone, INOUT requests bespeak.hold_request[], INOUT alive boolean[], OUT refused integer[], OUT shortages jsonb[], OUT numbered integer[]) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    counted bigint[];  -- the resources whose numbers are asked for, and of each, at the same place:
    prefixes text[] := '{}';
    counts integer[] := '{}';
    used integer[] := '{}';  -- how far its part of the pile is given out
    ends integer[] := '{}';  -- where its part of the pile ends
    pile integer[] := '{}';
    reached integer[];
    names text[];
    lacking integer[];
    r record;
    k integer;
begin
    refused := '{}';
    numbered := '{}';
    shortages := array_fill(null::jsonb, array[cardinality(requests)]);
    select array_agg(distinct l.resource_id) into counted
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units) as l(resource_id, unit)
    where alive[q.ordinality] and l.unit is null;
    if counted is null then
        return;
    end if;

    insert into bespeak.counter (resource_id, last)
    select c.resource_id, coalesce((
            select (p.plan->>'first')::integer from bespeak.resource p
            where p.resource_id = c.resource_id), 1) - 1
    from unnest(counted) as c(resource_id)
    where not exists (select from bespeak.counter n where n.resource_id = c.resource_id)
    order by c.resource_id
    on conflict do nothing;
    perform from bespeak.counter n where n.resource_id = any(counted)
    order by n.resource_id for update;

    -- Whoever placed a twin of one of these had the counter before, and has committed.
    for r in
        select t.n
        from (
            select q.ordinality::integer as n, q.resources[1] as home, q.hold_id, q.owner,
                q.idempotency_key as key, row_number() over (
                    partition by q.resources[1], q.owner, q.idempotency_key
                    order by q.ordinality) as nth
            from unnest(requests) with ordinality as q
            where alive[q.ordinality] and array_position(q.units, null) is not null
        ) t
        where (t.key is not null and t.nth > 1)
            or exists (select from bespeak.hold h
                where h.resource_id = t.home and h.hold_id = t.hold_id)
            or exists (select from bespeak.hold h
                where h.resource_id = t.home and h.owner = t.owner and h.idempotency_key = t.key)
    loop
        alive[r.n] := false;
        refused := refused || r.n;
    end loop;

    counted := '{}';
    for r in
        select l.resource_id, p.plan, n.last, count(*) filter (where l.unit is null) as wanted,
            array_remove(array_agg(l.unit), null) as named
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        join bespeak.counter n on n.resource_id = l.resource_id
        join bespeak.resource p on p.resource_id = l.resource_id
        where alive[q.ordinality] and l.quantity is null
        group by l.resource_id, p.plan, n.last
    loop
        counted := counted || r.resource_id;
        prefixes := prefixes || coalesce(r.plan->>'prefix', '');
        counts := counts || (r.plan->>'count')::integer;
        used := used || cardinality(pile);
        pile := pile || bespeak.next_numbers(
            v_now, r.resource_id, r.plan, r.last, r.wanted::integer, r.named);
        ends := ends || cardinality(pile);
    end loop;

    for r in
        select q.ordinality::integer as n, q.resources, q.units
        from unnest(requests) with ordinality as q
        where alive[q.ordinality] and array_position(q.units, null) is not null
        order by q.ordinality
    loop
        names := r.units;
        reached := used;
        lacking := '{}';
        for i in 1 .. cardinality(names) loop
            continue when names[i] is not null;
            k := array_position(counted, r.resources[i]);
            if reached[k] < ends[k] then
                reached[k] := reached[k] + 1;
                names[i] := prefixes[k] || pile[reached[k]];
            elsif k <> all(lacking) then
                lacking := lacking || k;
            end if;
        end loop;
        if cardinality(lacking) = 0 then
            used := reached;
            requests[r.n].units := names;
            numbered := numbered || r.n;
        else
            alive[r.n] := false;
            refused := refused || r.n;
            shortages[r.n] := (
                select jsonb_agg(jsonb_build_object(
                    'resource_id', counted[s.k], 'unit', 'next', 'state', 'short',
                    'capacity', counts[s.k], 'available', ends[s.k] - used[s.k]))
                from unnest(lacking) as s(k));
        end if;
    end loop;

    -- A number that fills a gap leaves the counter where it is.
    update bespeak.counter n set last = g.number
    from (
        select counted[i] as resource_id, pile[used[i]] as number
        from generate_subscripts(counted, 1) as i
        where used[i] > coalesce(ends[i - 1], 0)
    ) g
    where n.resource_id = g.resource_id and g.number > n.last;
end
$$;

CREATE FUNCTION bespeak.hold_problem(v_now timestamp with time zone, asked_owner text, h bespeak.hold) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when asked_owner <> h.owner then 'not_owner'
        when h.state = 'confirmed' then 'hold_confirmed'
        when h.state = 'released' then 'hold_released'
        when h.state = 'expired' or h.expires_at <= v_now then 'hold_expired'
    end
$$;

CREATE FUNCTION bespeak.home_of(hold_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select ('x' || substr(t.hex, 14, 3) || substr(t.hex, 18, 7))::bit(40)::bigint
    from (select replace(hold_id::text, '-', '') as hex) t
$$;

CREATE FUNCTION bespeak.horizon() RETURNS xid8
    LANGUAGE sql
    AS $$
    select case when own.id > latest.id then own.id else latest.id end
    from (select pg_current_xact_id() as id) own,
        (select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric - 1)::text::xid8 as id) latest
$$;

CREATE FUNCTION bespeak.id_text(prefix text, id uuid) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    digits constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    hex constant text := replace(id::text, '-', '');
    high constant bigint := ('x' || substr(hex, 1, 16))::bit(64)::bigint;
    low constant bigint := ('x' || substr(hex, 17, 16))::bit(64)::bigint;
begin
    return prefix || '_'
        || substr(digits, ((high >> 61) & 7)::integer + 1, 1)
        || substr(digits, ((high >> 56) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 51) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 46) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 41) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 36) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 31) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 26) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 21) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 16) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 11) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 6) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 1) & 31)::integer + 1, 1)
        || substr(digits, (((low >> 60) & 15) | ((high & 1) << 4))::integer + 1, 1)
        || substr(digits, ((low >> 55) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 50) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 45) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 40) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 35) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 30) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 25) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 20) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 15) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 10) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 5) & 31)::integer + 1, 1)
        || substr(digits, (low & 31)::integer + 1, 1);
end
$$;

CREATE FUNCTION bespeak.id_uuid(id text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
declare
    digits constant text := split_part(id, '_', 2);
    rest numeric;
    hex text := '';
begin
    if length(digits) <> 26 or substr(digits, 1, 1) > '7' then
        raise exception 'not an id: %', id using errcode = 'BS001';
    end if;
    rest := bespeak.base32_decode(digits);
    for i in 1 .. 8 loop
        hex := lpad(to_hex(mod(rest, 65536)::int), 4, '0') || hex;
        rest := div(rest, 65536);
    end loop;
    return hex::uuid;
end
$$;

CREATE FUNCTION bespeak.is_block(hold_id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select substr(hold_id::text, 20, 1) = '9'
$$;

CREATE FUNCTION bespeak.line_of_ticket(h bespeak.hold, b bespeak.booking, in_ticket integer) RETURNS TABLE(line integer, first_ticket integer, last_ticket integer, cancelled integer)
    LANGUAGE sql STABLE
    AS $$
    with counted as (
        select s.n, s.count, s.gone
        from unnest(h.shown_quantities, b.cancelled_shown) with ordinality as s(count, gone, n)
        where h.shown is not null
        union all
        select s.n, coalesce(s.quantity, 1), s.gone
        from unnest(h.quantities, b.cancelled) with ordinality as s(quantity, gone, n)
        where h.shown is null and s.n <= cardinality(h.units) - h.limit_lines
    ), placed as (
        select c.n, c.count, c.gone, sum(c.count) over (order by c.n) as last from counted c
    )
    select p.n::integer, (p.last - p.count + 1)::integer, p.last::integer,
        case when b.state = 'cancelled' then p.count else coalesce(p.gone, 0) end
    from placed p
    where in_ticket between p.last - p.count + 1 and p.last
$$;

CREATE FUNCTION bespeak.lines_text(in_resources bigint[], in_units text[], in_quantities integer[]) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select string_agg(bespeak.resource_text(l.resource_id) || ' ' || l.unit || ' '
        || coalesce(l.quantity::text, ''), E'\n' order by l.n)
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
$$;

CREATE FUNCTION bespeak.lock_called_off(homes bigint[], ids uuid[]) RETURNS TABLE(hold bespeak.hold, booking bespeak.booking, payment bespeak.payment, lapsed boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
begin
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    order by h.resource_id, h.hold_id for update of h;
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
    order by b.resource_id, b.booking_id for update of b;
    perform from unnest(homes, ids) as g(home, hold_id)
    join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
    where p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
    order by p.resource_id, p.payment_id for update of p;
    v_now := bespeak.now();
    return query
    select h, b, p, h.state = 'held' and h.expires_at <= v_now
    from unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    left join bespeak.booking b on b.resource_id = g.home and b.booking_id = g.hold_id
    left join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
        and p.state in ('authorized', 'captured') and p.late is distinct from 'refund';
end
$$;

CREATE FUNCTION bespeak.lock_seat_rows(requests bespeak.hold_request[], alive boolean[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    perform pg_advisory_xact_lock(k.key)
    from (
        select distinct hashtextextended(g.resource_id || ':' || g.seat_row, 0) as key
        from unnest(requests) with ordinality as q, unnest(q.guards) as g
        where alive[q.ordinality]
        order by 1
    ) k;
end
$$;

CREATE FUNCTION bespeak.money_problems(in_grace interval DEFAULT '00:05:00'::interval) RETURNS TABLE(problem text, resource_id bigint, payment_id uuid, refund_id uuid, booking_id uuid, details jsonb)
    LANGUAGE sql STABLE
    SET enable_nestloop TO 'off'
    AS $$
    with moment as materialized (
        select bespeak.now() as now
    ), returned as (
        select f.resource_id, f.payment_id, sum(f.amount) as amount,
            coalesce(sum(f.amount) filter (where f.state = 'refunded'), 0) as refunded
        from bespeak.refund f
        group by f.resource_id, f.payment_id
    ), twice as (
        select p.resource_id, p.hold_id from bespeak.payment p
        where p.state in ('pending', 'authorized', 'captured') and p.late is distinct from 'refund'
        group by p.resource_id, p.hold_id having count(*) > 1
    ), judged as (
        select p as payment, b.booking_id, array_remove(array[
            case when h.hold_id is null then 'payment_without_hold' end,
            case when (p.owner, p.amount, p.currency) <> (h.owner, h.amount, h.currency)
                then 'payment_differs' end,
            case when p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
                and p.step is distinct from 'offer' and b.booking_id is null
                then 'payment_without_booking' end,
            case when t.hold_id is not null and p.late is distinct from 'refund'
                and p.state in ('pending', 'authorized', 'captured') then 'paid_twice' end,
            case when not case p.state
                    when 'pending' then coalesce(p.step in ('authorize', 'await'), false)
                    when 'authorized' then coalesce(p.step in ('capture', 'void', 'offer'), false)
                    when 'captured' then p.step is null or p.step = 'offer'
                    when 'failed' then p.step is null or p.step = 'check'
                    else p.step is null end
                then 'step_wrong' end,
            case when p.due_at < m.now - in_grace then 'step_stuck' end,
            case when p.tries >= 12 and p.step <> 'await'
                or p.state = 'pending' and p.window_ends_at < m.now - interval '1 day'
                then 'step_failing' end,
            case when p.late = 'refund' and p.state in ('captured', 'refunded')
                and p.refunding <> p.amount then 'late_money_kept' end,
            case when p.refunding <> coalesce(r.amount, 0) or p.refunded <> coalesce(r.refunded, 0)
                then 'refunds_miscounted' end,
            case when case
                    when p.state in ('captured', 'refunded')
                        then (p.state = 'refunded') <> (p.refunded = p.amount)
                    else p.refunded > 0 end
                then 'refund_state_wrong' end,
            case when b.state = 'cancelled' and b.reason = 'payment_failed'
                and p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
                and p.refunding = 0 then 'cancelled_but_paid' end
            ], null) as problems
        from bespeak.payment p
        cross join moment m
        left join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
        left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id
        left join twice t on t.resource_id = p.resource_id and t.hold_id = p.hold_id
        left join returned r on r.resource_id = p.resource_id and r.payment_id = p.payment_id
    ), paid as (
        -- What was paid for, or tried to be: a hold may have had several payments.
        select p.resource_id, p.hold_id, bool_or(p.state in ('authorized', 'captured', 'refunded')
            and p.late is distinct from 'refund') as is_paid
        from bespeak.payment p
        group by p.resource_id, p.hold_id
    ), unpaid as (
        select b.resource_id, b.booking_id, b.amount, b.currency, b.confirmed_at,
            p.hold_id is not null as was_tried
        from bespeak.booking b
        left join paid p on p.resource_id = b.resource_id and p.hold_id = b.booking_id
        where b.state = 'confirmed' and b.amount > 0 and p.is_paid is not true
    ), owing as (
        -- A resource may have come to want payment since: then nothing was tried, and it has changed.
        select u.resource_id, u.booking_id, min(l.resource_id) as by_resource
        from unpaid u
        join bespeak.hold h on h.resource_id = u.resource_id and h.hold_id = u.booking_id,
            unnest(h.resources) as l(resource_id)
        join bespeak.resource x on x.resource_id = l.resource_id
        where x.payment = 'required' and (u.was_tried or x.updated_at <= u.confirmed_at)
        group by u.resource_id, u.booking_id
    )
    select unnest(j.problems), (j.payment).resource_id, (j.payment).payment_id, null::uuid,
        j.booking_id, jsonb_strip_nulls(jsonb_build_object(
            'hold_id', bespeak.id_text('hold', (j.payment).hold_id), 'state', (j.payment).state,
            'step', (j.payment).step, 'due_at', (j.payment).due_at, 'tries', (j.payment).tries,
            'amount', (j.payment).amount, 'currency', (j.payment).currency,
            'refunding', (j.payment).refunding, 'refunded', (j.payment).refunded,
            'late', (j.payment).late, 'failure', (j.payment).failure))
    from judged j where cardinality(j.problems) > 0
    union all
    select 'booking_unpaid', u.resource_id, null, null, u.booking_id, jsonb_build_object(
        'amount', u.amount, 'currency', u.currency, 'confirmed_at', u.confirmed_at)
    from unpaid u join owing o on o.resource_id = u.resource_id and o.booking_id = u.booking_id
    union all
    select unnest(j.problems), (j.refund).resource_id, (j.refund).payment_id, (j.refund).refund_id,
        null, jsonb_strip_nulls(jsonb_build_object(
            'hold_id', bespeak.id_text('hold', (j.refund).hold_id), 'state', (j.refund).state,
            'amount', (j.refund).amount, 'currency', (j.refund).currency,
            'cause', (j.refund).cause, 'due_at', (j.refund).due_at, 'tries', (j.refund).tries,
            'failure', (j.refund).failure))
    from (
        select f as refund, array_remove(array[
            case when p.payment_id is null then 'refund_without_payment' end,
            case when f.currency <> p.currency then 'refund_differs' end,
            case when f.state = 'pending' and p.state in ('failed', 'voided')
                then 'refund_of_nothing' end,
            case when f.due_at < m.now - in_grace then 'refund_stuck' end,
            case when f.state = 'failed' and p.state in ('captured', 'refunded')
                then 'refund_failed' end
            ], null) as problems
        from bespeak.refund f
        cross join moment m
        left join bespeak.payment p
            on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    ) j where cardinality(j.problems) > 0
$$;

CREATE FUNCTION bespeak.new_id(home bigint, is_block boolean DEFAULT false) RETURNS uuid
    LANGUAGE sql
    AS $$
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
        || '8' || substr(h.hex, 1, 3)
        || case when is_block then '9' else '8' end || substr(h.hex, 4, 7)
        || substr(replace(gen_random_uuid()::text, '-', ''), 1, 8))::uuid
    from (select lpad(to_hex(home), 10, '0') as hex) h
$$;

CREATE FUNCTION bespeak.next_numbers(v_now timestamp with time zone, in_resource bigint, plan jsonb, in_last integer, wanted integer, named text[]) RETURNS integer[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_variable
declare
    prefix constant text := coalesce(plan->>'prefix', '');
    v_first constant integer := coalesce((plan->>'first')::integer, 1);
    v_end constant integer := v_first + (plan->>'count')::integer - 1;
    n integer := greatest(v_first, in_last + 1);
    found_numbers integer[] := '{}';
begin
    if plan->>'refill' = 'never' then
        -- What is beyond the last was given to nobody; only blocks may stand there.
        while n <= v_end and cardinality(found_numbers) < wanted loop
            if prefix || n <> all(named) and not exists (
                    select from bespeak.claim c
                    where c.resource_id = in_resource and c.unit = prefix || n
                        and c.expires_at > v_now) then
                found_numbers := found_numbers || n;
            end if;
            n := n + 1;
        end loop;
        return found_numbers;
    end if;

    -- The gaps between those that are taken. Taken are few enough to be read whole, because only
    -- plans of at most 10,000 numbers refill; no join, so no plan for it can go wrong.
    return (
        with lapsed as materialized (
            -- Locked, so that who confirms at this very instant cannot have it too. Whoever has it
            -- locked already is at that, and keeps it.
            select c.unit from bespeak.claim c
            where c.resource_id = in_resource and c.expires_at <= v_now
            for update skip locked
        ), taken as materialized (
            select bespeak.number_in(c.unit, prefix) as number from bespeak.claim c
            where c.resource_id = in_resource
                and (c.expires_at > v_now or not c.unit = any(array(select l.unit from lapsed l)))
            union all
            select bespeak.number_in(u.unit, prefix) from unnest(named) as u(unit)
        ), gap as (
            select t.number + 1 as lowest,
                coalesce(lead(t.number) over (order by t.number) - 1, v_end) as highest
            from (
                select v_first - 1 as number
                union all
                select taken.number from taken where taken.number between v_first and v_end
            ) t
        ), free as (
            select generate_series(g.lowest, g.highest) as number from gap g
            where g.lowest <= g.highest
            order by 1 limit wanted
        )
        select coalesce(array_agg(f.number order by f.number), '{}') from free f);
end
$$;

CREATE FUNCTION bespeak.note_captured(v_now timestamp with time zone, requests bespeak.settle_request[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION bespeak.note_unpaid(v_now timestamp with time zone, requests bespeak.settle_request[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION bespeak.now() RETURNS timestamp with time zone
    LANGUAGE sql PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('bespeak.now', true), '')::timestamptz,
        clock_timestamp())
$$;

CREATE FUNCTION bespeak.number_in(unit text, prefix text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select case when starts_with(unit, prefix)
            and length(unit) - length(prefix) between 1 and 9
            and translate(substr(unit, length(prefix) + 1), '0123456789', '') = ''
        then substr(unit, length(prefix) + 1)::integer end
$$;

CREATE FUNCTION bespeak.one_change(id text, owner text, key text, seconds integer, reason text, in_resources bigint[], in_units text[], in_quantities integer[], content bytea) RETURNS bespeak.change_request
    LANGUAGE sql
    AS $_$
    select row(u.hold_id, bespeak.home_of(u.hold_id), $2, $3, $9, $4, $5, $6, $7, $8, null, null, null,
            null, null, null)
        ::bespeak.change_request
    from (select bespeak.id_uuid($1) as hold_id) u
$_$;

CREATE FUNCTION bespeak.payment_data(p bespeak.payment) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', p.payment_id), 'provider', p.provider,
        'amount', p.amount, 'currency', p.currency, 'failure', p.failure, 'late', p.late))
$$;

CREATE FUNCTION bespeak.place_hold(owner text, resources text[], units text[], quantities integer[] DEFAULT NULL::integer[], hold_seconds integer DEFAULT NULL::integer, idempotency_key text DEFAULT NULL::text) RETURNS TABLE(id text, state text, expires_at timestamp with time zone, extends_until timestamp with time zone, replayed boolean)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    request bespeak.hold_request;
    numbers bigint[];
    answer record;
    outcome text;  -- null where the hold was there before: `answer` has no structure then
    k bespeak.hold;
    first jsonb;
begin
    perform bespeak.check_lines($2, $3, $4);
    perform bespeak.check_text($6, 'idempotency_key', 200);
    select array_agg(bespeak.resource_number(
        case when cardinality($2) = 1 then $2[1] else $2[n] end) order by n)
    into numbers from generate_subscripts($3, 1) as n;
    -- A repeat is answered from the hold itself, even when its resource has closed since.
    request := null;
    if $6 is not null then
        select h.* into k from bespeak.hold h
        where h.resource_id = numbers[1] and h.owner = $1 and h.idempotency_key = $6;
    end if;
    if k.hold_id is null then
        request := bespeak.checked_request($1, numbers, $3,
            coalesce($4, array_fill(null::integer, array[cardinality($3)])), $5, $6);
        select p.* into answer from bespeak.place_holds(numbers[1], array[request],
            (select array_agg(r.resource_id) from bespeak.resource r where r.resource_id = any(numbers)),
            (select array_agg(r.version) from bespeak.resource r where r.resource_id = any(numbers))) p;
        outcome := answer.outcome;
        if answer.outcome = 'unavailable' then
            perform bespeak.refuse('plan_changed', 'BS070', null, 'retry now');
        elsif answer.outcome = 'taken' then
            select c into first from jsonb_array_elements(answer.details) c
            order by c->>'state' = 'short', c->>'unit' like 'owner:%' limit 1;
            perform bespeak.refuse(
                case when first->>'unit' like 'owner:%' then 'owner_limit_reached'
                    when first->>'state' = 'short' then 'sold_out' else 'unit_taken' end,
                case when first->>'unit' like 'owner:%' then 'BS012'
                    when first->>'state' = 'short' then 'BS011' else 'BS010' end,
                case when first->>'unit' like 'owner:%'
                    then jsonb_build_object('owner_limit', first->'capacity',
                        'left', first->'available')
                    else bespeak.shown_details(coalesce(answer.details, '[]')) end,
                case when first->>'unit' like 'owner:%' then 'do not retry' else 'retry later' end);
        end if;
        select h.* into k from bespeak.hold h
        where h.resource_id = numbers[1]
            and h.hold_id = coalesce((answer.hold).hold_id, request.hold_id);
    end if;
    if outcome is distinct from 'held' then
        if k.fingerprint is distinct from
            bespeak.field_print(bespeak.lines_text(numbers, $3,
                coalesce($4, array_fill(null::integer, array[cardinality($3)]))))
            || bespeak.field_print($5::text) then
            perform bespeak.refuse('idempotency_key_reused', 'BS050');
        end if;
    end if;
    return query select bespeak.id_text('hold', k.hold_id), k.state, k.expires_at,
        k.extends_until, request is null or request.hold_id <> k.hold_id;
end
$_$;

CREATE FUNCTION bespeak.place_holds(home bigint, requests bespeak.hold_request[], resource_ids bigint[], versions integer[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    alive boolean[] := array_fill(true, array[cardinality(requests)]);
    shut bigint[];
    early bigint[];
    lost integer[];
    refused integer[] := '{}';
    made integer;
    wanted integer := cardinality(requests);
    has_pools boolean;
    has_many boolean;
    has_next boolean;
    has_guards boolean;
    shortages jsonb[];
    numbered integer[] := '{}';
    single integer[];
    singles jsonb[];
    made_ids uuid[];
    v_horizon xid8;
    i integer;
begin
    -- A change of plan takes this lock alone, so none happens between the check of the versions
    -- and the commit of the claims that rely on it.
    perform pg_advisory_xact_lock_shared(7094970116);
    -- A scalar subquery for each resource is an index look-up whatever the planner knows or not;
    -- as a join it may read the whole table while its statistics are young.
    select array_agg(s.resource_id) filter (where s.is_early is null),
        array_agg(s.resource_id) filter (where s.is_early)
    into shut, early
    from (
        select w.resource_id, (
            select coalesce(r.opens_at > v_now, false) from bespeak.resource r
            where r.resource_id = w.resource_id and r.state = 'open' and r.version = w.version
                and (r.closes_at is null or r.closes_at > v_now)) as is_early
        from unnest(resource_ids, versions) as w(resource_id, version)
        offset 0  -- as it stands: looked up once
    ) s;

    -- Refuse at once what a look shows to be taken, so that a lost race writes nothing. This look
    -- decides no grant: those are decided below, by the claims' primary key and the pools' CHECK.
    select array_agg(distinct q.ordinality) filter (where
            q.resources && shut
            or (early is not null and bespeak.comes_early(q.resources, q.presale, early))
            or (l.quantity is null and (
                select c.expires_at > v_now from bespeak.claim c
                where c.resource_id = l.resource_id and c.unit = l.unit))
            or (l.quantity is not null and (l.quantity > l.capacity or (
                select p.taken + l.quantity > l.capacity and p.lapses_at > v_now
                from bespeak.pool p
                where p.resource_id = l.resource_id and p.unit = l.unit)))),
        bool_or(l.quantity is not null), bool_or(l.resource_id <> q.resources[1]),
        bool_or(l.unit is null), bool_or(q.guards is not null)
    into lost, has_pools, has_many, has_next, has_guards
    from unnest(requests) with ordinality as q,
        unnest(q.resources, q.units, q.quantities, q.capacities)
            as l(resource_id, unit, quantity, capacity);
    foreach i in array coalesce(lost, '{}') loop
        alive[i] := false;
        wanted := wanted - 1;
    end loop;
    refused := coalesce(lost, '{}');

    if has_next then
        select g.requests, g.alive, g.refused, g.shortages, g.numbered
        into requests, alive, lost, shortages, numbered
        from bespeak.give_numbers(v_now, requests, alive) g;
        wanted := wanted - cardinality(lost);
        refused := refused || lost;
    end if;

    -- The hold rows come first: a twin with the same key waits here for its sibling, and sees it.
    with made as (
        insert into bespeak.hold (resource_id, hold_id, owner, state, resources, units, quantities,
            limit_lines, created_at, expires_at, extends_until, idempotency_key, fingerprint,
            amount, currency, shown_quantities, shown, amounts, quote)
        select q.resources[1], q.hold_id, q.owner, 'held', q.resources, q.units, q.quantities,
            q.limit_lines, v_now, v_now + make_interval(secs => q.hold_seconds),
            v_now + make_interval(secs => q.cap_seconds), q.idempotency_key, q.fingerprint,
            q.amount, q.currency, q.shown_quantities, q.shown::jsonb, q.amounts, q.quote::jsonb
        from unnest(requests) with ordinality as q
        where alive[q.ordinality]
        order by q.resources[1], q.owner, q.idempotency_key
        on conflict do nothing
        returning hold_id
    )
    select count(*), array_agg(hold_id) into made, made_ids from made;
    if made < wanted then
        for i in
            select q.ordinality
            from unnest(requests) with ordinality as q
            where alive[q.ordinality] and q.hold_id <> all(coalesce(made_ids, '{}'))
        loop
            alive[i] := false;
            refused := refused || i;
        end loop;
    end if;

    if has_guards then
        perform bespeak.lock_seat_rows(requests, alive);
    end if;

    -- The claims, where two takers meet. A lapsed claim is taken over in place; a live one is not.
    with line as materialized (
        select q.hold_id, l.resource_id, l.unit,
            v_now + make_interval(secs => q.hold_seconds) as expires_at
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null
    ), got as (
        insert into bespeak.claim as c (resource_id, unit, hold_id, expires_at)
        select resource_id, unit, hold_id, expires_at from line order by resource_id, unit
        on conflict (resource_id, unit) do update
            set hold_id = excluded.hold_id, expires_at = excluded.expires_at
            where c.expires_at <= v_now
        returning 1
    )
    select (select count(*) from line) - (select count(*) from got) into made;
    lost := '{}';
    if made > 0 then
        select array_agg(distinct q.ordinality) into lost
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is null and not exists (
            select from bespeak.claim c
            where c.resource_id = l.resource_id and c.unit = l.unit and c.hold_id = q.hold_id);
        foreach i in array lost loop
            alive[i] := false;
        end loop;
    end if;

    if has_guards then
        select coalesce(array_agg(s.ordinal), '{}'), array_agg(s.details) into single, singles
        from bespeak.single_seats(v_now, requests, alive) s;
        foreach i in array single loop
            alive[i] := false;
        end loop;
        lost := lost || single;
    end if;

    if has_pools then
        lost := lost || bespeak.draw_from_pools(v_now, requests, alive);
        foreach i in array lost loop
            alive[i] := false;
        end loop;
    end if;

    -- All or nothing: who lost anything keeps nothing. Its rows are known to nobody yet.
    if cardinality(lost) > 0 then
        delete from bespeak.claim c
        using unnest(requests) with ordinality as q,
            unnest(q.resources, q.units) as l(resource_id, unit)
        where q.ordinality = any(lost) and c.resource_id = l.resource_id and c.unit = l.unit
            and c.hold_id = q.hold_id;
        delete from bespeak.hold h
        using unnest(requests) with ordinality as q
        where q.ordinality = any(lost) and h.resource_id = q.resources[1] and h.hold_id = q.hold_id;
        refused := refused || lost;
    end if;

    if has_pools then
        insert into bespeak.draw (resource_id, unit, hold_id, quantity, expires_at)
        select l.resource_id, l.unit, q.hold_id, l.quantity,
            v_now + make_interval(secs => q.hold_seconds)
        from unnest(requests) with ordinality as q,
            unnest(q.resources, q.units, q.quantities) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and l.quantity is not null;
    end if;

    -- Read only now, when every lock is ours: whoever we waited for has completed.
    v_horizon := bespeak.horizon();
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select q.resources[1], v_horizon, 'held', q.hold_id,
        trim_array(q.units, q.limit_lines), trim_array(q.quantities, q.limit_lines), v_now
    from unnest(requests) with ordinality as q
    where alive[q.ordinality] and (not has_many or q.resources[1] = all(q.resources));
    if has_many then
        insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
        select l.resource_id, v_horizon, 'held', q.hold_id,
            array_agg(l.unit), array_agg(l.quantity), v_now
        from unnest(requests) with ordinality as q,
            unnest(trim_array(q.resources, q.limit_lines), trim_array(q.units, q.limit_lines),
                trim_array(q.quantities, q.limit_lines)) as l(resource_id, unit, quantity)
        where alive[q.ordinality] and q.resources[1] <> any(q.resources)
        group by q.ordinality, q.hold_id, l.resource_id;
    end if;

    return query
    select n, 'held', v_now, null::bespeak.hold, null::jsonb
    from generate_subscripts(alive, 1) as n where alive[n] and n <> all(numbered);
    if cardinality(numbered) > 0 then
        return query
        select q.ordinality::integer, 'held', v_now, h, null::jsonb
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.resources[1] and h.hold_id = q.hold_id
        where alive[q.ordinality] and q.ordinality = any(numbered);
    end if;

    if cardinality(refused) > 0 then
        return query
        select q.ordinality::integer,
            case when (h.found).hold_id is not null then
                case when (h.found).hold_id = q.hold_id
                        or (h.found).fingerprint is not distinct from q.fingerprint
                    then 'replayed' else 'key_reused' end
                when q.resources && shut
                    or bespeak.comes_early(q.resources, q.presale, early) then 'unavailable'
                when q.ordinality = any(single) then 'orphan'
                else 'taken' end,
            v_now,
            h.found,
            case when (h.found).hold_id is not null or coalesce(q.resources && shut, false)
                    or bespeak.comes_early(q.resources, q.presale, early) then null
                when q.ordinality = any(single)
                    then singles[array_position(single, q.ordinality::integer)]
                when shortages[q.ordinality] is not null then shortages[q.ordinality]
                else (
                    select c.details from bespeak.conflicts(v_now, q.hold_id, q.resources, q.units,
                        q.quantities, q.capacities) c)
            end
        from unnest(requests) with ordinality as q
        left join lateral (
            select k as found from bespeak.hold k
            where k.resource_id = q.resources[1]
                and (k.hold_id = q.hold_id
                    or (k.owner = q.owner and k.idempotency_key = q.idempotency_key))
            limit 1
        ) h on true
        where q.ordinality = any(refused);
    end if;
end
$$;

CREATE FUNCTION bespeak.plan_units(plan jsonb) RETURNS TABLE(unit text, capacity integer, price bigint)
    LANGUAGE sql IMMUTABLE
    AS $$
    with prices as materialized (
        select coalesce(jsonb_object_agg(c.value->>'name', c.value->'price')
            filter (where c.value ? 'price'), '{}') as of_category
        from jsonb_array_elements(plan->'categories') c
    ),
    sections as materialized (
        select coalesce(s.value->>'prefix', '') as prefix,
            coalesce(s.value->>'category', 'standard') as category,
            s.value->'rows' as seat_rows, s.value->'tables' as tables
        from jsonb_array_elements(plan->'sections') s
    ),
    seat_rows as materialized (
        select s.prefix || (r.value->>'name') as start,
            coalesce(r.value->>'category', s.category) as category,
            coalesce((r.value->>'first')::integer, 1) as first,
            coalesce((r.value->>'step')::integer, 1) as step,
            (r.value->>'seats')::integer as seats,
            (select array_agg(w.value::integer) from jsonb_array_elements(r.value->'without') w)
                as without,
            r.value->'list' as listed
        from sections s, jsonb_array_elements(s.seat_rows) r
    )
    select r.start || n, null::integer, (p.of_category->>r.category)::bigint
    from prices p, seat_rows r,
        generate_series(r.first, r.first + (r.seats - 1) * r.step, r.step) n
    where r.without is null or n <> all (r.without)
    union all
    select r.start || l.label, null, (p.of_category->>coalesce(l.category, r.category))::bigint
    from prices p, seat_rows r, jsonb_to_recordset(r.listed) as l(label text, category text)
    union all
    select s.prefix || t.name || case when t.whole then '' else '-' || n end, null,
        (p.of_category->>coalesce(t.category, s.category))::bigint
    from prices p, sections s,
        jsonb_to_recordset(s.tables) as t(name text, seats integer, category text, whole boolean),
        generate_series(1, case when t.whole then 1 else t.seats end) n
    union all
    select o.unit, o.capacity, (p.of_category->>o.category)::bigint
    from prices p,
        jsonb_to_recordset(plan->'pools') as o(unit text, capacity integer, category text)
$$;

CREATE FUNCTION bespeak.rebase_feed() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
    v_moved bigint;
begin
    if not exists (
        select from bespeak.event where horizon > pg_snapshot_xmax(pg_current_snapshot()))
    then
        return 0;
    end if;
    update bespeak.follower f
    set horizon = '3', position = coalesce(
        (select min(e.position) - 1 from bespeak.event e
         where (e.horizon, e.position) > (f.horizon, f.position)),
        (select max(e.position) from bespeak.event e));
    update bespeak.event set horizon = '3';
    get diagnostics v_moved = row_count;
    update bespeak.webhook_delivery set horizon = '3' where resource_id > 0;
    return v_moved;
end
$$;

CREATE FUNCTION bespeak.rebook_payment(home bigint, in_payment uuid, in_hold uuid) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, payment bespeak.payment)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.recall(in_verb text, home bigint, in_owner text, key text, content bytea) RETURNS TABLE(subject uuid, same boolean)
    LANGUAGE sql STABLE
    AS $$
    select a.subject, a.fingerprint = content
    from bespeak.answer a
    where a.resource_id = home and a.owner = in_owner and a.verb = in_verb
        and a.idempotency_key = key
$$;

CREATE FUNCTION bespeak.reclaim_draws(v_now timestamp with time zone, in_resources bigint[], in_units text[]) RETURNS void
    LANGUAGE sql
    AS $$
    with gone as (
        delete from bespeak.draw d
        using unnest(in_resources, in_units) as s(resource_id, unit), bespeak.pool p
        where d.resource_id = s.resource_id and d.unit = s.unit and d.expires_at <= v_now
            and p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now
        returning d.resource_id, d.unit, d.quantity
    ), freed as (
        select resource_id, unit, sum(quantity)::integer as quantity
        from gone group by resource_id, unit
    )
    update bespeak.pool p
    set taken = p.taken - coalesce(f.quantity, 0),
        lapses_at = coalesce((
            select min(d.expires_at) from bespeak.draw d
            where d.resource_id = p.resource_id and d.unit = p.unit and d.expires_at > v_now),
            'infinity')
    from unnest(in_resources, in_units) as s(resource_id, unit)
    left join freed f on f.resource_id = s.resource_id and f.unit = s.unit
    where p.resource_id = s.resource_id and p.unit = s.unit and p.lapses_at <= v_now
$$;

CREATE FUNCTION bespeak.refund_data(f bespeak.refund) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', f.payment_id),
        'refund_id', bespeak.id_text('ref', f.refund_id),
        'amount', f.amount, 'currency', f.currency, 'cause', f.cause, 'failure', f.failure))
$$;

CREATE FUNCTION bespeak.refuse(code text, state text, detail jsonb DEFAULT NULL::jsonb, hint text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception '%', code using errcode = state,
        detail = coalesce(detail::text, ''), hint = coalesce(hint, 'do not retry');
end
$$;

CREATE FUNCTION bespeak.refuse_outcome(outcome text, details jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    states constant jsonb := '{
        "not_found": ["hold_not_found", "BS020"], "not_owner": ["not_owner", "BS021"],
        "hold_expired": ["hold_expired", "BS022"], "hold_released": ["hold_released", "BS023"],
        "hold_confirmed": ["hold_confirmed", "BS024"], "beyond_cap": ["extension_beyond_cap", "BS025"],
        "payment_required": ["payment_required", "BS026"],
        "booking_not_found": ["booking_not_found", "BS030"],
        "booking_cancelled": ["booking_cancelled", "BS031"], "ticket_used": ["ticket_used", "BS033"],
        "not_in_booking": ["not_in_booking", "BS032"], "block_not_found": ["block_not_found", "BS040"],
        "not_blocked": ["not_blocked", "BS041"], "taken": ["unit_taken", "BS010"],
        "key_reused": ["idempotency_key_reused", "BS050"]}';
begin
    if states ? outcome then
        perform bespeak.refuse(states->outcome->>0, states->outcome->>1, case
            when jsonb_typeof(details) = 'array' then bespeak.shown_details(details)
            else details end);
    end if;
end
$$;

CREATE FUNCTION bespeak.release_hold(id text, owner text DEFAULT NULL::text, idempotency_key text DEFAULT NULL::text) RETURNS TABLE(hold_id text, state text, ended_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.one_change($1, $2, $3, null, null, null, null, null,
        bespeak.field_print(bespeak.id_uuid($1)::text));
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    select c.* into answer from bespeak.release_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select $1, (answer.hold).state, (answer.hold).ended_at;
end
$_$;

CREATE FUNCTION bespeak.release_holds(home bigint, requests bespeak.change_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.remember(in_verb text, v_now timestamp with time zone, homes bigint[], owners text[], keys text[], fingerprints bytea[], subjects uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.replay_deliveries(in_endpoint text, in_since timestamp with time zone, in_failed_only boolean, in_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_page constant integer := 1000;
    v_now constant timestamptz := bespeak.now();
    v_total integer := 0;
    v_queued integer;
    w bespeak.webhook_endpoint;
    v_to bespeak.follower;
    r record;
begin
    select e.* into w from bespeak.webhook_endpoint e where e.endpoint_id = in_endpoint;
    select f.* into v_to from bespeak.follower f where f.name = 'notifications';
    v_to.position := v_to.position + 1;
    loop
        select count(*) as seen, max(p.at) as latest,
            (array_agg(p.horizon order by p.horizon, p.position))[1] as horizon,
            (array_agg(p.position order by p.horizon, p.position))[1] as position
        into r
        from (
            select e.* from bespeak.event e
            where (e.horizon, e.position) < (v_to.horizon, v_to.position)
            order by e.horizon desc, e.position desc limit v_page
        ) p;
        exit when r.seen = 0 or r.latest < in_since;
        insert into bespeak.webhook_delivery as d (endpoint_id, position, resource_id, horizon,
            kind, due_at, created_at)
        select w.endpoint_id, e.position, e.resource_id, e.horizon, e.kind, v_now, v_now
        from bespeak.event e
        where (e.horizon, e.position) >= (r.horizon, r.position)
            and (e.horizon, e.position) < (v_to.horizon, v_to.position)
            and e.at >= in_since and (w.kinds is null or e.kind = any(w.kinds))
            and (w.resources is null or e.resource_id = any(w.resources))
            and (not in_failed_only or exists (
                select from bespeak.webhook_delivery o where o.endpoint_id = w.endpoint_id
                    and o.position = e.position and o.state = 'failed'))
        order by e.horizon, e.position
        on conflict (endpoint_id, position) do update
        set state = 'pending', tries = 0, due_at = v_now, created_at = v_now
        where d.state <> 'pending';
        get diagnostics v_queued = row_count;
        v_total := v_total + v_queued;
        if v_total > in_limit then
            return null;
        end if;
        v_to.horizon := r.horizon;
        v_to.position := r.position;
    end loop;
    return v_total;
end
$$;

CREATE FUNCTION bespeak.resource_number(id text) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
begin
    if id !~ '^res_[0-9abcdefghjkmnpqrstvwxyz]{8}$' then
        raise exception 'not a resource id: %', id using errcode = 'BS001';
    end if;
    return bespeak.base32_decode(substr(id, 5))::bigint;
end
$_$;

CREATE FUNCTION bespeak.resource_text(resource_id bigint) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select 'res_' || bespeak.base32_encode(resource_id, 8)
$$;

CREATE FUNCTION bespeak.retake(v_now timestamp with time zone, old bespeak.hold) RETURNS uuid
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.retime_lines(holders uuid[], expiries timestamp with time zone[], in_resources bigint[], in_units text[], in_quantities integer[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.retry_refund(home bigint, in_refund uuid) RETURNS TABLE(refund bespeak.refund, payment bespeak.payment)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
    update bespeak.refund f
    set state = 'pending', failure = null, due_at = bespeak.now(), tries = 0, ended_at = null
    where f.resource_id = home and f.refund_id = in_refund and f.state = 'failed';
    return query
    select f, p from bespeak.refund f
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    where f.resource_id = home and f.refund_id = in_refund;
end
$$;

CREATE FUNCTION bespeak.return_mismatches(v_now timestamp with time zone, requests bespeak.settle_request[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION bespeak.return_second_payments(v_now timestamp with time zone, requests bespeak.settle_request[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE bespeak.sandbox_payment (
    payment_id uuid NOT NULL,
    reference text NOT NULL,
    owner text NOT NULL,
    token text NOT NULL,
    outcome text NOT NULL,
    state text NOT NULL,
    failure text,
    amount bigint NOT NULL,
    currency text NOT NULL,
    refunding bigint DEFAULT 0 NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    has_refunds boolean DEFAULT false NOT NULL,
    description text NOT NULL,
    return_url text,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT sandbox_payment_check CHECK (((0 <= refunded) AND (refunded <= refunding) AND (refunding <= amount))),
    CONSTRAINT sandbox_payment_check1 CHECK (((refunding = 0) OR (state = 'captured'::text))),
    CONSTRAINT sandbox_payment_state_check CHECK ((state = ANY (ARRAY['unheard'::text, 'pending'::text, 'challenge'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.sandbox_refund (
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    failure text,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_refund_amount_check CHECK ((amount > 0)),
    CONSTRAINT sandbox_refund_state_check CHECK ((state = ANY (ARRAY['unheard'::text, 'pending'::text, 'refunded'::text, 'failed'::text])))
);

CREATE VIEW bespeak.sandbox_standing AS
 SELECT payment_id,
    reference,
    owner,
    token,
    outcome,
    state,
    failure,
    amount,
    currency,
    refunding,
    refunded,
    has_refunds,
    description,
    return_url,
    due_at,
    created_at,
    xmin AS written_in,
        CASE
            WHEN has_refunds THEN ( SELECT jsonb_agg(jsonb_build_object('refund_id', r.refund_id, 'state', r.state, 'amount', r.amount, 'failure', r.failure) ORDER BY r.created_at, r.refund_id) AS jsonb_agg
               FROM bespeak.sandbox_refund r
              WHERE ((r.payment_id = p.payment_id) AND (r.state <> 'unheard'::text)))
            ELSE NULL::jsonb
        END AS refunds
   FROM bespeak.sandbox_payment p
  WHERE (state <> 'unheard'::text);

CREATE FUNCTION bespeak.sandbox_authorize(orders bespeak.sandbox_order[]) RETURNS TABLE(ordinal integer, answered_at timestamp with time zone, is_new boolean, standing bespeak.sandbox_standing)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    with made as (
        insert into bespeak.sandbox_payment as p (payment_id, reference, owner, token, outcome, state,
            failure, amount, currency, description, return_url, due_at, created_at)
        select o.payment_id, o.reference, o.owner, o.token, o.outcome, o.state, o.failure, o.amount,
            o.currency, o.description, o.return_url,
            v_now + make_interval(secs => o.decide_seconds), v_now
        from unnest(orders) as o
        order by o.payment_id
        on conflict (payment_id) do update set state = 'authorized' where p.state = 'unheard'
        returning p.payment_id
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, copies,
        due_at, created_at)
    select bespeak.sandbox_callback_id(), m.payment_id, o.tells, o.tell_amount, o.tell_currency,
        o.tell_copies, v_now + make_interval(secs => o.tell_seconds), v_now
    from made m
    join unnest(orders) as o on o.payment_id = m.payment_id
    where o.tells is not null;

    return query
    select o.ordinality::integer, v_now,
        coalesce(s.written_in = pg_current_xact_id()::xid, false), s
    from unnest(orders) with ordinality as o
    left join bespeak.sandbox_standing s on s.payment_id = o.payment_id;
end
$$;

CREATE FUNCTION bespeak.sandbox_callback_id() RETURNS text
    LANGUAGE sql
    AS $$
    select 'evt_' || replace(gen_random_uuid()::text, '-', '')
$$;

CREATE FUNCTION bespeak.sandbox_capture(payments uuid[]) RETURNS TABLE(ordinal integer, standing bespeak.sandbox_standing)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with moved as (
        update bespeak.sandbox_payment p
        set state = case p.outcome when 'capture_fails' then 'voided' else 'captured' end,
            failure = case p.outcome when 'capture_fails' then 'authorization_voided' end
        where p.payment_id = any(payments) and p.state = 'authorized'
        returning p.payment_id, p.outcome, p.amount, p.currency
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
        created_at)
    select bespeak.sandbox_callback_id(), m.payment_id, t.kind, m.amount, m.currency,
        v_now + make_interval(secs => t.seconds), v_now
    from moved m
    join (values ('capture_fails', 'payment.voided', 0), ('out_of_order', 'payment.captured', 0),
        ('out_of_order', 'payment.authorized', 1)) as t(outcome, kind, seconds)
        on t.outcome = m.outcome;

    return query
    select a.ordinality::integer, s
    from unnest(payments) with ordinality as a(payment_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id;
end
$$;

CREATE FUNCTION bespeak.sandbox_decide(payments uuid[], in_failure text, tells boolean) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with decided as (
        update bespeak.sandbox_payment p
        set state = case when in_failure is null then 'authorized' else 'failed' end,
            failure = in_failure, due_at = null
        where p.payment_id = any(payments) and p.state in ('pending', 'challenge')
        returning p.payment_id, p.state, p.amount, p.currency
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
        created_at)
    select bespeak.sandbox_callback_id(), d.payment_id, 'payment.' || d.state, d.amount, d.currency,
        v_now, v_now
    from decided d where tells;
end
$$;

CREATE FUNCTION bespeak.sandbox_do_due(in_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    good uuid[];
    bad uuid[];
    paid integer;
begin
    with due as (
        select p.payment_id, p.outcome from bespeak.sandbox_payment p
        where p.due_at <= v_now order by p.due_at limit in_limit for update skip locked
    )
    select array_agg(d.payment_id) filter (where d.outcome <> 'pending_declined'),
        array_agg(d.payment_id) filter (where d.outcome = 'pending_declined')
    into good, bad from due d;
    if good is not null then
        perform bespeak.sandbox_decide(good, null, true);
    end if;
    if bad is not null then
        perform bespeak.sandbox_decide(bad, 'declined', true);
    end if;

    -- The payment's lock comes first, as when refunds are made.
    with due as (
        select p.payment_id from bespeak.sandbox_payment p
        where p.payment_id in (
            select r.payment_id from bespeak.sandbox_refund r where r.due_at <= v_now
            order by r.due_at limit in_limit)
        order by p.payment_id for update skip locked
    ), done as (
        update bespeak.sandbox_refund r set state = 'refunded', due_at = null
        from due d
        where r.payment_id = d.payment_id and r.due_at <= v_now
        returning r.payment_id, r.amount
    ), added as (
        update bespeak.sandbox_payment p set refunded = p.refunded + x.amount
        from (select d.payment_id, sum(d.amount) as amount from done d group by 1) x
        where p.payment_id = x.payment_id
    ), told as (
        insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
            created_at)
        select bespeak.sandbox_callback_id(), d.payment_id, 'refund.refunded', d.amount, p.currency,
            v_now, v_now
        from done d
        join bespeak.sandbox_payment p on p.payment_id = d.payment_id
        returning 1
    )
    select count(*) into paid from told;
    return coalesce(cardinality(good), 0) + coalesce(cardinality(bad), 0) + paid;
end
$$;

CREATE FUNCTION bespeak.sandbox_give_back(payments uuid[], refunds uuid[], amounts bigint[]) RETURNS TABLE(ordinal integer, standing bespeak.sandbox_standing, refund bespeak.sandbox_refund)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with made as (
        insert into bespeak.sandbox_refund as r (refund_id, payment_id, amount, state, failure,
            due_at, created_at)
        select a.refund_id, a.payment_id, a.amount,
            case p.outcome
                when 'refund_fails' then 'failed'
                when 'refund_fails_once' then 'unheard'
                when 'refund_pending' then 'pending'
                else 'refunded' end,
            case p.outcome when 'refund_fails' then 'refund_declined' end,
            case p.outcome when 'refund_pending' then v_now + interval '2 seconds' end, v_now
        from unnest(payments, refunds, amounts) as a(payment_id, refund_id, amount)
        join bespeak.sandbox_payment p on p.payment_id = a.payment_id
        where p.state = 'captured' and a.amount between 1 and p.amount - p.refunding
        order by a.refund_id
        on conflict (refund_id) do update set state = 'refunded'
            where r.state = 'unheard' and r.payment_id = excluded.payment_id
                and r.amount = excluded.amount
        returning r.payment_id, r.amount, r.state
    )
    update bespeak.sandbox_payment p
    set has_refunds = true,
        refunding = p.refunding + case when m.state in ('pending', 'refunded') then m.amount else 0 end,
        refunded = p.refunded + case when m.state = 'refunded' then m.amount else 0 end
    from made m
    where p.payment_id = m.payment_id;

    return query
    select a.ordinality::integer, s, r
    from unnest(payments, refunds) with ordinality as a(payment_id, refund_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id
    left join bespeak.sandbox_refund r on r.refund_id = a.refund_id;
end
$$;

CREATE FUNCTION bespeak.sandbox_lock(payments uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
begin
    perform from bespeak.sandbox_payment p
    where p.payment_id = any(payments) order by p.payment_id for update;
end
$$;

CREATE FUNCTION bespeak.sandbox_void(payments uuid[]) RETURNS TABLE(ordinal integer, standing bespeak.sandbox_standing)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
begin
    perform bespeak.sandbox_lock(payments);
    update bespeak.sandbox_payment p set state = 'voided', due_at = null
    where p.payment_id = any(payments) and p.state in ('pending', 'challenge', 'authorized');

    return query
    select a.ordinality::integer, s
    from unnest(payments) with ordinality as a(payment_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id;
end
$$;

CREATE FUNCTION bespeak.set_serving(home bigint, number integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
    plan jsonb;
begin
    select r.plan into plan from bespeak.resource r where r.resource_id = home;
    if not found then
        perform bespeak.refuse('resource_not_found', 'BS002');
    end if;
    if plan->>'type' is distinct from 'tickets' then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "resource"}');
    end if;
    if number is null or number not between 0 and 999999999 then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "number"}');
    end if;
    insert into bespeak.counter as c (resource_id, last, serving)
    values (home, coalesce((plan->>'first')::integer, 1) - 1, number)
    on conflict (resource_id) do update set serving = excluded.serving;
    return number;
end
$$;

CREATE FUNCTION bespeak.settle_deliveries(in_endpoints text[], in_positions bigint[], in_leases timestamp with time zone[], in_delivered boolean[], in_statuses integer[], in_answers text[], in_failures text[], in_delays double precision[], in_failing_days integer) RETURNS TABLE(endpoint_id text, disabled_because text)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform set_config('synchronous_commit', 'off', true);
    return query
    with result as materialized (
        select * from unnest(in_endpoints, in_positions, in_leases, in_delivered, in_statuses,
            in_answers, in_failures, in_delays)
            as r(endpoint_id, position, lease, delivered, status, answer, failure, delay)
    ), settled as (
        update bespeak.webhook_delivery d
        set tries = d.tries + 1, tried_at = v_now, status = r.status, answer = r.answer,
            failure = r.failure,
            state = case when r.delivered then 'delivered' when r.delay is null then 'failed'
                else 'pending' end,
            due_at = case when not r.delivered then v_now + make_interval(secs => r.delay) end
        from result r
        where d.endpoint_id = r.endpoint_id and d.position = r.position and d.state = 'pending'
            and d.due_at = r.lease
    ), health as (
        select r.endpoint_id, bool_or(r.delivered) as is_well, bool_or(r.status = 410) as is_gone
        from result r group by r.endpoint_id
    ), judged as (
        select h.*, case when h.is_gone then 'gone'
            when not h.is_well and w.failing_since <= v_now - make_interval(days => in_failing_days)
            then 'failing' end as because
        from health h join bespeak.webhook_endpoint w on w.endpoint_id = h.endpoint_id
        where w.enabled and (h.is_gone or h.is_well = (w.failing_since is not null)
            or w.failing_since <= v_now - make_interval(days => in_failing_days))
    ), changed as (
        update bespeak.webhook_endpoint w
        set failing_since = case when not j.is_well then coalesce(w.failing_since, v_now) end,
            enabled = j.because is null, disabled_because = j.because,
            disabled_at = case when j.because is not null then v_now end
        from judged j where w.endpoint_id = j.endpoint_id and w.enabled
        returning w.endpoint_id, w.disabled_because
    )
    select c.endpoint_id, c.disabled_because from changed c where c.disabled_because is not null;
end
$$;

CREATE FUNCTION bespeak.settle_late(v_now timestamp with time zone, p bespeak.payment, problem text) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.settle_payments(home bigint, requests bespeak.settle_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, payment bespeak.payment)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
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

CREATE FUNCTION bespeak.settle_refunds(home bigint, requests bespeak.refund_report[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, refund bespeak.refund)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
begin
    perform from unnest(requests) as q
    join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    order by p.resource_id, p.payment_id for update of p;
    perform from unnest(requests) as q
    join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id
    order by f.resource_id, f.refund_id for update of f;
    v_now := bespeak.now();

    update bespeak.refund f
    set tries = 1, due_at = v_now + least(interval '1 hour',
        greatest(interval '2 seconds', (v_now - f.created_at) / 4))
    from unnest(requests) as q
    where f.resource_id = q.home and f.refund_id = q.refund_id and f.state = 'pending'
        and q.standing = 'pending';

    with ended as (
        update bespeak.refund f
        set state = q.standing, failure = q.failure, due_at = null, ended_at = v_now
        from unnest(requests) as q
        where f.resource_id = q.home and f.refund_id = q.refund_id and f.state = 'pending'
            and q.standing in ('refunded', 'failed')
        returning f
    ), returned as (
        update bespeak.payment p
        set refunded = p.refunded + s.amount,
            state = case when p.refunded + s.amount = p.amount then 'refunded' else p.state end,
            ended_at = case when p.refunded + s.amount = p.amount then v_now else p.ended_at end
        from (
            select (e.f).resource_id, (e.f).payment_id, sum((e.f).amount)::bigint as amount
            from ended e where (e.f).state = 'refunded'
            group by 1, 2
        ) s
        where p.resource_id = s.resource_id and p.payment_id = s.payment_id
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data)
    select (e.f).resource_id, bespeak.horizon(),
        case (e.f).state when 'refunded' then 'refunded' else 'refund_failed' end, (e.f).hold_id,
        v_now, bespeak.refund_data(e.f)
    from ended e;

    return query
    select q.ordinality::integer, case when f.refund_id is null then 'not_found' else 'settled' end,
        v_now, f
    from unnest(requests) with ordinality as q
    left join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id;
end
$$;

CREATE FUNCTION bespeak.shown_details(details jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select coalesce(jsonb_agg((d - 'owner') || jsonb_build_object('resource_id',
        bespeak.resource_text((d->>'resource_id')::bigint))), '[]')
    from jsonb_array_elements(details) d where d->>'unit' not like 'owner:%'
$$;

CREATE FUNCTION bespeak.single_seats(v_now timestamp with time zone, requests bespeak.hold_request[], alive boolean[]) RETURNS TABLE(ordinal integer, details jsonb)
    LANGUAGE sql STABLE
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
    select q.ordinality::integer,
        jsonb_agg(distinct jsonb_build_object('resource_id', g.resource_id, 'unit', g.unit))
    from unnest(requests) with ordinality as q, unnest(q.guards) as g
    where alive[q.ordinality]
        and not exists (
            select from bespeak.claim c where c.resource_id = g.resource_id and c.unit = g.unit
                and c.expires_at > v_now)
        and (g.beyond is null
            or exists (
                select from bespeak.claim c where c.resource_id = g.resource_id
                    and c.unit = g.beyond and c.expires_at > v_now))
    group by q.ordinality
$$;

CREATE FUNCTION bespeak.takes_used(h bespeak.hold, b bespeak.booking, in_cancelled integer[], in_shown integer[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
    b.cancelled := in_cancelled;
    b.cancelled_shown := in_shown;
    return exists (
        select from bespeak.check_in c, bespeak.line_of_ticket(h, b, c.ticket) l
        where c.resource_id = b.resource_id and c.booking_id = b.booking_id
        group by l.line
        having count(*) + max(l.cancelled) > max(l.last_ticket - l.first_ticket + 1));
end
$$;

CREATE FUNCTION bespeak.tally_events(in_limit integer) RETURNS TABLE(events integer, last_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_cursor bespeak.follower;
begin
    perform set_config('synchronous_commit', 'off', true);
    select f.* into v_cursor from bespeak.follower f where f.name = 'overview'
    for update skip locked;
    if not found then
        return;
    end if;
    return query
    with batch as materialized (
        select * from bespeak.events_after(v_cursor.horizon, v_cursor.position, null, in_limit)
    ), counted as (
        insert into bespeak.minute_count as m (minute, what, currency, count, units, amount)
        select date_trunc('minute', e.at), e.kind,
            coalesce(b.currency, case e.kind when 'refunded' then e.data ->> 'currency' end, ''),
            count(distinct e.hold_id), coalesce(sum(u.units), 0),
            coalesce(sum(case
                -- A hold over several resources has an event for each; its price is at its home.
                when e.kind = 'confirmed' and e.resource_id = b.resource_id then b.amount
                when e.kind = 'refunded' then (e.data ->> 'amount')::bigint
            end), 0)
        from batch e
        left join bespeak.booking b on e.kind = 'confirmed'
            and b.resource_id = bespeak.home_of(e.hold_id) and b.booking_id = e.hold_id
        cross join lateral (
            select sum(coalesce(q, 1)) as units from unnest(e.quantities) as q
        ) u
        where e.kind in ('held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded')
        group by 1, 2, 3
        on conflict (minute, what, currency) do update
        set count = m.count + excluded.count, units = m.units + excluded.units,
            amount = m.amount + excluded.amount
        returning 1
    ), last as (
        select e.horizon, e.position, e.at from batch e
        order by e.horizon desc, e.position desc limit 1
    ), moved as (
        update bespeak.follower f set horizon = l.horizon, position = l.position
        from last l where f.name = 'overview'
        returning 1
    )
    select (select count(*) from batch)::integer, (select l.at from last l)
    from (select count(*) from counted) c, (select count(*) from moved) m;
end
$$;

CREATE FUNCTION bespeak.tell_freed(v_kind text, v_now timestamp with time zone, holders uuid[], homes bigint[], freed_holders uuid[], freed_resources bigint[], freed_units text[], freed_quantities integer[]) RETURNS void
    LANGUAGE sql
    SET enable_hashjoin TO 'on'
    AS $$
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

CREATE FUNCTION bespeak.ticket_position(home bigint, id uuid) RETURNS TABLE(number integer, ahead integer, serving integer)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $_$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    v_serving integer;
    v_prefix text;
    v_number integer;
begin
    select coalesce(r.plan->>'prefix', ''), coalesce(n.serving, 0) into v_prefix, v_serving
    from bespeak.resource r left join bespeak.counter n on n.resource_id = r.resource_id
    where r.resource_id = $1 and r.plan->>'type' = 'tickets';
    select min(bespeak.number_in(l.unit, v_prefix)) into v_number
    from bespeak.hold h,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    where h.resource_id = bespeak.home_of($2) and h.hold_id = $2
        and l.resource_id = $1 and l.quantity is null and exists (
            select from bespeak.claim c
            where c.resource_id = $1 and c.unit = l.unit and c.hold_id = $2
                and c.expires_at > v_now);
    if v_number is null then
        return;
    end if;
    return query
    select v_number, count(*)::integer, v_serving
    from bespeak.claim c
    where c.resource_id = $1 and c.expires_at > v_now and not bespeak.is_block(c.hold_id)
        and bespeak.number_in(c.unit, v_prefix) between v_serving + 1 and v_number - 1;
end
$_$;

CREATE FUNCTION bespeak.tidy_deliveries(in_days integer, in_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_before constant timestamptz := bespeak.now() - make_interval(days => in_days);
    v_gone integer;
begin
    perform set_config('synchronous_commit', 'off', true);
    with old as materialized (
        select d.endpoint_id, d.position
        from bespeak.webhook_endpoint w
        cross join lateral (
            select p.endpoint_id, p.position, p.created_at from bespeak.webhook_delivery p
            where p.endpoint_id = w.endpoint_id order by p.position limit in_limit
        ) d
        where d.created_at < v_before or w.deleted_at is not null
    ), gone as (
        delete from bespeak.webhook_delivery d using old o
        where d.endpoint_id = o.endpoint_id and d.position = o.position
        returning 1
    )
    select count(*) into v_gone from gone;
    delete from bespeak.webhook_endpoint w
    where w.deleted_at is not null and not exists (
        select from bespeak.webhook_delivery d where d.endpoint_id = w.endpoint_id);
    return v_gone;
end
$$;

CREATE FUNCTION bespeak.unblock(id text, units text[] DEFAULT NULL::text[], quantities integer[] DEFAULT NULL::integer[], idempotency_key text DEFAULT NULL::text) RETURNS TABLE(block_id text, lifted_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $_$
#variable_conflict use_column
declare
    number constant uuid := bespeak.id_uuid($1);
    home constant bigint := bespeak.home_of(number);
    counts integer[];
    answer record;
begin
    perform bespeak.check_text($4, 'idempotency_key', 200);
    if $2 is not null then
        perform bespeak.check_lines(array[$1], $2, $3);
        perform bespeak.check_units($2);
        counts := coalesce($3, array_fill(null::integer, array[cardinality($2)]));
    end if;
    select b.* into answer from bespeak.unblock_units(home, number, $2, counts, $4,
        bespeak.field_print(number::text) || bespeak.field_print(bespeak.lines_text(
            array_fill(home, array[coalesce(cardinality($2), 0)]), $2, counts))) b;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'block_not_found' else answer.outcome end,
        answer.details);
    return query select $1, (answer.block).lifted_at;
end
$_$;

CREATE FUNCTION bespeak.unblock_units(home bigint, in_block_id uuid, in_units text[], in_quantities integer[], key text, content bytea) RETURNS TABLE(outcome text, answered_at timestamp with time zone, block bespeak.block, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
    b bespeak.block;
    a record;
    units text[];
    quantities integer[];
    left_units text[];
    left_quantities integer[];
    bad jsonb;
begin
    select * into b from bespeak.block k
    where k.resource_id = home and k.block_id = in_block_id for update;
    v_now := bespeak.now();
    if not found then
        return query select 'not_found', v_now, null::bespeak.block, null::jsonb;
        return;
    end if;
    select * into a from bespeak.recall('unblock', home, '', key, content);
    if found then
        return query
        select case when a.same then 'replayed' else 'key_reused' end, v_now, b, null::jsonb;
        return;
    end if;
    -- What it still has; a pool's line may be given back in part.
    with had as (
        select * from unnest(b.units, b.quantities) as l(unit, quantity)
    ), asked as (
        select * from unnest(coalesce(in_units, b.units),
            case when in_units is null then b.quantities else in_quantities end)
            as s(unit, quantity)
    )
    select array_agg(s.unit), array_agg(s.quantity),
        (select array_agg(h.unit) from had h left join asked s on s.unit = h.unit
         where s.unit is null or h.quantity > s.quantity),
        (select array_agg(h.quantity - coalesce(s.quantity, 0)) from had h
         left join asked s on s.unit = h.unit where s.unit is null or h.quantity > s.quantity),
        jsonb_agg(jsonb_build_object('resource_id', home, 'unit', s.unit)) filter (
            where h.unit is null or (h.quantity is null) <> (s.quantity is null)
                or s.quantity > h.quantity)
    into units, quantities, left_units, left_quantities, bad
    from asked s left join had h on h.unit = s.unit;
    if bad is not null or b.lifted_at is not null then
        return query select 'not_blocked', v_now, b, bad;
        return;
    end if;

    perform bespeak.tell_freed('unblocked', v_now, array[in_block_id], array[home],
        array_agg(f.hold_id), array_agg(f.resource_id), array_agg(f.unit), array_agg(f.quantity))
    from bespeak.free_lines(array_fill(in_block_id, array[cardinality(units)]),
        array_fill(home, array[cardinality(units)]), units, quantities) f;
    if key is not null then
        perform bespeak.remember('unblock', v_now, array[home], array[''], array[key],
            array[content], array[in_block_id]);
    end if;
    return query
    with lifted as (
        update bespeak.block k
        set units = coalesce(left_units, '{}'), quantities = coalesce(left_quantities, '{}'),
            lifted_at = case when left_units is null then v_now end
        where k.resource_id = home and k.block_id = in_block_id
        returning k
    )
    select 'unblocked', v_now, lifted.k, null::jsonb from lifted;
end
$$;

CREATE TABLE bespeak.answer (
    resource_id bigint NOT NULL,
    owner text NOT NULL,
    verb text NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    subject uuid NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    CONSTRAINT answer_verb_check CHECK ((verb = ANY (ARRAY['confirm'::text, 'release'::text, 'extend'::text, 'cancel'::text, 'block'::text, 'unblock'::text, 'create'::text])))
);

CREATE TABLE bespeak.api_key (
    key_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    ending text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_key_kind_check CHECK ((kind = ANY (ARRAY['publishable'::text, 'secret'::text, 'admin'::text])))
);

CREATE TABLE bespeak.claim (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    hold_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.counter (
    resource_id bigint NOT NULL,
    last integer NOT NULL,
    serving integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.demo_rush (
    is_the_one boolean DEFAULT true NOT NULL,
    rush_id text,
    state text DEFAULT 'idle'::text NOT NULL,
    resource_id bigint,
    buyers integer DEFAULT 0 NOT NULL,
    arrived integer DEFAULT 0 NOT NULL,
    granted integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    confirmed integer DEFAULT 0 NOT NULL,
    released integer DEFAULT 0 NOT NULL,
    declined integer DEFAULT 0 NOT NULL,
    double_sold integer DEFAULT 0 NOT NULL,
    error text,
    key_id text,
    started_at timestamp with time zone,
    reported_at timestamp with time zone,
    CONSTRAINT demo_rush_check CHECK (((state = 'idle'::text) = (rush_id IS NULL))),
    CONSTRAINT demo_rush_check1 CHECK (((state = 'idle'::text) = (started_at IS NULL))),
    CONSTRAINT demo_rush_check2 CHECK (((state = 'idle'::text) = (reported_at IS NULL))),
    CONSTRAINT demo_rush_error_check CHECK ((error = ANY (ARRAY['interrupted'::text, 'failed'::text]))),
    CONSTRAINT demo_rush_is_the_one_check CHECK (is_the_one),
    CONSTRAINT demo_rush_state_check CHECK ((state = ANY (ARRAY['idle'::text, 'running'::text, 'done'::text])))
);

CREATE TABLE bespeak.draw (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    hold_id uuid NOT NULL,
    quantity integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT draw_quantity_check CHECK ((quantity > 0))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.ended_session (
    session_id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE bespeak.follower (
    name text NOT NULL,
    horizon xid8 NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE bespeak.minute_count (
    minute timestamp with time zone NOT NULL,
    what text NOT NULL,
    currency text NOT NULL,
    count bigint NOT NULL,
    units bigint NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT minute_count_what_check CHECK ((what = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text, 'cancelled'::text, 'refunded'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE VIEW bespeak.payment_account AS
 SELECT p.provider,
    p.created_at,
    p.payment_id,
    p.resource_id,
    p.hold_id,
    p.state,
    p.step,
    p.amount,
    p.currency,
    p.refunded,
    p.reference,
    (NOT (p.late IS DISTINCT FROM 'refund'::text)) AS is_returning,
    (b.booking_id IS NOT NULL) AS is_booked,
        CASE
            WHEN (p.refunding > 0) THEN ( SELECT jsonb_agg(jsonb_build_object('refund_id', bespeak.id_text('ref'::text, f.refund_id), 'state', f.state, 'amount', f.amount) ORDER BY f.created_at, f.refund_id) AS jsonb_agg
               FROM bespeak.refund f
              WHERE ((f.resource_id = p.resource_id) AND (f.payment_id = p.payment_id)))
            ELSE NULL::jsonb
        END AS refunds
   FROM (bespeak.payment p
     LEFT JOIN bespeak.booking b ON (((b.resource_id = p.resource_id) AND (b.booking_id = p.hold_id))));

CREATE TABLE bespeak.payment_callback (
    provider text NOT NULL,
    callback_id text NOT NULL,
    kind text NOT NULL,
    payment_id uuid,
    outcome text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_callback_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'unknown'::text, 'mismatch'::text])))
);

CREATE TABLE bespeak.pool (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    capacity integer NOT NULL,
    taken integer NOT NULL,
    lapses_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT pool_check CHECK (((taken >= 0) AND (taken <= capacity)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.reconciliation (
    provider text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    state text NOT NULL,
    due_at timestamp with time zone,
    tries integer DEFAULT 1 NOT NULL,
    ours bigint DEFAULT 0 NOT NULL,
    theirs bigint DEFAULT 0 NOT NULL,
    unsettled bigint DEFAULT 0 NOT NULL,
    differences bigint DEFAULT 0 NOT NULL,
    report jsonb,
    failure text,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT reconciliation_check CHECK ((since < until)),
    CONSTRAINT reconciliation_check1 CHECK (((state = 'done'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT reconciliation_check2 CHECK (((state = 'done'::text) = (due_at IS NULL))),
    CONSTRAINT reconciliation_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);

CREATE TABLE bespeak.refusal_count (
    minute timestamp with time zone NOT NULL,
    code text NOT NULL,
    count bigint NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.resource (
    resource_id bigint NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    plan jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    opens_at timestamp with time zone,
    closes_at timestamp with time zone,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    hold_seconds integer DEFAULT 600 NOT NULL,
    hold_seconds_max integer DEFAULT 1800 NOT NULL,
    owner_limit integer,
    payment text DEFAULT 'none'::text NOT NULL,
    payment_seconds integer DEFAULT 900 NOT NULL,
    late_payment text DEFAULT 'same_units'::text NOT NULL,
    price_amount bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    pricing jsonb,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    updated_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    CONSTRAINT resource_attributes_check CHECK ((jsonb_typeof(attributes) = 'object'::text)),
    CONSTRAINT resource_check CHECK ((hold_seconds_max >= hold_seconds)),
    CONSTRAINT resource_check1 CHECK (((opens_at IS NULL) OR (closes_at IS NULL) OR (opens_at < closes_at))),
    CONSTRAINT resource_check2 CHECK (((starts_at IS NULL) OR (ends_at IS NULL) OR (starts_at < ends_at))),
    CONSTRAINT resource_check3 CHECK (((ends_at IS NULL) OR (starts_at IS NOT NULL))),
    CONSTRAINT resource_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT resource_hold_seconds_check CHECK (((hold_seconds >= 1) AND (hold_seconds <= 86400))),
    CONSTRAINT resource_hold_seconds_max_check CHECK ((hold_seconds_max <= 604800)),
    CONSTRAINT resource_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_-]{0,39}$'::text)),
    CONSTRAINT resource_late_payment_check CHECK ((late_payment = ANY (ARRAY['same_units'::text, 'equal_offer'::text, 'refund'::text]))),
    CONSTRAINT resource_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT resource_owner_limit_check CHECK (((owner_limit >= 1) AND (owner_limit <= 1000000))),
    CONSTRAINT resource_payment_check CHECK ((payment = ANY (ARRAY['none'::text, 'required'::text]))),
    CONSTRAINT resource_payment_seconds_check CHECK (((payment_seconds >= 60) AND (payment_seconds <= 86400))),
    CONSTRAINT resource_plan_check CHECK ((jsonb_typeof(plan) = 'object'::text)),
    CONSTRAINT resource_price_amount_check CHECK (((price_amount >= 0) AND (price_amount <= '1000000000000'::bigint))),
    CONSTRAINT resource_pricing_check CHECK ((jsonb_typeof(pricing) = 'object'::text)),
    CONSTRAINT resource_resource_id_check CHECK (((resource_id >= 1) AND (resource_id <= '1099511627775'::bigint))),
    CONSTRAINT resource_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT resource_version_check CHECK ((version > 0))
);

CREATE TABLE bespeak.sandbox_callback (
    callback_id text NOT NULL,
    payment_id uuid NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    copies integer DEFAULT 1 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    delivered_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_callback_copies_check CHECK ((copies >= 0)),
    CONSTRAINT sandbox_callback_kind_check CHECK ((kind = ANY (ARRAY['payment.authorized'::text, 'payment.captured'::text, 'payment.failed'::text, 'payment.voided'::text, 'refund.refunded'::text])))
);

CREATE TABLE bespeak.sandbox_token (
    token text NOT NULL,
    owner text NOT NULL,
    outcome text NOT NULL,
    payment_id uuid,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE bespeak.secret (
    name text NOT NULL,
    value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL
);

CREATE TABLE bespeak.vertical_migration (
    vertical text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT vertical_migration_number_check CHECK ((number > 0)),
    CONSTRAINT vertical_migration_vertical_check CHECK ((vertical ~ '^[a-z][a-z0-9_]{0,39}$'::text))
);

CREATE TABLE bespeak.webhook_delivery (
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    resource_id bigint NOT NULL,
    horizon xid8 NOT NULL,
    kind text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    tried_at timestamp with time zone,
    status integer,
    answer text,
    failure text,
    CONSTRAINT webhook_delivery_check CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02');

CREATE TABLE bespeak.webhook_endpoint (
    endpoint_id text NOT NULL,
    url text NOT NULL,
    kinds text[],
    resources bigint[],
    description text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_because text,
    disabled_at timestamp with time zone,
    failing_since timestamp with time zone,
    secret text NOT NULL,
    old_secret text,
    old_secret_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT webhook_endpoint_check CHECK ((enabled = (disabled_because IS NULL))),
    CONSTRAINT webhook_endpoint_check1 CHECK (((disabled_because IS NULL) = (disabled_at IS NULL))),
    CONSTRAINT webhook_endpoint_check2 CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
    CONSTRAINT webhook_endpoint_disabled_because_check CHECK ((disabled_because = ANY (ARRAY['operator'::text, 'gone'::text, 'failing'::text])))
)
WITH (fillfactor='50');

ALTER TABLE ONLY bespeak.answer
    ADD CONSTRAINT answer_pkey PRIMARY KEY (resource_id, owner, verb, idempotency_key);

ALTER TABLE ONLY bespeak.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);

ALTER TABLE ONLY bespeak.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY bespeak.block
    ADD CONSTRAINT block_pkey PRIMARY KEY (resource_id, block_id);

ALTER TABLE ONLY bespeak.booking
    ADD CONSTRAINT booking_pkey PRIMARY KEY (resource_id, booking_id);

ALTER TABLE ONLY bespeak.cancellation
    ADD CONSTRAINT cancellation_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.check_in
    ADD CONSTRAINT check_in_pkey PRIMARY KEY (resource_id, booking_id, ticket);

ALTER TABLE ONLY bespeak.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (resource_id, unit);

ALTER TABLE ONLY bespeak.counter
    ADD CONSTRAINT counter_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.demo_rush
    ADD CONSTRAINT demo_rush_pkey PRIMARY KEY (is_the_one);

ALTER TABLE ONLY bespeak.draw
    ADD CONSTRAINT draw_pkey PRIMARY KEY (resource_id, unit, hold_id);

ALTER TABLE ONLY bespeak.ended_session
    ADD CONSTRAINT ended_session_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY bespeak.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (resource_id, horizon, "position");

ALTER TABLE ONLY bespeak.follower
    ADD CONSTRAINT follower_pkey PRIMARY KEY (name);

ALTER TABLE ONLY bespeak.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (resource_id, hold_id);

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_hold_id_kind_horizon_key UNIQUE (hold_id, kind, horizon);

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_pkey PRIMARY KEY (mail_id);

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_position_kind_key UNIQUE ("position", kind);

ALTER TABLE ONLY bespeak.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY bespeak.minute_count
    ADD CONSTRAINT minute_count_pkey PRIMARY KEY (minute, what, currency);

ALTER TABLE ONLY bespeak.payment_callback
    ADD CONSTRAINT payment_callback_pkey PRIMARY KEY (provider, callback_id);

ALTER TABLE ONLY bespeak.payment
    ADD CONSTRAINT payment_pkey PRIMARY KEY (resource_id, payment_id);

ALTER TABLE ONLY bespeak.pool
    ADD CONSTRAINT pool_pkey PRIMARY KEY (resource_id, unit);

ALTER TABLE ONLY bespeak.reconciliation
    ADD CONSTRAINT reconciliation_pkey PRIMARY KEY (provider, since, until);

ALTER TABLE ONLY bespeak.refund
    ADD CONSTRAINT refund_pkey PRIMARY KEY (resource_id, refund_id);

ALTER TABLE ONLY bespeak.refusal_count
    ADD CONSTRAINT refusal_count_pkey PRIMARY KEY (minute, code);

ALTER TABLE ONLY bespeak.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.sandbox_callback
    ADD CONSTRAINT sandbox_callback_pkey PRIMARY KEY (callback_id);

ALTER TABLE ONLY bespeak.sandbox_payment
    ADD CONSTRAINT sandbox_payment_pkey PRIMARY KEY (payment_id);

ALTER TABLE ONLY bespeak.sandbox_payment
    ADD CONSTRAINT sandbox_payment_reference_key UNIQUE (reference);

ALTER TABLE ONLY bespeak.sandbox_refund
    ADD CONSTRAINT sandbox_refund_pkey PRIMARY KEY (refund_id);

ALTER TABLE ONLY bespeak.sandbox_token
    ADD CONSTRAINT sandbox_token_pkey PRIMARY KEY (token);

ALTER TABLE ONLY bespeak.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

ALTER TABLE ONLY bespeak.vertical_migration
    ADD CONSTRAINT vertical_migration_pkey PRIMARY KEY (vertical, number);

ALTER TABLE ONLY bespeak.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (endpoint_id, "position");

ALTER TABLE ONLY bespeak.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (endpoint_id);

CREATE UNIQUE INDEX block_once ON bespeak.block USING btree (resource_id, source) WHERE ((source IS NOT NULL) AND (lifted_at IS NULL));

CREATE INDEX booking_confirmed ON bespeak.booking USING btree (confirmed_at, booking_id);

CREATE INDEX booking_contact ON bespeak.booking USING gin (bespeak.contact_words(contact)) WHERE (contact IS NOT NULL);

CREATE INDEX booking_of_owner ON bespeak.booking USING btree (owner, confirmed_at DESC, booking_id DESC);

CREATE INDEX cancellation_running ON bespeak.cancellation USING btree (begun_at) WHERE (state = 'running'::text);

CREATE INDEX check_in_of_resource ON bespeak.check_in USING btree (admitted_to, "position");

CREATE UNIQUE INDEX check_in_once ON bespeak.check_in USING btree (resource_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX event_feed ON bespeak.event USING btree (horizon, "position");

CREATE INDEX event_of_booking ON bespeak.event USING btree (hold_id) WHERE (kind <> ALL (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'released'::text, 'expired'::text, 'blocked'::text, 'unblocked'::text]));

CREATE INDEX event_of_late_money ON bespeak.event USING btree (((data ->> 'hold_id'::text))) WHERE (kind = 'payment_late'::text);

CREATE INDEX hold_due ON bespeak.hold USING btree (expires_at) WHERE (state = 'held'::text);

CREATE UNIQUE INDEX hold_once ON bespeak.hold USING btree (resource_id, owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX mail_due ON bespeak.mail USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX mail_failed ON bespeak.mail USING btree (created_at) WHERE (state = 'failed'::text);

CREATE INDEX payment_contact ON bespeak.payment USING gin (bespeak.contact_words(contact)) WHERE (contact IS NOT NULL);

CREATE INDEX payment_created ON bespeak.payment USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX payment_due ON bespeak.payment USING btree (due_at) WHERE (step IS NOT NULL);

CREATE UNIQUE INDEX payment_live ON bespeak.payment USING btree (resource_id, hold_id) WHERE ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text])) AND (late IS DISTINCT FROM 'refund'::text));

CREATE INDEX payment_of_hold ON bespeak.payment USING btree (hold_id);

CREATE UNIQUE INDEX payment_once ON bespeak.payment USING btree (resource_id, owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX refund_called_off ON bespeak.refund USING btree (called_off) WHERE (called_off IS NOT NULL);

CREATE INDEX refund_due ON bespeak.refund USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX refund_failed ON bespeak.refund USING btree (created_at) WHERE (state = 'failed'::text);

CREATE INDEX refund_of_payment ON bespeak.refund USING btree (payment_id);

CREATE INDEX resource_named ON bespeak.resource USING btree (name, resource_id);

CREATE INDEX resource_starts ON bespeak.resource USING btree (COALESCE(starts_at, 'infinity'::timestamp with time zone), resource_id);

CREATE INDEX sandbox_callback_due ON bespeak.sandbox_callback USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX sandbox_callback_of_payment ON bespeak.sandbox_callback USING btree (payment_id);

CREATE INDEX sandbox_payment_created ON bespeak.sandbox_payment USING btree (created_at, payment_id);

CREATE INDEX sandbox_payment_due ON bespeak.sandbox_payment USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX sandbox_refund_due ON bespeak.sandbox_refund USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX sandbox_refund_of_payment ON bespeak.sandbox_refund USING btree (payment_id);

CREATE INDEX webhook_delivery_due ON bespeak.webhook_delivery USING btree (endpoint_id, due_at, "position") WHERE (state = 'pending'::text);

CREATE INDEX webhook_delivery_failed ON bespeak.webhook_delivery USING btree (created_at) WHERE (state = 'failed'::text);
