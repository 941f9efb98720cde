-- name: of_workspace
-- The texts of a workspace's merchant.
select t.kind, t.language, t.subject, t.introduction, t.closing
from bespeak.mail_text t where t.workspace = $1

-- name: set
-- Says the texts of one kind of mail in one language, whether it had some or not.
insert into bespeak.mail_text (workspace, kind, language, subject, introduction, closing, changed_at)
values ($1, $2, $3, $4, $5, $6, bespeak.now())
on conflict (workspace, kind, language) do update
set subject = excluded.subject, introduction = excluded.introduction, closing = excluded.closing,
    changed_at = excluded.changed_at

-- name: remove
-- Takes the texts of one kind of mail in one language away.
delete from bespeak.mail_text t where t.workspace = $1 and t.kind = $2 and t.language = $3
