-- name: try_lead
-- Asks to be the one background worker of this database, for as long as this session lasts.
select pg_try_advisory_lock(7094970117)

-- name: has_leader
-- Whether some session is the background worker now.
select exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and (l.classid::bigint << 32 | l.objid::bigint) = 7094970117)
