-- name: server
-- What the server is and how it is set up.
select current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_version') as version_text,
    current_setting('max_connections')::int as max_connections,
    clock_timestamp() as now

-- name: durability
-- The settings without which a power cut loses what was answered; those that are off.
select s.name from pg_settings s
where s.name in ('fsync', 'full_page_writes') and s.setting = 'off'
    or s.name = 'synchronous_commit' and s.setting = 'off'
order by s.name

-- name: other_sessions
-- Sessions of Bespeak beside this one: whether a server or worker runs at all.
select count(*) from pg_stat_activity a
where a.application_name = 'bespeak' and a.datname = current_database()
    and a.pid <> pg_backend_pid()

-- name: sessions
-- All client sessions, of whatever program and database: they share max_connections.
select count(*) from pg_stat_activity a where a.backend_type = 'client backend'

-- name: events_ahead
-- Events that lie beyond the transaction counter, as after a dump and reload: the feed would hold
-- them back for ever.
select count(*) from bespeak.event e
where e.horizon >= pg_snapshot_xmax(pg_current_snapshot())

-- name: long_transactions
-- Writing transactions that are open for so many seconds: the feed waits for each of them.
select a.pid, a.application_name, coalesce(a.usename::text, '') as user_name,
    extract(epoch from clock_timestamp() - a.xact_start)::int as seconds
from pg_stat_activity a
where a.backend_xid is not null and a.pid <> pg_backend_pid()
    and clock_timestamp() - a.xact_start > make_interval(secs => $1)
order by a.xact_start limit 10
