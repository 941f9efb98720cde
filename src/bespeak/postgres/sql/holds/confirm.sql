-- Confirming holds.

-- Confirms holds: their claims never expire from then on, and each becomes a booking under the
-- same UUID. One that is for another booking takes its place: that is cancelled here first, and its
-- contact goes along where none is named, see waitlists/exchange.sql. Outcomes: confirmed, replayed,
-- key_reused, not_found, not_owner, hold_confirmed, hold_released, hold_expired, payment_required,
-- exchange_checked_in, exchange_begun, exchange_changed.
create or replace function bespeak.confirm_holds(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    v_asked constant uuid[] := array(select q.hold_id from unnest(requests) as q);
    v_instead constant uuid[] := bespeak.lock_exchanges(v_asked);
    holds constant bespeak.hold[] := bespeak.lock_holds(requests);
    v_now constant timestamptz := bespeak.now();  -- when all of them are locked
    outcomes text[] := bespeak.change_problems('confirm', v_now, requests, holds);
begin
    if v_instead is not null then
        outcomes := bespeak.refuse_exchanges(v_now, v_asked, v_instead, outcomes);
        perform bespeak.lock_lines(v_asked || v_instead);
    end if;
    outcomes := bespeak.refuse_unpaid(requests, holds, outcomes);
    outcomes := bespeak.retime_holds(
        holds, array_fill('infinity'::timestamptz, array[cardinality(requests)]), outcomes);
    if array_position(outcomes, null) is not null then
        if v_instead is not null then
            perform bespeak.give_back_exchanged(requests, v_instead, outcomes);
            perform bespeak.take_kept(v_asked, outcomes);
            requests := bespeak.keep_contacts(requests, v_instead, outcomes);
        end if;
        perform bespeak.book_holds(v_now, requests, outcomes);
        perform bespeak.remember_changes('confirm', v_now, requests, holds, outcomes);
    end if;
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

-- The outcomes, with `payment_required` for holds that cost, of a resource that wants payment: such a
-- hold becomes a booking only when the money for it is there. Its payment was authorized before, or is
-- being so in this transaction. A shopper who asks by itself must have paid for a resource without a
-- rule (`none`) too: there a trusted caller says that it is sold. What is paid at the venue is not
-- paid here by anybody.
create or replace function bespeak.refuse_unpaid(
    requests bespeak.change_request[], holds bespeak.hold[], outcomes text[])
returns text[]
language plpgsql as $$
declare
    i integer;
begin
    for i in
        select h.ordinality from unnest(holds) with ordinality as h
        where h.amount > 0 and outcomes[h.ordinality] is null
            -- Scalar subqueries are look-ups by key whatever the planner knows or not; as joins with
            -- an array of holds they were read whole, a hundred times slower.
            and true = any(array(
                select (select r.payment = 'required'
                        or r.payment = 'none' and (requests[h.ordinality]).of_shopper
                    from bespeak.resource r where r.resource_id = w.resource_id)
                from unnest(h.resources) as w(resource_id)))
            and (
                select count(*) from bespeak.payment p
                where p.resource_id = h.resource_id and p.hold_id = h.hold_id
                    and p.state in ('authorized', 'captured')
                    and p.late is distinct from 'refund') = 0
    loop
        outcomes[i] := 'payment_required';
    end loop;
    return outcomes;
end
$$;

-- Writes the bookings of the holds that have no outcome yet, for the price of the hold (what was
-- promised is what is booked, whatever it costs by now), and tells the feed.
create or replace function bespeak.book_holds(
    v_now timestamptz, requests bespeak.change_request[], outcomes text[]) returns void
language plpgsql as $$
declare
    v_horizon constant bigint := bespeak.horizon();
begin
    with done as (
        update bespeak.hold h set state = 'confirmed', ended_at = v_now
        from unnest(requests) with ordinality as q
        where outcomes[q.ordinality] is null
            and h.resource_id = q.home and h.hold_id = q.hold_id
        returning h.*, q.contact, q.actor
    ), booked as (
        insert into bespeak.booking (resource_id, booking_id, owner, state, amount, currency,
            confirmed_at, contact)
        select d.resource_id, d.hold_id, d.owner, 'confirmed', d.amount, d.currency, v_now, d.contact
        from done d
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    select l.resource_id, v_horizon, 'confirmed', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now, d.actor
    from done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id, d.actor;
end
$$;
