-- Cancelling bookings, wholly or some of their lines. What is given back is free at once.

-- Cancels bookings. A request without lines cancels all that is left; with lines (an exclusive
-- unit has a null quantity) only those. Nothing is done for a request of which any line is not
-- the booking's. Outcomes: confirmed (some lines remain), cancelled, replayed, key_reused,
-- not_found, not_owner, booking_cancelled, not_in_booking.
create function bespeak.cancel_bookings(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- What a cancellation takes from a booking: the lines to free, the new counts of what is cancelled,
-- how many claims remain, and the asked lines that the booking does not have, if any. Without asked
-- units it takes all that is left. Plain lines give back of the owner's limits what they took;
-- where other lines are shown, the request names what of the limits goes back, and when the last
-- claim or the last shown line goes, so does all the rest: a rounded share must not stay behind.
create function bespeak.cancelled_lines(h bespeak.hold, b bespeak.booking, in_resources bigint[],
    in_units text[], in_quantities integer[], in_shown_lines integer[],
    in_shown_quantities integer[], out resources bigint[], out units text[],
    out quantities integer[], out cancelled integer[], out cancelled_shown integer[],
    out remaining bigint, out unknown jsonb)
language plpgsql stable as $$
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
