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
	shown_quantities integer[]
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
	guards bespeak.seat_guard[]
);

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
                array_agg(l.quantity), array_agg(l.capacity), 0, null, null, null, null, null)
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
    CONSTRAINT hold_amount_check CHECK ((amount >= 0)),
    CONSTRAINT hold_check CHECK (((state = 'held'::text) = (ended_at IS NULL))),
    CONSTRAINT hold_check1 CHECK ((expires_at <= extends_until)),
    CONSTRAINT hold_check2 CHECK (((shown IS NULL) = (shown_quantities IS NULL))),
    CONSTRAINT hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE FUNCTION bespeak.cancel_bookings(home bigint, requests bespeak.change_request[]) RETURNS TABLE(ordinal integer, outcome text, answered_at timestamp with time zone, hold bespeak.hold, booking bespeak.booking, details jsonb)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_now timestamptz;
    r record;
    a record;
    v_outcome text;
    v_cancelled integer[];
    v_lines record;
    v_bad jsonb;
begin
    -- One request after the other: cancelling is rare, and each may take other lines.
    for r in
        select q.ordinality as n, requests[q.ordinality] as request, b as booking, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        join bespeak.booking b on b.resource_id = q.home and b.booking_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h, b
    loop
        v_now := bespeak.now();
        v_outcome := case
            when (r.request).owner <> (r.booking).owner then 'not_owner'
            when (r.booking).state = 'cancelled' then 'booking_cancelled' end;
        v_bad := null;
        if (r.request).idempotency_key is not null and v_outcome is distinct from 'not_owner' then
            select * into a from bespeak.recall('cancel', (r.booking).resource_id,
                (r.booking).owner, (r.request).idempotency_key, (r.request).fingerprint);
            if found then
                v_outcome := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        if v_outcome is null then
            select * into v_lines from bespeak.cancelled_lines(r.hold, r.booking,
                (r.request).resources, (r.request).units, (r.request).quantities,
                (r.request).shown_lines, (r.request).shown_quantities);
            v_bad := v_lines.unknown;
            if v_bad is not null then
                v_outcome := 'not_in_booking';
            end if;
        end if;
        if v_outcome is null then
            v_outcome := case when v_lines.remaining = 0 then 'cancelled' else 'confirmed' end;
            perform bespeak.tell_freed('cancelled', v_now, array[(r.hold).hold_id],
                array[(r.hold).resource_id], array_agg(f.hold_id), array_agg(f.resource_id),
                array_agg(f.unit), array_agg(f.quantity))
            from bespeak.free_lines(
                array_fill((r.hold).hold_id, array[cardinality(v_lines.units)]),
                v_lines.resources, v_lines.units, v_lines.quantities) f;
            update bespeak.booking b
            set state = v_outcome, cancelled = v_lines.cancelled,
                cancelled_shown = v_lines.cancelled_shown, cancelled_at = v_now,
                reason = (r.request).reason
            where b.resource_id = (r.booking).resource_id
                and b.booking_id = (r.booking).booking_id and b.state = 'confirmed';
            if (r.request).idempotency_key is not null then
                perform bespeak.remember('cancel', v_now, array[(r.booking).resource_id],
                    array[(r.booking).owner], array[(r.request).idempotency_key],
                    array[(r.request).fingerprint], array[(r.booking).booking_id]);
            end if;
        end if;
        return query
        select r.n::integer, v_outcome, v_now, r.hold, b, v_bad
        from bespeak.booking b
        where b.resource_id = (r.booking).resource_id and b.booking_id = (r.booking).booking_id;
    end loop;

    return query
    select q.ordinality::integer, 'not_found', bespeak.now(), null::bespeak.hold,
        null::bespeak.booking, null::jsonb
    from unnest(requests) with ordinality as q
    where not exists (select from bespeak.booking b
        where b.resource_id = q.home and b.booking_id = q.hold_id);
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
    select jsonb_agg(jsonb_build_object('resource_id', bespeak.resource_text(l.resource_id),
            'unit', l.unit)) filter (where p.unit is null or (p.capacity is null) <> (l.quantity is null)),
        array_agg(p.capacity order by l.n),
        sum(coalesce(p.price, r.price_amount) * coalesce(l.quantity, 1)), min(r.currency)
    into bad, result.capacities, result.amount, result.currency
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

    -- Money is not taken here: a hold that costs and is of a resource that wants payment is
    -- confirmed by it.
    select array_agg(h.hold_id) into unpaid
    from unnest(good_homes, good) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    where h.amount > 0 and exists (
        select from bespeak.resource r
        where r.resource_id = any(h.resources) and r.payment = 'required');
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

