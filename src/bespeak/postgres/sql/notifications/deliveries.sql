-- Deliveries of webhooks. A delivery is its own job, due at `due_at`, claimed with a lease. All of it
-- may be repeated after a crash and nothing is lost, so its commits need not wait for the disk.

-- Takes what is due for each endpoint, as many as there is room for, until the lease ends. The lease
-- is what a result must name, so that the result of one that was given up changes nothing.
create or replace function bespeak.claim_deliveries(in_endpoints text[], in_rooms integer[],
    in_lease_seconds integer)
returns table (endpoint_id text, "position" bigint, kind text, tries integer,
    created_at timestamptz, leased_until timestamptz, event bespeak.event, cursor text,
    feed_position bigint)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    v_until constant timestamptz := v_now + make_interval(secs => in_lease_seconds);
    v_numbered bespeak.feed_page;
begin
    -- An event is told with its place in the feed, which one of before this release may have to wait for.
    select p.* into v_numbered from bespeak.feed_page p order by p.first desc limit 1;
    perform set_config('synchronous_commit', 'off', true);
    return query
    with due as materialized (
        select d.endpoint_id, d.position
        from unnest(in_endpoints, in_rooms) as r(endpoint_id, room)
        cross join lateral (
            select p.endpoint_id, p.position from bespeak.webhook_delivery p
            where p.endpoint_id = r.endpoint_id and p.state = 'pending' and p.due_at <= v_now
                and (p.resource_id = 0 or (p.horizon, p.position)
                    <= (v_numbered.until_horizon, v_numbered.until_position))
            order by p.due_at, p.position limit r.room
            for update skip locked
        ) d
    ), taken as (
        update bespeak.webhook_delivery d set due_at = v_until, leased = true
        from due where d.endpoint_id = due.endpoint_id and d.position = due.position
        returning d.*
    )
    -- One that was pulled forward is at the try before, so that its delay is the one it had.
    select t.endpoint_id, t.position, t.kind, t.tries - coalesce(t.planned_at > v_now, false)::integer,
        t.created_at, v_until, e, bespeak.cursor_text(n.position), n.position
    from taken t
    left join bespeak.feed_positions(array(select t.horizon from taken t where t.resource_id > 0),
        array(select t.position from taken t where t.resource_id > 0)) n on n.key = t.position
    left join bespeak.event e on e.resource_id = t.resource_id and e.horizon = t.horizon
        and e.position = t.position
    order by t.horizon, t.position;
end
$$;

-- Records what became of tries: delivered, to be repeated after a delay, or given up (no delay). An
-- endpoint that is gone, or has failed for days, is disabled; those that were are returned. One that
-- answers again after failures gets what waits for it at once.
create or replace function bespeak.settle_deliveries(in_endpoints text[], in_positions bigint[],
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
        set tried_at = v_now, status = r.status, answer = r.answer, failure = r.failure,
            leased = false,
            -- A try that was pulled forward is one more: its failure changes no plan.
            tries = d.tries + case when d.planned_at > v_now and not r.delivered then 0 else 1 end,
            state = case when r.delivered then 'delivered' when d.planned_at > v_now then 'pending'
                when r.delay is null then 'failed' else 'pending' end,
            due_at = case when r.delivered then null when d.planned_at > v_now then d.planned_at
                else v_now + make_interval(secs => r.delay) end,
            planned_at = case when d.planned_at > v_now and not r.delivered then d.planned_at end
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
            outage_from = case when j.is_well then w.failing_since end,
            outage_until = case when j.is_well and w.failing_since is not null then v_now end,
            enabled = j.because is null, disabled_because = j.because,
            disabled_at = case when j.because is not null then v_now end
        from judged j where w.endpoint_id = j.endpoint_id and w.enabled
        returning w.endpoint_id, w.disabled_because
    )
    select c.endpoint_id, c.disabled_because from changed c where c.disabled_because is not null;
    perform bespeak.pull_deliveries(v_now, (
        select array_agg(distinct r.endpoint_id) from unnest(in_endpoints, in_delivered)
            as r(endpoint_id, delivered) where r.delivered));
end
$$;

-- Makes due what waited for endpoints when their outage ended: they answer now, and the delays were
-- for the outage. A batch at a time, since an outage of days leaves many; each success of an endpoint
-- calls this again. What fails again waits for its time as before. A message that fails while others
-- arrive looks like an outage each time; so one that was pulled forward in its present delay is so
-- again only by an outage of a minute.
create or replace function bespeak.pull_deliveries(v_now timestamptz, in_endpoints text[])
returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    v_batch constant integer := 5000;
    v_pulled integer;
    w record;
begin
    for w in
        select e.endpoint_id, e.outage_until,
            e.outage_until - e.outage_from >= interval '1 minute' as is_long
        from bespeak.webhook_endpoint e
        where e.endpoint_id = any(in_endpoints) and e.outage_until is not null
        order by e.endpoint_id for update
    loop
        with waiting as materialized (
            select d.endpoint_id, d.position from bespeak.webhook_delivery d
            where d.endpoint_id = w.endpoint_id and d.state = 'pending' and d.due_at > v_now
                and not d.leased and d.tried_at <= w.outage_until
                and (w.is_long or d.planned_at is null)
            order by d.due_at, d.position limit v_batch
            for update skip locked
        )
        update bespeak.webhook_delivery d set due_at = v_now, planned_at = d.due_at from waiting p
        where d.endpoint_id = p.endpoint_id and d.position = p.position;
        get diagnostics v_pulled = row_count;
        if v_pulled < v_batch then
            update bespeak.webhook_endpoint e set outage_from = null, outage_until = null
            where e.endpoint_id = w.endpoint_id;
        end if;
    end loop;
end
$$;

-- Deletes a batch of deliveries that are older than so many days, or whose endpoint was deleted, and
-- at last that endpoint. It looks at the oldest of each endpoint only. Answers how many are gone.
create or replace function bespeak.tidy_deliveries(in_days integer, in_limit integer) returns integer
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
