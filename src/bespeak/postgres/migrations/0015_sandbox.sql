-- The sandbox: a bank that moves no money, for trying and testing. It is another party, which happens
-- to keep its books in this database: it reads and writes no table but those below, and nothing but
-- the provider seam reads them. So a look-up after a kill tells what a bank would tell.

-- A payment as the bank has it. `outcome` is what the buyer's token asked for. An `unheard` order
-- reached the bank and was lost there: for whoever asks it does not exist, until it comes again.
-- `due_at` is when the bank decides a pending payment by itself.
create table bespeak.sandbox_payment (
    payment_id uuid primary key,
    reference text not null unique,
    owner text not null,
    token text not null,
    outcome text not null,
    state text not null check (state in
        ('unheard', 'pending', 'challenge', 'authorized', 'captured', 'voided', 'failed')),
    failure text,
    amount bigint not null check (amount > 0),
    currency text not null,
    -- Of what was captured: promised to go back, and gone back.
    refunding bigint not null default 0,
    refunded bigint not null default 0,
    has_refunds boolean not null default false,
    description text not null,
    return_url text,
    due_at timestamptz,
    created_at timestamptz not null,
    check (0 <= refunded and refunded <= refunding and refunding <= amount),
    check (refunding = 0 or state = 'captured')
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- What the bank has to decide next; of most payments nothing, so they are not in it.
create index sandbox_payment_due on bespeak.sandbox_payment (due_at) where due_at is not null;

-- Reconciling reads the payments of a time, page by page.
create index sandbox_payment_created on bespeak.sandbox_payment (created_at, payment_id);

-- Money that goes back, once for each id.
create table bespeak.sandbox_refund (
    refund_id uuid primary key,
    payment_id uuid not null,
    amount bigint not null check (amount > 0),
    state text not null check (state in ('unheard', 'pending', 'refunded', 'failed')),
    failure text,
    due_at timestamptz,
    created_at timestamptz not null
);

create index sandbox_refund_of_payment on bespeak.sandbox_refund (payment_id);
create index sandbox_refund_due on bespeak.sandbox_refund (due_at) where due_at is not null;

-- What the bank is to tell by itself, or told: the outbox. `due_at` is null once it is told often
-- enough (`copies` are left), or given up. The amount is what the callback says, true or not.
create table bespeak.sandbox_callback (
    callback_id text primary key,
    payment_id uuid not null,
    kind text not null check (kind in ('payment.authorized', 'payment.captured', 'payment.failed',
        'payment.voided', 'refund.refunded')),
    amount bigint not null,
    currency text not null,
    copies integer not null default 1 check (copies >= 0),
    tries integer not null default 0,
    due_at timestamptz,
    delivered_at timestamptz,
    created_at timestamptz not null
);

create index sandbox_callback_due on bespeak.sandbox_callback (due_at) where due_at is not null;
create index sandbox_callback_of_payment on bespeak.sandbox_callback (payment_id);

-- Tokens that were made for one buyer, good for one payment.
create table bespeak.sandbox_token (
    token text primary key,
    owner text not null,
    outcome text not null,
    payment_id uuid,
    created_at timestamptz not null
);

-- A payment as it is told, with its refunds. `written_in` is the transaction that wrote it last.
create view bespeak.sandbox_standing as
select p.*, p.xmin as written_in,
    case when p.has_refunds then (
        select jsonb_agg(jsonb_build_object('refund_id', r.refund_id, 'state', r.state,
            'amount', r.amount, 'failure', r.failure) order by r.created_at, r.refund_id)
        from bespeak.sandbox_refund r
        where r.payment_id = p.payment_id and r.state <> 'unheard') end as refunds
from bespeak.sandbox_payment p
where p.state <> 'unheard';

-- One order. `decide_seconds` says when a pending payment is decided; `tells` is the kind of the
-- callback that goes out for a new one, with when, how often, and which amount it claims.
create type bespeak.sandbox_order as (
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

-- Authorizes a batch of orders, each payment once. A row for each order, without a standing where
-- the order was lost at the bank; is_new says that this call made it.
create function bespeak.sandbox_authorize(orders bespeak.sandbox_order[])
returns table (ordinal integer, answered_at timestamptz, is_new boolean,
    standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

create function bespeak.sandbox_callback_id() returns text
language sql volatile as $$
    select 'evt_' || replace(gen_random_uuid()::text, '-', '')
$$;

-- Captures a batch of payments; those that are not authorized stay as they are, which the standing
-- tells. For some outcomes the bank voids instead, or tells of it in the wrong order.
create function bespeak.sandbox_capture(payments uuid[])
returns table (ordinal integer, standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Locks payments until the transaction ends, in the order of their ids.
create function bespeak.sandbox_lock(payments uuid[]) returns void
language plpgsql
set enable_seqscan = off
as $$
begin
    perform from bespeak.sandbox_payment p
    where p.payment_id = any(payments) order by p.payment_id for update;
end
$$;

-- Gives up a batch of reservations; what is captured or failed stays so, which the standing tells.
create function bespeak.sandbox_void(payments uuid[])
returns table (ordinal integer, standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Gives money back, for each refund's id once; no batch names a payment twice. The refund of a row
-- is null where it was refused: nothing captured, or not that much left.
create function bespeak.sandbox_give_back(payments uuid[], refunds uuid[], amounts bigint[])
returns table (ordinal integer, standing bespeak.sandbox_standing, refund bespeak.sandbox_refund)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Decides payments that are pending or wait for the buyer: approved, or failed for this reason; those
-- that are decided stay so. `tells`: with a callback, because no reply will say it.
create function bespeak.sandbox_decide(payments uuid[], in_failure text, tells boolean)
returns void
language plpgsql
set enable_seqscan = off
as $$
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

-- What the bank does by itself when its time has come: decides what is pending, pays out refunds, and
-- tells of both. At most so many of each; how many it was.
create function bespeak.sandbox_do_due(in_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
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
