-- Webhooks that are sent again.

-- Lets an endpoint have what happened since a time, was read by the follower, and did not reach it:
-- what waits for its next try, what failed, what it missed (there is no delivery of it); where asked
-- for, what was delivered too. What is on its way stays. Answers how many of each, and no row where
-- they would be more than the limit; a dry run counts, and changes nothing.
create or replace function bespeak.replay_deliveries(in_endpoint text, in_since timestamptz,
    in_delivered boolean, in_dry_run boolean, in_limit integer)
returns table (waiting integer, failed integer, missed integer, delivered integer)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_page constant integer := 1000;
    v_now constant timestamptz := bespeak.now();
    v_counts integer[] := array[0, 0, 0, 0];
    w bespeak.webhook_endpoint;
    v_to bespeak.follower;
    v_first bespeak.feed_page;
    r record;
begin
    select e.* into w from bespeak.webhook_endpoint e where e.endpoint_id = in_endpoint;
    select f.* into v_to from bespeak.follower f where f.name = 'notifications';
    v_to.position := v_to.position + 1;
    select p.* into v_first from bespeak.feed_page p order by p.first limit 1;
    loop
        select count(*) as seen, max(p.at) as latest,
            (array_agg(p.horizon order by p.horizon, p.position))[1] as horizon,
            (array_agg(p.position order by p.horizon, p.position))[1] as position
        into r
        from (
            select e.* from bespeak.event e
            where (e.horizon, e.position) < (v_to.horizon, v_to.position)
                and e.horizon <= v_to.horizon
                -- What is before the feed's beginning goes by and by, and has no position any more.
                and (e.horizon, e.position) > (v_first.after_horizon, v_first.after_position)
                and e.horizon >= v_first.after_horizon
            order by e.horizon desc, e.position desc limit v_page
        ) p;
        exit when r.seen = 0 or r.latest < in_since;
        v_counts := bespeak.replay_page(w, r.horizon, r.position, v_to, in_since, in_delivered,
            in_dry_run, v_now, v_counts);
        if v_counts[1] + v_counts[2] + v_counts[3] + v_counts[4] > in_limit then
            return;
        end if;
        v_to.horizon := r.horizon;
        v_to.position := r.position;
    end loop;
    return query select v_counts[1], v_counts[2], v_counts[3], v_counts[4];
end
$$;

-- One page of the above; adds to the counts.
create or replace function bespeak.replay_page(w bespeak.webhook_endpoint, in_horizon bigint,
    in_position bigint, in_to bespeak.follower, in_since timestamptz, in_delivered boolean,
    in_dry_run boolean, v_now timestamptz, in_counts integer[])
returns integer[]
language sql
set enable_seqscan = off
as $$
    with wanted as materialized (
        select e.position, e.resource_id, e.horizon, e.kind, d.state
        from bespeak.event e
        left join bespeak.webhook_delivery d
            on d.endpoint_id = (w).endpoint_id and d.position = e.position
        where (e.horizon, e.position) >= (in_horizon, in_position)
            and (e.horizon, e.position) < ((in_to).horizon, (in_to).position)
            and e.horizon between in_horizon and (in_to).horizon
            and e.at >= in_since and ((w).kinds is null or e.kind = any((w).kinds))
            and ((w).resources is null or e.resource_id = any((w).resources))
            and ((select count(*) = 1 from bespeak.workspace) or (w).workspace = (
                select r.workspace from bespeak.resource r where r.resource_id = e.resource_id))
            and case d.state when 'pending' then not d.leased and d.due_at > v_now
                when 'delivered' then in_delivered else true end
    ), written as (
        insert into bespeak.webhook_delivery as d (endpoint_id, position, resource_id, horizon,
            kind, due_at, created_at)
        select (w).endpoint_id, o.position, o.resource_id, o.horizon, o.kind, v_now, v_now
        from wanted o where not in_dry_run
        order by o.horizon, o.position
        on conflict (endpoint_id, position) do update
        set state = 'pending', tries = 0, due_at = v_now, planned_at = null, created_at = v_now
        -- It may have been taken or delivered since it was looked at.
        where case d.state when 'pending' then not d.leased when 'delivered' then in_delivered
            else true end
    )
    select array[
        in_counts[1] + count(*) filter (where o.state = 'pending'),
        in_counts[2] + count(*) filter (where o.state = 'failed'),
        in_counts[3] + count(*) filter (where o.state is null),
        in_counts[4] + count(*) filter (where o.state = 'delivered')]::integer[]
    from wanted o
$$;
