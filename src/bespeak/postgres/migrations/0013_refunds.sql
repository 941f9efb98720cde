-- Giving money back: refunds that are due, what providers tell of them, and whole resources that are
-- called off. No transaction is open while a provider is asked.
--
-- Locks: cancellation rows, hold rows, booking rows, payment rows, refund rows, then what cancelling
-- locks.

-- What a provider tells of a refund: pending, refunded, failed.
create type bespeak.refund_report as (
    refund_id uuid,
    home bigint,
    standing text,
    failure text
);

-- A resource that was called off: its holds are released and its bookings cancelled, batch by batch in
-- the order of the claims and then of the draws. The place where the next batch begins is written in
-- the transaction of the one before, so that whoever goes on misses none and does none twice.
create table bespeak.cancellation (
    resource_id bigint primary key,
    reason text not null,
    refund text not null check (refund in ('full', 'policy')),
    state text not null check (state in ('running', 'done')),
    phase text not null check (phase in ('claims', 'draws')),
    after_unit text collate "C" not null,
    after_hold uuid not null,
    bookings_total integer not null,
    bookings_done integer not null default 0,
    holds_released integer not null default 0,
    idempotency_key text,
    fingerprint bytea not null,
    begun_at timestamptz not null,
    ended_at timestamptz,
    check ((state = 'done') = (ended_at is not null))
);

create index cancellation_running on bespeak.cancellation (begun_at) where state = 'running';

-- Writes down what cancellations give back of the payments of bookings. A CHECK keeps all refunds of
-- a payment within it. Where nothing was paid, nothing is given back.
create function bespeak.give_back(v_now timestamptz, homes bigint[], holds uuid[],
    amounts bigint[], resources_called_off bigint[]) returns void
language plpgsql as $$
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

-- Claims refunds that are due, for lease_seconds (longer with each try, to an hour at most), with their
-- payments. What another has locked is skipped, so any number may look.
create function bespeak.due_refunds(in_limit integer, lease_seconds integer)
returns table (refund bespeak.refund, payment bespeak.payment)
language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Moves refunds to where their provider says that they stand. A refund that the provider is still at
-- is looked at again, the older the later. What failed stays promised (`refunding`), so that nobody
-- promises it twice. Outcomes: settled, not_found.
create function bespeak.settle_refunds(home bigint, requests bespeak.refund_report[])
returns table (ordinal integer, outcome text, answered_at timestamptz, refund bespeak.refund)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Lets a refund that failed be tried again. One that is pending is so already; one that was made
-- stays.
create function bespeak.retry_refund(home bigint, in_refund uuid)
returns table (refund bespeak.refund, payment bespeak.payment)
language plpgsql as $$
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

-- Calls a resource off: closes it and writes down that all of it is to be cancelled. It waits, not for
-- long, until no hold is being placed, so that none comes after. Outcomes: begun, replayed,
-- key_reused, called_off (it was before), not_found.
create function bespeak.call_off(
    home bigint, in_reason text, in_refund text, key text, content bytea)
returns table (outcome text, cancellation bespeak.cancellation)
language plpgsql as $$
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

-- Locks holds with their bookings and payments, in the order of all, and answers them as they are.
create function bespeak.lock_called_off(homes bigint[], ids uuid[])
returns table (hold bespeak.hold, booking bespeak.booking, payment bespeak.payment, lapsed boolean)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- One batch of a resource that was called off, whose rows the caller has locked: releases holds,
-- cancels bookings, and moves on to where the next batch begins (null: there is none). Answers what
-- could not be cancelled, which is nothing.
create function bespeak.call_off_batch(home bigint, requests bespeak.change_request[],
    released_homes bigint[], released uuid[], lapsed_homes bigint[], lapsed uuid[],
    next_phase text, next_unit text, next_hold uuid)
returns table (booking_id uuid, outcome text)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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
