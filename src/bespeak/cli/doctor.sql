-- name: server
-- What the server is and how it is set up.
select current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_version') as version_text,
    current_setting('max_connections')::int as max_connections,
    clock_timestamp() as now

-- name: clock
-- The time by which budgets are counted.
select bespeak.now()

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

-- name: feed
-- How far the feed is numbered, in which life, and since when the oldest event waits for that which
-- could be.
select bespeak.feed_end() as position, coalesce(f.epoch >> 32, 0) as lives,
    extract(epoch from clock_timestamp() - w.at)::float as waiting_seconds
from (select max(e.epoch) as epoch from bespeak.feed_epoch e) f
left join lateral (
    select e.at from bespeak.event e
    where (e.horizon, e.position) > (
            select coalesce(max(p.until_horizon), 0), coalesce(max(p.until_position), 0)
            from (select p.* from bespeak.feed_page p order by p.first desc limit 1) p)
        and e.horizon < bespeak.settled_horizon()
    order by e.horizon, e.position limit 1
) w on true

-- name: retention_behind
-- Walks along the feed that should have passed their next event two days ago, and the feed itself, if it
-- should have begun later: since when that waits.
select w.name, n.at
from unnest($1::text[], $2::integer[]) as w(name, days)
join bespeak.follower f on f.name = w.name
cross join lateral bespeak.events_numbered(f.horizon, f.position, 1) n
where n.at < bespeak.now() - make_interval(days => w.days + 2)
union all
-- The last page stays, however old it is.
select 'events', e.at
from (select p.* from bespeak.feed_page p order by p.first limit 1) p
cross join lateral (
    select o.at from bespeak.event o
    where o.horizon >= p.after_horizon and (o.horizon, o.position) > (p.after_horizon, p.after_position)
    order by o.horizon, o.position limit 1
) e
where $3 > 0 and e.at < bespeak.now() - make_interval(days => $3 + 2)
    and p.first < (select max(l.first) from bespeak.feed_page l)
order by at

-- name: long_transactions
-- Writing transactions that are open for so many seconds: the feed waits for each of them.
select a.pid, a.application_name, coalesce(a.usename::text, '') as user_name,
    extract(epoch from clock_timestamp() - a.xact_start)::int as seconds
from pg_stat_activity a
where a.backend_xid is not null and a.pid <> pg_backend_pid()
    and clock_timestamp() - a.xact_start > make_interval(secs => $1)
order by a.xact_start limit 10
