-- name: of_workspace
-- The texts of a workspace's merchant.
select t.kind, t.language, t.subject, t.introduction, t.closing, bespeak.version_of(to_jsonb(t)) as version
from bespeak.mail_text t where t.workspace = $1

-- name: set
-- Says the texts of one kind of mail in one language, whether it had some or not; no row where they are of
-- another version than was seen ($7).
insert into bespeak.mail_text as t (workspace, kind, language, subject, introduction, closing, changed_at)
select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, bespeak.now()
where bespeak.is_seen($7, (select to_jsonb(b) from bespeak.mail_text b
    where b.workspace = $1 and b.kind = $2 and b.language = $3 for update))
on conflict (workspace, kind, language) do update
set subject = excluded.subject, introduction = excluded.introduction, closing = excluded.closing,
    changed_at = excluded.changed_at
where bespeak.is_seen($7, to_jsonb(t))
returning bespeak.version_of(to_jsonb(t))

-- name: version
-- The version of the texts of one kind of mail in one language.
select bespeak.version_of(to_jsonb(t)) from bespeak.mail_text t
where t.workspace = $1 and t.kind = $2 and t.language = $3

-- name: remove
-- Takes the texts of one kind of mail in one language away; no row where there are none, or where they are of
-- another version than was seen ($4).
delete from bespeak.mail_text t where t.workspace = $1 and t.kind = $2 and t.language = $3
    and bespeak.is_seen($4, to_jsonb(t))
returning true
