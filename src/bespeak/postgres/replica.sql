-- name: primary
-- Which cluster and database the primary is of, and which timeline it writes: the same for as long as
-- a connection lasts.
select s.system_identifier::text as cluster, current_database()::text as database,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
from pg_control_system() s

-- name: flushed
-- Up to where the primary's log is on disk. Asked after an answer, it is behind the answer's commit.
-- (Where the next record goes, pg_current_wal_insert_lsn, may be a page's header ahead of what any
-- standby can say that it has.)
select pg_current_wal_flush_lsn()::text

-- name: replica
-- Which server this is, and how far it has come. A standby's timeline is that of what it has replayed,
-- as its control file has it: up to a restart point behind, which is the safe side.
select s.system_identifier::text as cluster, current_database()::text as database,
    pg_is_in_recovery() as is_standby,
    case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn(), '0/0')
        else pg_current_wal_flush_lsn() end::text as replayed,
    case when pg_is_in_recovery() then greatest(c.timeline_id, r.min_recovery_end_timeline)
        else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int
        end as timeline
from pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r

-- name: replayed
-- How far a standby has come; of a primary, all of it.
select case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn(), '0/0')
    else pg_current_wal_flush_lsn() end::text

-- name: server
-- Which server process this is, so that all connections for reads lead to the one that is watched.
select concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port())
