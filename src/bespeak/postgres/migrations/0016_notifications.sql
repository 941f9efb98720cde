-- Notifications: who follows the feed, where it is told to (webhooks), and what buyers are written
-- (mails). A delivery or a mail is its own job, due at `due_at`, claimed with a lease. All of it may be
-- repeated after a crash and nothing of it is lost, so its commits need not wait for the disk.

-- How far a durable follower has read. It moves in the transaction that writes what follows from the
-- events: none is lost, none is handled twice.
create table bespeak.follower (
    name text primary key,
    horizon xid8 not null,
    position bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

insert into bespeak.follower (name, horizon, position) values ('notifications', '0', 0);

-- Where events are sent, and which (null: all). The old secret signs beside the new one for a while.
create table bespeak.webhook_endpoint (
    endpoint_id text primary key,
    url text not null,
    kinds text[],
    resources bigint[],
    description text not null,
    enabled boolean not null default true,
    -- Why it is not enabled: its operator, its answer 410, days of nothing but failures.
    disabled_because text check (disabled_because in ('operator', 'gone', 'failing')),
    disabled_at timestamptz,
    failing_since timestamptz,
    secret text not null,
    old_secret text,
    old_secret_until timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    check (enabled = (disabled_because is null)),
    check ((disabled_because is null) = (disabled_at is null)),
    check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 50);

-- An event for an endpoint, once: its position is a number that no other event has. The body is made
-- from the event when it is sent; a test has no event.
create table bespeak.webhook_delivery (
    endpoint_id text collate "C" not null,
    position bigint not null,
    resource_id bigint not null,
    horizon xid8 not null,
    kind text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    tried_at timestamptz,
    status integer,
    answer text,
    failure text,
    primary key (endpoint_id, position),
    check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index webhook_delivery_due on bespeak.webhook_delivery (endpoint_id, due_at, position)
    where state = 'pending';

-- A mail to the buyer about an event, once. A hold over several resources has an event for each, and
-- is written about once. Who it goes to stands with the payment or the booking, and nowhere else.
create table bespeak.mail (
    mail_id uuid primary key,
    kind text not null check (kind in
        ('booking_confirmed', 'booking_cancelled', 'payment_late', 'payment_failed', 'refunded')),
    hold_id uuid not null,
    horizon xid8 not null,
    position bigint not null,
    at timestamptz not null,
    data jsonb,
    state text not null default 'pending'
        check (state in ('pending', 'sent', 'failed', 'dropped')),
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz,
    failure text,
    unique (position, kind),
    unique (hold_id, kind, horizon),
    check ((state = 'pending') = (due_at is not null)),
    check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index mail_due on bespeak.mail (due_at) where state = 'pending';

-- Reads on in the feed and writes down who is to be told, in one transaction with the cursor. Any
-- number may call it: one reads, the others get no row. A failed payment is written about later, when
-- it is sure that no second try has paid.
create function bespeak.announce_events(in_follower text, in_limit integer)
returns table (events integer, deliveries integer, mails integer, last_at timestamptz,
    answered_at timestamptz)
language plpgsql
set enable_seqscan = off
as $$
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

-- Who is to be written to about a hold: the payment that the event is of says so, or the booking, or
-- the payment that is under way or has paid, or that was given back.
create function bespeak.contact_of(in_hold uuid, in_data jsonb) returns jsonb
language sql stable as $$
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

-- Takes what is due for each endpoint, as many as there is room for, until the lease ends. The lease
-- is what a result must name, so that the result of one that was given up changes nothing.
create function bespeak.claim_deliveries(in_endpoints text[], in_rooms integer[],
    in_lease_seconds integer)
returns table (endpoint_id text, "position" bigint, kind text, tries integer,
    created_at timestamptz, leased_until timestamptz, event bespeak.event)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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

-- Records what became of tries: delivered, to be repeated after a delay, or given up (no delay). An
-- endpoint that is gone, or has failed for days, is disabled; those that were are returned.
create function bespeak.settle_deliveries(in_endpoints text[], in_positions bigint[],
    in_leases timestamptz[], in_delivered boolean[], in_statuses integer[], in_answers text[],
    in_failures text[], in_delays double precision[], in_failing_days integer)
returns table (endpoint_id text, disabled_because text)
language plpgsql
set enable_seqscan = off
as $$
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

-- Deletes a batch of deliveries that are older than so many days, or whose endpoint was deleted, and
-- at last that endpoint. It looks at the oldest of each endpoint only. Answers how many are gone.
create function bespeak.tidy_deliveries(in_days integer, in_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
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

-- Lets an endpoint have again what happened since a time and was read by the follower: answers how
-- many deliveries are due because of it, or null where there would be more than the limit.
create function bespeak.replay_deliveries(in_endpoint text, in_since timestamptz,
    in_failed_only boolean, in_limit integer)
returns integer
language plpgsql
set enable_seqscan = off
as $$
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

-- Takes mails that are due, until the lease ends, with what they tell of: of a cancellation also how
-- much is given back, which the events that follow it in its transaction say. What is not true any
-- more is dropped: a payment has not failed for the buyer whose next try has paid, or is under way.
create function bespeak.claim_mails(in_limit integer, in_lease_seconds integer)
returns table (mail bespeak.mail, hold bespeak.hold, booking bespeak.booking, contact jsonb,
    refunding bigint)
language plpgsql
set enable_seqscan = off
as $$
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

-- After a database was restored by dump and reload its transaction numbers start anew, and old
-- events would look as if they were still to come. This puts them all in the past, in order, and the
-- durable followers where they were: what they may read again has its delivery already.
create or replace function bespeak.rebase_feed() returns bigint
language plpgsql as $$
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
