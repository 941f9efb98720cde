-- The feed after a restore.

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
