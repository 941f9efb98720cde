-- Who may call: keys, secrets, and sessions that were ended.

-- Keys of the HTTP API, stored as SHA-256 only.
create table bespeak.api_key (
    key_id text primary key,
    kind text not null check (kind in ('publishable', 'secret', 'admin')),
    name text not null,
    hash bytea not null unique,
    ending text not null,
    created_at timestamptz not null default bespeak.now(),
    revoked_at timestamptz
);

-- Secrets that the installation made for itself (the signing key of shopper tokens).
create table bespeak.secret (
    name text primary key,
    value bytea not null,
    created_at timestamptz not null default bespeak.now()
);

-- Sessions of operators at the console that were ended before their time. A session is a signed cookie;
-- this is why a copy of it is good for nothing after the logout.
create table bespeak.ended_session (
    session_id text primary key,
    expires_at timestamptz not null
);
