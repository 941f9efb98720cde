-- Cancelling bookings, wholly or some of their lines. What is given back is free at once.

-- Cancels bookings. A request without lines cancels all that is left; with lines (an exclusive
-- unit has a null quantity) only those. Nothing is done for a request of which any line is not
-- the booking's, or which was found, or its refund computed, on what the booking had before. A
-- refund is written down with the cancellation. Who names the owner speaks for the buyer, who cannot
-- give back a ticket that let somebody in; the operator can. Outcomes: confirmed (some lines
-- remain), cancelled, replayed, key_reused, not_found, not_owner, booking_cancelled,
-- not_in_booking, booking_changed, ticket_used.
create or replace function bespeak.cancel_bookings(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    bad jsonb[] := array_fill(null::jsonb, array[cardinality(requests)]);
    places integer[] := '{}';  -- of the requests that are done, and at the same places:
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
        -- What was moved since may have another line's units, price and ticket.
        outcomes[r.n] := coalesce(bespeak.cancel_problem(r.request, r.booking),
            case when (r.request).known_units <> (r.hold).units then 'booking_changed' end);
        continue when outcomes[r.n] is not null;
        a := bespeak.cancelled_lines(r.hold, r.booking, r.request);
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
        perform bespeak.write_cancellations(v_now, requests, places, changed,
            holders, freed_resources, freed_units, freed_quantities);
    end if;
    return query
    select q.ordinality::integer, outcomes[q.ordinality], v_now, h, b, bad[q.ordinality]
    from unnest(requests) with ordinality as q
    left join bespeak.booking b on b.resource_id = q.home and b.booking_id = q.hold_id
    left join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id;
end
$$;

-- Why a booking cannot be cancelled as asked, or what that was answered with before; null when it can.
create or replace function bespeak.cancel_problem(
    request bespeak.change_request, b bespeak.booking) returns text
language plpgsql as $$
declare
    problem constant text := case when request.owner <> b.owner then 'not_owner'
        when b.state = 'cancelled' then 'booking_cancelled' end;
    repeated text;
begin
    if request.idempotency_key is not null and problem is distinct from 'not_owner' then
        select a.outcome into repeated from bespeak.recall('cancel', b.resource_id, b.owner,
            request.idempotency_key, request.fingerprint) a;
    end if;
    return coalesce(repeated, problem, case when request.refund_amount is not null
        and coalesce(b.cancelled, '{}') <> coalesce(request.expected_cancelled, '{}')
        then 'booking_changed' end);
end
$$;

-- Writes what a batch cancels: refunds, freed lines with their events, bookings, remembered keys.
-- `changed` are the bookings as they are from now on, of the requests at `places`.
create or replace function bespeak.write_cancellations(
    v_now timestamptz, requests bespeak.change_request[], places integer[],
    changed bespeak.booking[], holders uuid[], freed_resources bigint[], freed_units text[],
    freed_quantities integer[]) returns void
language plpgsql as $$
#variable_conflict use_column
begin
    perform bespeak.give_back(v_now, array_agg(q.home), array_agg(q.hold_id),
        array_agg(q.refund_amount), array_agg(q.called_off), array_agg(q.actor))
    from unnest(requests) with ordinality as q
    where q.ordinality = any(places) and q.refund_amount > 0
    having count(*) > 0;
    perform bespeak.tell_freed('cancelled', v_now, bookings.ids, bookings.homes,
        bookings.actors, freed.holders, freed.resources, freed.units, freed.quantities)
    from (
        select array_agg(c.booking_id) as ids, array_agg(c.resource_id) as homes,
            array_agg((requests[places[c.ordinality]]).actor) as actors
        from unnest(changed) with ordinality as c
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
end
$$;

-- What a cancellation takes from a booking: the lines to free, the new counts of what is cancelled,
-- how many claims remain, and the asked lines that the booking does not have, if any. Without asked
-- units it takes all that is left. Plain lines give back of the owner's limits what they took;
-- where other lines are shown, the request names what of the limits goes back, and when the last
-- claim or the last shown line goes, so does all the rest: a rounded share must not stay behind.
create or replace function bespeak.cancelled_lines(
    h bespeak.hold, b bespeak.booking, request bespeak.change_request, out resources bigint[],
    out units text[], out quantities integer[], out cancelled integer[],
    out cancelled_shown integer[], out remaining bigint, out unknown jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
    is_whole boolean := coalesce(cardinality(request.units), 0) = 0;
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
        select s.cancelled_shown, is_whole or s.is_last, not is_whole and s.is_refused
        into cancelled_shown, is_whole, is_refused
        from bespeak.cancelled_shown_lines(h, b, request) s;
    end if;

    with line as (
        select l.*, coalesce(l.quantity, 1) - coalesce(l.gone, 0) as had,
            l.n > cardinality(h.units) - h.limit_lines as is_limit
        from unnest(h.resources, h.units, h.quantities, b.cancelled)
            with ordinality as l(resource_id, unit, quantity, gone, n)
    ), asked as (
        select s.resource_id, s.unit, sum(coalesce(s.quantity, 1)) as quantity
        from unnest(request.resources, request.units, request.quantities)
            as s(resource_id, unit, quantity)
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

-- What a cancellation takes of the lines that are shown: the new counts of what is cancelled, whether
-- these were the last, and whether the request names more of them than there are, or names them wrong.
create or replace function bespeak.cancelled_shown_lines(
    h bespeak.hold, b bespeak.booking, request bespeak.change_request,
    out cancelled_shown integer[], out is_last boolean, out is_refused boolean)
language sql stable as $$
    select array_agg(s.gone + s.takes order by s.n), bool_and(s.gone + s.takes = s.count),
        bool_or(s.gone + s.takes > s.count) or not coalesce(
            cardinality(request.shown_lines) > 0
            and cardinality(request.shown_lines) = cardinality(request.shown_quantities)
            and 1 <= all(request.shown_lines) and 1 <= all(request.shown_quantities)
            and cardinality(h.shown_quantities) >= all(request.shown_lines), false)
    from (
        select c.n, c.count, coalesce(c.gone, 0) as gone, coalesce((
            select sum(q.quantity)::integer
            from unnest(request.shown_lines, request.shown_quantities) as q(place, quantity)
            where q.place = c.n), 0) as takes
        from unnest(h.shown_quantities, b.cancelled_shown) with ordinality as c(count, gone, n)
    ) s
$$;
