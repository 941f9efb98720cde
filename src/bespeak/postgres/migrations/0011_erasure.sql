-- The erasure of an owner's personal data, turn by turn, and what is left of it: a record without a name.

-- An owner whose data are erased. Who that is, and by which pseudonym they are replaced, stands here only
-- while it runs: when it is done, no row says which pseudonym was whose. `owner_hash` is salted (see
-- bespeak.erasure_digest), so that a repeat is recognised and a restored backup can be gone through again.
-- The place where the next turn begins commits with the turn before it; `waiting` counts the holds of this
-- pass whose money was moving, and `kept` what was confirmed after it began and is new business.
create table bespeak.erasure (
    erasure_id uuid primary key,
    owner_hash bytea not null,
    owner text,
    pseudonym text,
    including_upcoming boolean not null,
    state text not null check (state in ('running', 'done')),
    phase text not null default 'held' check (phase in ('held', 'booked', 'rest')),
    after_at timestamptz not null default '-infinity',
    after_resource bigint not null default 0,
    after_hold uuid not null default '00000000-0000-0000-0000-000000000000',
    waiting integer not null default 0,
    due_at timestamptz,
    asked_by text not null,
    holds integer not null default 0,
    holds_released integer not null default 0,
    bookings integer not null default 0,
    payments integer not null default 0,
    mails_dropped integer not null default 0,
    kept integer not null default 0,
    -- The caller's key may name the owner as well: only its digest is kept.
    key_digest bytea,
    fingerprint bytea not null,
    begun_at timestamptz not null,
    ended_at timestamptz,
    constraint erasure_names_somebody_while_it_runs check (
        (state = 'running') = (owner is not null) and (owner is null) = (pseudonym is null)),
    constraint erasure_due_while_it_runs check ((state = 'running') = (due_at is not null)),
    constraint erasure_ended_unless_running check ((state = 'running') = (ended_at is null))
) with (fillfactor = 70);

-- One at a time of an owner: who asks at the same instant is answered with the same.
create unique index erasure_running on bespeak.erasure (owner_hash) where state = 'running';
create index erasure_of_owner on bespeak.erasure (owner_hash, begun_at desc);
create unique index erasure_once on bespeak.erasure (key_digest) where key_digest is not null;
create index erasure_due on bespeak.erasure (due_at) where state = 'running';
create index erasure_begun on bespeak.erasure (begun_at, erasure_id);

-- The idempotency keys of holds that were erased, each as a digest of its owner and itself that leads to
-- no hold: a late repeat must not place again, for the same person, what was erased.
create table bespeak.erased_key (
    digest bytea primary key,
    erased_at timestamptz not null
);

-- The salt is made now, so that every backup from here on has the one that the records were made with.
insert into bespeak.secret (name, value)
values ('erasure', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

alter table bespeak.event
    drop constraint event_kind_check,
    add constraint event_kind_check check (kind in ('created', 'changed', 'held', 'extended',
        'confirmed', 'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided', 'payment_late',
        'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased'));
