-- Whatever a provider tells of a payment, in a reply, a callback or a look-up, goes through one
-- function that moves the record towards it: repeated, late and out of order alike. No transaction is
-- open while a provider is asked.
--
-- Locks: hold rows, booking rows, payment rows, refund rows, then what confirming and cancelling lock.
-- Late money takes units anew, each payment by a placing of its own. So it is settled alone in its
-- transaction: after another's units, or after what a batch confirms, its locks would be out of order.

-- Moves payments to where their provider says that they stand, and with them the holds and bookings:
-- money that is authorized makes the booking, in this transaction; a reservation of money that is gone
-- undoes it. What does not fit the present state (late, twice, out of order) changes nothing.
-- Outcomes: settled, mismatch (another amount or currency: the money goes back), not_found. Raises
-- cardinality_violation for late money among others, and has done nothing: each is to be settled alone.
create or replace function bespeak.settle_payments(home bigint, requests bespeak.settle_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, payment bespeak.payment)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    paid bespeak.change_request[];
    r record;
begin
    if exists (select from unnest(requests) as q where q.standing in ('authorized', 'captured')) then
        -- Before all others, so that what is given back for a hold is locked with it, in the one order.
        perform bespeak.lock_exchanges(array(
            select p.hold_id from unnest(requests) as q
            join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id));
    end if;
    perform from unnest(requests) as q
    join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
    join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
    order by h.resource_id, h.hold_id for update of h;
    perform from unnest(requests) as q
    join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
    order by p.resource_id, p.payment_id for update of p;
    if cardinality(requests) > 1 then
        perform bespeak.lock_lost(requests);
    end if;
    v_now := bespeak.now();
    if exists (select from unnest(requests) as q where q.standing in ('authorized', 'captured')) then
        perform bespeak.return_money(v_now, requests, true);
        paid := bespeak.authorize_payments(v_now, requests);
        perform bespeak.return_money(v_now, requests, false);
    end if;
    if paid is not null then
        for r in
            select c.outcome, q.hold_id, q.home, q.actor
            from bespeak.confirm_holds(home, paid) c
            join unnest(paid) with ordinality as q on q.ordinality = c.ordinal
            where c.outcome <> 'confirmed'
        loop
            if cardinality(requests) > 1 then
                raise exception 'late money is settled alone' using errcode = 'cardinality_violation';
            end if;
            perform bespeak.settle_late(v_now, p, r.outcome, r.actor) from bespeak.payment p
            where p.resource_id = r.home and p.hold_id = r.hold_id and p.state = 'authorized'
                and p.late is null;
        end loop;
    end if;
    if exists (select from unnest(requests) as q where q.standing = 'captured') then
        perform bespeak.refuse_captures(v_now, requests);
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

