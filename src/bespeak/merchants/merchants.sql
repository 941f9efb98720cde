-- name: read
-- The profile of a workspace's merchant; no row where nothing was said yet.
select m.version, m.profile from bespeak.merchant m where m.workspace = $1

-- name: create
-- Says something of a merchant for the first time; no row where somebody did so before.
insert into bespeak.merchant (workspace, version, profile, changed_at)
values ($1, 1, $2, bespeak.now())
on conflict (workspace) do nothing
returning version

-- name: change
-- Replaces a profile of this version; no row where it has another by now.
update bespeak.merchant m
set version = m.version + 1, profile = $3, changed_at = bespeak.now()
where m.workspace = $1 and m.version = $2
returning m.version

-- name: add_terms
-- Keeps a wording of terms; one that was there before stays as it is.
insert into bespeak.merchant_terms (digest, wording, added_at)
values ($1, $2, bespeak.now())
on conflict (digest) do nothing

-- name: add_logo
-- Keeps a picture. The same one may be sent again: it is as new then, so that nobody lets it go meanwhile.
insert into bespeak.merchant_logo (digest, content, width, height, added_at)
values ($1, $2, $3, $4, bespeak.now())
on conflict (digest) do update set added_at = excluded.added_at

-- name: logo
-- A picture.
select l.content, l.width, l.height from bespeak.merchant_logo l where l.digest = $1

-- name: drop_logos
-- Lets pictures go that no merchant shows any more, 90 days after they were sent: mails show them.
delete from bespeak.merchant_logo l
where l.added_at < bespeak.now() - interval '90 days'
    and not exists (select from bespeak.merchant m where m.profile ->> 'logo' = l.digest)
