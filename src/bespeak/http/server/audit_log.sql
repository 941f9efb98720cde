-- name: add
-- One entry. Where it is about an owner, that is told by a digest.
insert into bespeak.audit_entry (actor, action, outcome, subject, code, address)
values ($1, $2, $3, coalesce($4, encode(bespeak.erasure_digest($5), 'hex')), $6, $7)

-- name: add_refusals
-- What was refused of late, counted.
insert into bespeak.audit_entry (actor, action, outcome, code, times)
select r.actor, r.action, 'refused', r.code, r.times
from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as r(actor, action, code, times)

-- name: page
-- A page of the log, the latest first, with the names of keys.
select e.*, k.name as actor_name
from bespeak.audit_entry e
left join bespeak.api_key k on k.key_id = e.actor
where ($1::bigint is null or e.entry_id < $1)
    and ($2::text is null or e.actor = $2)
    and ($3::text is null or e.action = $3)
    and ($4::text is null or e.subject = $4)
    and e.at >= $5 and e.at < $6
order by e.entry_id desc limit $7