-- Where a batch takes the money from a booking, whose cancellation comes after other cancellations and
-- confirmations of the batch: locks the lines of all of them. The caller has the rows of the payments.
create or replace function bespeak.lock_lost(requests bespeak.settle_request[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
    if exists (
        select from unnest(requests) as q
        join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
        where p.state = 'authorized' and (q.standing in ('failed', 'voided')
            or q.standing = 'captured' and (q.amount <> p.amount or q.currency <> p.currency)))
    then
        perform bespeak.lock_lines(array(
            select p.hold_id from unnest(requests) as q
            join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id));
    end if;
end
$$;

-- Notes the money that is authorized, and answers the holds that become bookings by it.
create or replace function bespeak.authorize_payments(
    v_now timestamptz, requests bespeak.settle_request[]) returns bespeak.change_request[]
language plpgsql as $$
declare
    -- Not before the locks: it sorts behind what was waited for.
    v_horizon constant bigint := bespeak.horizon();
    paid bespeak.change_request[];
begin
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
        returning p, q.actor
    ), told as (
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
        select (m.p).resource_id, v_horizon, 'payment_authorized', (m.p).hold_id, v_now,
            bespeak.payment_data(m.p), m.actor
        from moved m
    )
    select array_agg(bespeak.new_change(
        (m.p).hold_id, home => (m.p).resource_id, actor => m.actor)) into paid from moved m;
    return paid;
end
$$;

-- Money that pays for nothing goes back: of another amount or currency than was asked for (first, so that
-- it stands in nobody's way), and then of a payment that had failed, when another pays for its hold.
create or replace function bespeak.return_money(
    v_now timestamptz, requests bespeak.settle_request[], only_mismatches boolean) returns void
language plpgsql as $$
begin
    with moved as (
        update bespeak.payment p
        set state = 'authorized', authorized_at = coalesce(p.authorized_at, v_now), step = 'void',
            late = 'refund', due_at = v_now, tries = 0, reference = q.reference, token = null,
            action_url = null, ended_at = null,
            failure = case when only_mismatches then 'amount_mismatch' else p.failure end
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id
            and q.standing in ('authorized', 'captured')
            and case when only_mismatches then p.state in ('pending', 'failed')
                    and (q.amount <> p.amount or q.currency <> p.currency)
                else p.state = 'failed' end
        returning p, q.actor
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (m.p).resource_id, bespeak.horizon(), 'payment_late', (m.p).hold_id, v_now,
        bespeak.payment_data(m.p), m.actor
    from moved m;
end
$$;

-- Another amount was taken than was reserved: it pays for nothing. The booking is cancelled, and all of
-- what was taken is to go back. That takes the place of what was promised to go back before; the
-- provider was not asked for that yet, for this comes after the capture.
create or replace function bespeak.refuse_captures(
    v_now timestamptz, requests bespeak.settle_request[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    r record;
begin
    for r in
        select p.resource_id, p.payment_id, p.hold_id, p.step, q.actor
        from unnest(requests) as q
        join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
        where p.state = 'authorized' and p.late is distinct from 'refund' and q.standing = 'captured'
            and (q.amount <> p.amount or q.currency <> p.currency)
        order by p.resource_id, p.payment_id
    loop
        update bespeak.payment p
        set late = 'refund', failure = 'amount_mismatch', step = 'void', refunding = 0
        where p.resource_id = r.resource_id and p.payment_id = r.payment_id;
        perform bespeak.end_refunds(v_now, r.resource_id, r.payment_id, 'amount_mismatch', r.actor);
        if r.step = 'capture' then
            perform from bespeak.cancel_bookings(r.resource_id,
                array[
                bespeak.new_change(r.hold_id, reason => 'payment_failed', actor => r.actor)]);
        end if;
    end loop;
end
$$;

-- Money that was taken. Where it was not wanted any more (its hold was lost, it is another amount than
-- was asked for), it is to be refunded.
create or replace function bespeak.note_captured(v_now timestamptz, requests bespeak.settle_request[])
returns void
language plpgsql as $$
declare
    v_horizon constant bigint := bespeak.horizon();  -- once, not for each event
    late bespeak.payment[];
    actors text[];
begin
    with moved as (
        update bespeak.payment p
        set state = 'captured', captured_at = v_now, tries = 0, reference = q.reference,
            captured = q.amount, captured_currency = q.currency,
            step = case when p.step = 'offer' then 'offer' end,
            due_at = case when p.step = 'offer' then p.due_at end,
            refunding = case when p.late = 'refund' then q.amount else p.refunding end
        from unnest(requests) as q
        where p.resource_id = q.home and p.payment_id = q.payment_id
            and p.state = 'authorized' and q.standing = 'captured'
        returning p, q.actor
    ), told as (
        insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
        select (m.p).resource_id, v_horizon, 'payment_captured', (m.p).hold_id, v_now,
            bespeak.payment_data(m.p), m.actor
        from moved m
    )
    select array_agg(m.p), array_agg(m.actor) into late, actors
    from moved m where (m.p).late = 'refund';
    perform bespeak.begin_refund(v_now, late[n], late[n].captured,
        case late[n].failure when 'amount_mismatch' then 'mismatch' else 'late' end, actors[n])
    from generate_subscripts(late, 1) as n;
end
$$;

-- What a provider tells when there is no money (yet): still at it, declined, gone, never heard of.
create or replace function bespeak.note_unpaid(v_now timestamptz, requests bespeak.settle_request[])
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
        returning p, q.actor
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (m.p).resource_id, bespeak.horizon(), 'payment_failed', (m.p).hold_id, v_now,
        bespeak.payment_data(m.p), m.actor
    from moved m;

    -- The reservation is gone. Given up by us, that is the end; else the booking has no money behind it.
    for r in
        select p as payment, q.failure, q.actor from unnest(requests) as q
        join bespeak.payment p on p.resource_id = q.home and p.payment_id = q.payment_id
        where p.state = 'authorized' and q.standing in ('failed', 'voided')
        order by p.resource_id, p.payment_id
    loop
        perform bespeak.end_unpaid(v_now, r.payment, r.failure, r.actor);
    end loop;
end
$$;

-- Ends an authorized payment whose reservation is gone, and cancels the booking that it paid for. What
-- was promised to go back of it ends with it: there is no money to give back.
create or replace function bespeak.end_unpaid(
    v_now timestamptz, p bespeak.payment, in_failure text, in_actor text) returns void
language plpgsql as $$
#variable_conflict use_variable
declare
    is_lost constant boolean := p.step = 'capture';
begin
    update bespeak.payment x
    set state = case when is_lost then 'failed' else 'voided' end, step = null, due_at = null,
        tries = 0, ended_at = v_now, refunding = 0,
        failure = case when is_lost then coalesce(in_failure, 'authorization_gone') else x.failure end
    where x.resource_id = p.resource_id and x.payment_id = p.payment_id and x.state = 'authorized'
    returning x.* into p;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    values (p.resource_id, bespeak.horizon(),
        case when is_lost then 'payment_failed' else 'payment_voided' end, p.hold_id, v_now,
        bespeak.payment_data(p), in_actor);
    perform bespeak.end_refunds(v_now, p.resource_id, p.payment_id, 'not_captured', in_actor);
    if is_lost then
        perform from bespeak.cancel_bookings(p.resource_id,
            array[
            bespeak.new_change(p.hold_id, reason => 'payment_failed', actor => in_actor)]);
    end if;
end
$$;
