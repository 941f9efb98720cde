-- Who sells: the profile of a workspace's merchant, with its logos, the terms that buyers were asked to
-- accept, and who accepted which.

-- One for each workspace. The profile is read and written as a whole; `version` rises with each change, so
-- that of two who change it at once the second is told.
create table bespeak.merchant (
    workspace text primary key,
    version integer not null check (version > 0),
    profile jsonb not null check (jsonb_typeof(profile) = 'object'),
    changed_at timestamptz not null
);

-- Pictures, by the digest of their bytes: an address that was given out once shows the same picture for good.
create table bespeak.merchant_logo (
    digest text collate "C" primary key check (digest ~ '^[0-9a-f]{32}$'),
    content bytea not null check (octet_length(content) <= 1000000),
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    added_at timestamptz not null
);

-- Each wording of terms that buyers were asked to accept, by its digest. It stays when the merchant changes
-- the text, since consents name it.
create table bespeak.merchant_terms (
    digest text collate "C" primary key check (digest ~ '^[0-9a-f]{32}$'),
    wording jsonb not null,
    added_at timestamptz not null
);

-- That the owner of a hold accepted a wording, before the hold was confirmed or paid for. `resource_id` is
-- the home of the hold.
create table bespeak.consent (
    hold_id uuid not null,
    resource_id bigint not null,
    digest text collate "C" not null,
    consented_at timestamptz not null,
    primary key (hold_id, digest)
);
