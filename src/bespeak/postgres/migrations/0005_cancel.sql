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
                (r.request).resources, (r.request).units, (r.request).quantities);
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
            set state = v_outcome, cancelled = v_lines.cancelled, cancelled_at = v_now,
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

-- What a cancellation takes from a booking: the lines to free (with the owner's limits in
-- proportion), the new counts of what is cancelled, how many shown lines remain, and the asked
-- lines that the booking does not have, if any.
create function bespeak.cancelled_lines(h bespeak.hold, b bespeak.booking, in_resources bigint[],
    in_units text[], in_quantities integer[], out resources bigint[], out units text[],
    out quantities integer[], out cancelled integer[], out remaining bigint, out unknown jsonb)
language sql stable as $$
    with line as (
        select l.*, coalesce(l.quantity, 1) - coalesce(l.gone, 0) as had,
            l.n > cardinality(h.units) - h.limit_lines as is_limit
        from unnest(h.resources, h.units, h.quantities, b.cancelled)
            with ordinality as l(resource_id, unit, quantity, gone, n)
    ), asked as (
        select s.resource_id, s.unit, sum(coalesce(s.quantity, 1)) as quantity
        from unnest(in_resources, in_units, in_quantities) as s(resource_id, unit, quantity)
        group by s.resource_id, s.unit
    ), shown as (
        select l.*, case when cardinality(in_units) is null or cardinality(in_units) = 0 then l.had else coalesce(s.quantity, 0) end as takes
        from line l
        left join asked s on s.resource_id = l.resource_id and s.unit = l.unit
        where not l.is_limit
    ), given as (
        select * from shown
        union all
        select l.*, least(l.had, (
            select coalesce(sum(s.takes), 0) from shown s where s.resource_id = l.resource_id))
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
         from asked s left join shown w on w.resource_id = s.resource_id and w.unit = s.unit
         where w.unit is null or s.quantity > w.had)
    from given
$$;
