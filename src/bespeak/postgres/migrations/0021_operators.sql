-- Operators: the people at the console, how they prove who they are, and their sessions.

-- A person who works at the console. What they may is said by the role, whose scopes the program
-- knows; where it is bound, by the same words as a key.
create table bespeak.operator (
    operator_id text primary key,
    -- What they type to log in, in lower case: a name or an e-mail address.
    login text not null unique,
    name text not null,
    role text not null check (role in ('owner', 'manager', 'seller', 'door', 'viewer')),
    resources text[],
    place text,
    -- `invited` has not proved anything yet and cannot log in.
    state text not null default 'invited' check (state in ('invited', 'active', 'disabled')),
    password_hash text,
    -- The secret of the authenticator app, encrypted; the step of the last code that was taken, so
    -- that no code is good twice; and a new secret that waits for its first code.
    totp_secret bytea,
    totp_step bigint not null default 0,
    totp_pending bytea,
    -- Wrong codes since the time when the first of them came.
    wrong_codes integer not null default 0 check (wrong_codes >= 0),
    wrong_since timestamptz,
    created_at timestamptz not null default bespeak.now(),
    disabled_at timestamptz,
    constraint operator_bound_once check (num_nonnulls(resources, place) <= 1),
    constraint operator_bound_to_something check (resources <> '{}'),
    constraint operator_owner_is_unbound check (role <> 'owner' or num_nonnulls(resources, place) = 0),
    constraint operator_disabled_has_time check ((state = 'disabled') = (disabled_at is not null))
);

-- Of the last owner that is left: they are counted, in one order, whenever one is to go.
create index operator_owner on bespeak.operator (operator_id) where role = 'owner' and state = 'active';

-- A passkey of an operator.
create table bespeak.operator_passkey (
    passkey_id text primary key,
    operator_id text not null references bespeak.operator on delete cascade,
    credential_id bytea not null unique,
    public_key bytea not null,
    sign_count bigint not null check (sign_count >= 0),
    transports text[] not null default '{}',
    name text not null,
    created_at timestamptz not null default bespeak.now(),
    last_used_at timestamptz
);
create index operator_passkey_of on bespeak.operator_passkey (operator_id);

-- Codes for the day on which the telephone is lost, each good once.
create table bespeak.operator_recovery_code (
    operator_id text not null references bespeak.operator on delete cascade,
    hash bytea not null,
    used_at timestamptz,
    primary key (operator_id, hash)
);

-- Links that are good once: with one, an operator sets up how to log in.
create table bespeak.operator_link (
    hash bytea primary key,
    operator_id text not null references bespeak.operator on delete cascade,
    purpose text not null check (purpose in ('invite', 'reset')),
    created_at timestamptz not null default bespeak.now(),
    expires_at timestamptz not null,
    used_at timestamptz
);
create index operator_link_of on bespeak.operator_link (operator_id);

-- A session of an operator. The cookie has a random text of which this is the hash. `proved_at` says
-- when its operator last proved who they are, and by what.
create table bespeak.operator_session (
    session_id text primary key,
    hash bytea not null unique,
    operator_id text not null references bespeak.operator on delete cascade,
    created_at timestamptz not null default bespeak.now(),
    last_seen_at timestamptz not null default bespeak.now(),
    expires_at timestamptz not null,
    ended_at timestamptz,
    proved_at timestamptz not null,
    proved_by text not null check (proved_by in ('passkey', 'code', 'password')),
    address text not null,
    agent text not null
);
create index operator_session_of on bespeak.operator_session (operator_id) where ended_at is null;

-- Challenges of passkeys that were answered, so that none is answered twice.
create table bespeak.operator_answered (
    hash bytea primary key,
    expires_at timestamptz not null
);
