-- Webhooks that are sent again.

-- Lets an endpoint have again what happened since a time and was read by the follower: answers how
-- many deliveries are due because of it, or null where there would be more than the limit.
create or replace function bespeak.replay_deliveries(in_endpoint text, in_since timestamptz,
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
