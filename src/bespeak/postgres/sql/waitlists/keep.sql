-- What is kept for those who wait.

-- Of these resources keeps those of the second list for a waitlist, and opens the others. What is as it
-- should be is not touched: each change is a new version, by which each hold that was judged before is
-- judged anew. How many were changed.
create or replace function bespeak.keep_for_waitlist(in_resources bigint[], in_kept bigint[], in_actor text)
returns integer
language sql volatile as $$
    with changed as (
        update bespeak.resource r
        set kept_for_waitlist = not r.kept_for_waitlist, version = r.version + 1,
            updated_at = bespeak.now()
        from (select n.resource_id from bespeak.resource n
            where n.resource_id = any(in_resources)
                and n.kept_for_waitlist <> (n.resource_id = any(in_kept))
            order by n.resource_id for no key update) l
        where r.resource_id = l.resource_id
            and r.kept_for_waitlist <> (r.resource_id = any(in_kept))
        returning r.resource_id
    ), told as (
        insert into bespeak.event (resource_id, horizon, kind, at, actor)
        select c.resource_id, bespeak.horizon(), 'changed', bespeak.now(), in_actor from changed c
    )
    select count(*)::integer from changed
$$;
