-- name: make
-- A new link of a resource, unless it has as many as it may; those that are over do not count, and those
-- that have been for a month are let go.
with gone as (
    delete from bespeak.calendar_link l
    where l.resource_id = $2 and l.expires_at < bespeak.now() - interval '30 days'
)
insert into bespeak.calendar_link (link_id, resource_id, name, details, without, created_at, expires_at)
select $1, $2, $3, $4, $5, bespeak.now(), bespeak.now() + make_interval(secs => $6)
where (select count(*) from bespeak.calendar_link l
    where l.resource_id = $2 and (l.expires_at is null or l.expires_at > bespeak.now())) < $7
returning *

-- name: open
-- What a link shows, if it is good, and whether it is the first time in this hour.
select l.details, l.without,
    l.used_at is distinct from date_trunc('hour', bespeak.now()) as is_first_use
from bespeak.calendar_link l
where l.link_id = $1 and l.resource_id = $2
    and (l.expires_at is null or l.expires_at > bespeak.now())

-- name: use
-- Notes the hour in which a link was used.
update bespeak.calendar_link l set used_at = date_trunc('hour', bespeak.now())
where l.link_id = $1 and l.used_at is distinct from date_trunc('hour', bespeak.now())

-- name: list
-- A page of the links, the latest first; of one resource or of all, of a workspace or of all.
select l.*, coalesce(l.expires_at <= bespeak.now(), false) as is_over from bespeak.calendar_link l
where l.number < $1 and ($2::bigint is null or l.resource_id = $2)
    and ($4::text is null or exists (select from bespeak.resource w
        where w.resource_id = l.resource_id and w.workspace = $4))
order by l.number desc limit $3

-- name: revoke
-- Ends a link of a resource.
delete from bespeak.calendar_link l where l.link_id = $1 and l.resource_id = $2 returning *
