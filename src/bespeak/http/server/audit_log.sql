-- name: add
-- One entry, in the workspace of the key that it tells of. An owner is told by a digest.
insert into bespeak.audit_entry (actor, action, outcome, subject, code, address, workspace)
values ($1, $2, $3, coalesce($4, encode(bespeak.erasure_digest($5), 'hex')), $6, $7,
    coalesce((select k.workspace from bespeak.api_key k where k.key_id = $1),
        (select o.workspace from bespeak.operator o where o.operator_id = $1), 'default'))

-- name: add_refusals
-- What was refused of late, counted.
insert into bespeak.audit_entry (actor, action, outcome, code, times, workspace)
select r.actor, r.action, 'refused', r.code, r.times, coalesce(k.workspace, o.workspace, 'default')
from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as r(actor, action, code, times)
left join bespeak.api_key k on k.key_id = r.actor
left join bespeak.operator o on o.operator_id = r.actor

-- name: page
-- A page of the log, the latest first, with the names of keys and operators.
select e.*, coalesce(k.name, o.name) as actor_name
from bespeak.audit_entry e
left join bespeak.api_key k on k.key_id = e.actor
left join bespeak.operator o on o.operator_id = e.actor
where e.entry_id < $1
    and ($2::text is null or e.actor = $2)
    and ($3::text is null or e.action = $3)
    and ($4::text is null or e.subject = $4)
    and e.at >= $5 and e.at < $6
    and ($7::text is null or e.workspace = $7)
order by e.entry_id desc limit $8