CREATE SEQUENCE bespeak.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bespeak.event (
    resource_id bigint NOT NULL,
    horizon xid8 NOT NULL,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    kind text NOT NULL,
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    CONSTRAINT event_kind_check CHECK ((kind = ANY (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'confirmed'::text, 'released'::text, 'expired'::text, 'cancelled'::text, 'blocked'::text, 'unblocked'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.2');

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
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select prefix || '_' || bespeak.base32_encode(
        ('x' || substr(t.hex, 1, 8))::bit(32)::bigint * 79228162514264337593543950336::numeric
        + ('x' || substr(t.hex, 9, 8))::bit(32)::bigint * 18446744073709551616::numeric
        + ('x' || substr(t.hex, 17, 8))::bit(32)::bigint * 4294967296::numeric
        + ('x' || substr(t.hex, 25, 8))::bit(32)::bigint, 26)
    from (select replace(id::text, '-', '') as hex) t
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

CREATE FUNCTION bespeak.lines_text(in_resources bigint[], in_units text[], in_quantities integer[]) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select string_agg(bespeak.resource_text(l.resource_id) || ' ' || l.unit || ' '
        || coalesce(l.quantity::text, ''), E'\n' order by l.n)
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
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
        with taken as materialized (
            select bespeak.number_in(c.unit, prefix) as number from bespeak.claim c
            where c.resource_id = in_resource and c.expires_at > v_now
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
    select row(u.hold_id, bespeak.home_of(u.hold_id), $2, $3, $9, $4, $5, $6, $7, $8, null, null)
        ::bespeak.change_request
    from (select bespeak.id_uuid($1) as hold_id) u
$_$;

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
    select array_agg(w.resource_id) into shut
    from unnest(resource_ids, versions) as w(resource_id, version)
    where w.version is distinct from (
        select r.version from bespeak.resource r
        where r.resource_id = w.resource_id and r.state = 'open'
            and (r.opens_at is null or r.opens_at <= v_now)
            and (r.closes_at is null or r.closes_at > v_now));

    -- Refuse at once what a look shows to be taken, so that a lost race writes nothing. This look
    -- decides no grant: those are decided below, by the claims' primary key and the pools' CHECK.
    select array_agg(distinct q.ordinality) filter (where
            q.resources && shut
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
            amount, currency, shown_quantities, shown)
        select q.resources[1], q.hold_id, q.owner, 'held', q.resources, q.units, q.quantities,
            q.limit_lines, v_now, v_now + make_interval(secs => q.hold_seconds),
            v_now + make_interval(secs => q.cap_seconds), q.idempotency_key, q.fingerprint,
            q.amount, q.currency, q.shown_quantities, q.shown::jsonb
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
                when q.resources && shut then 'unavailable'
                when q.ordinality = any(single) then 'orphan'
                else 'taken' end,
            v_now,
            h.found,
            case when (h.found).hold_id is not null or coalesce(q.resources && shut, false) then null
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
    LANGUAGE sql
    AS $$
    with moved as (
        update bespeak.event set horizon = '3'::xid8
        where exists (
            select from bespeak.event where horizon > pg_snapshot_xmax(pg_current_snapshot()))
        returning 1
    )
    select count(*) from moved
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
        "booking_cancelled": ["booking_cancelled", "BS031"],
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

CREATE TABLE bespeak.draw (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    hold_id uuid NOT NULL,
    quantity integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT draw_quantity_check CHECK ((quantity > 0))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

CREATE TABLE bespeak.migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
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
    hold_seconds integer DEFAULT 600 NOT NULL,
    hold_seconds_max integer DEFAULT 1800 NOT NULL,
    owner_limit integer,
    payment text DEFAULT 'none'::text NOT NULL,
    price_amount bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    updated_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    CONSTRAINT resource_attributes_check CHECK ((jsonb_typeof(attributes) = 'object'::text)),
    CONSTRAINT resource_check CHECK ((hold_seconds_max >= hold_seconds)),
    CONSTRAINT resource_check1 CHECK (((opens_at IS NULL) OR (closes_at IS NULL) OR (opens_at < closes_at))),
    CONSTRAINT resource_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT resource_hold_seconds_check CHECK (((hold_seconds >= 1) AND (hold_seconds <= 86400))),
    CONSTRAINT resource_hold_seconds_max_check CHECK ((hold_seconds_max <= 604800)),
    CONSTRAINT resource_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_-]{0,39}$'::text)),
    CONSTRAINT resource_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT resource_owner_limit_check CHECK (((owner_limit >= 1) AND (owner_limit <= 1000000))),
    CONSTRAINT resource_payment_check CHECK ((payment = ANY (ARRAY['none'::text, 'required'::text]))),
    CONSTRAINT resource_plan_check CHECK ((jsonb_typeof(plan) = 'object'::text)),
    CONSTRAINT resource_price_amount_check CHECK (((price_amount >= 0) AND (price_amount <= '1000000000000'::bigint))),
    CONSTRAINT resource_resource_id_check CHECK (((resource_id >= 1) AND (resource_id <= '1099511627775'::bigint))),
    CONSTRAINT resource_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT resource_version_check CHECK ((version > 0))
);

CREATE TABLE bespeak.secret (
    name text NOT NULL,
    value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL
);

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

ALTER TABLE ONLY bespeak.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (resource_id, unit);

ALTER TABLE ONLY bespeak.counter
    ADD CONSTRAINT counter_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.draw
    ADD CONSTRAINT draw_pkey PRIMARY KEY (resource_id, unit, hold_id);

ALTER TABLE ONLY bespeak.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (resource_id, horizon, "position");

ALTER TABLE ONLY bespeak.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (resource_id, hold_id);

ALTER TABLE ONLY bespeak.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY bespeak.pool
    ADD CONSTRAINT pool_pkey PRIMARY KEY (resource_id, unit);

ALTER TABLE ONLY bespeak.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

CREATE UNIQUE INDEX block_once ON bespeak.block USING btree (resource_id, source) WHERE ((source IS NOT NULL) AND (lifted_at IS NULL));

CREATE INDEX event_feed ON bespeak.event USING btree (horizon, "position");

CREATE INDEX hold_due ON bespeak.hold USING btree (expires_at) WHERE (state = 'held'::text);

CREATE UNIQUE INDEX hold_once ON bespeak.hold USING btree (resource_id, owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);
