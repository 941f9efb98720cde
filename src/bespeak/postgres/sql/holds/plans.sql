-- Plans that stay as they are while something is judged by them. The locks are advisory ones, before all
-- others and in the order of the resources: a row's lock would be written for every hold.

-- The number of the lock of a resource's plan, beyond all other advisory locks of Bespeak.
create or replace function bespeak.plan_key(resource_id bigint) returns bigint
language sql immutable as $$ select (70949::bigint << 46) + resource_id $$;

-- Keeps the plans of these resources as they are until the transaction ends, so that none changes
-- between the check of its version and the commit of the claims that rely on it.
create or replace function bespeak.keep_plans(resources bigint[]) returns void
language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(bespeak.plan_key(k.resource_id))
    from (select distinct n as resource_id from unnest(resources) as n order by n) k;
end
$$;

-- Waits until nothing is being judged by the plan of a resource, and keeps what comes after waiting; at
-- most so long, because they wait behind this one. Raises 55P03 after that.
create or replace function bespeak.lock_plan(resource_id bigint, patience_ms integer) returns void
language plpgsql as $$
declare
    before constant text := current_setting('lock_timeout');
begin
    perform set_config('lock_timeout', patience_ms || 'ms', true);
    perform pg_advisory_xact_lock(bespeak.plan_key(resource_id));
    perform set_config('lock_timeout', before, true);
end
$$;

-- The end of a change of plan, whose row the caller has written: waits until nothing is judged by the
-- old one, numbers and tells the change, and answers the units in use, which the new plan must keep. All
-- that is left to do under this lock is to look at them, and to commit.
create or replace function bespeak.change_plan(
    in_resource bigint, patience_ms integer, in_actor text default null)
returns setof text
language plpgsql as $$
begin
    perform bespeak.lock_plan(in_resource, patience_ms);
    update bespeak.resource r set plan_changed = nextval('bespeak.plan_changes')
    where r.resource_id = in_resource;
    insert into bespeak.event (resource_id, horizon, kind, at, actor)
    values (in_resource, bespeak.horizon(), 'changed', bespeak.now(), in_actor);
    return query
    select c.unit from bespeak.claim c
    where c.resource_id = in_resource and c.expires_at > bespeak.now()
    union all
    select p.unit from bespeak.pool p
    where p.resource_id = in_resource and p.taken > 0 and p.unit not like 'owner:%'
    order by 1;
end
$$;
