-- Waitlists: who would take what comes back, in which order, and what was offered to whom.

-- What comes back of it is kept for those who wait: guests hold nothing of it. A change of it is a new
-- version, against which each hold is compared.
alter table bespeak.resource add column kept_for_waitlist boolean not null default false;

-- One list, for one resource or for several that are dates of one thing. `wakes` counts what may have
-- changed who can be served, and `matched_wakes` is how far that was looked at; `horizon` the same for
-- the feed.
create table bespeak.waitlist (
    waitlist_id uuid primary key,
    workspace text not null,
    state text not null check (state in ('open', 'closed', 'ended')),
    policy text not null check (policy in ('strict', 'best_fit', 'lottery')),
    window_size integer not null check (window_size between 1 and 200),
    passes_max integer check (passes_max between 0 and 1000),
    decide_seconds integer not null check (decide_seconds between 60 and 86400),
    owner_entries_max integer not null check (owner_entries_max between 1 and 100),
    entries_max integer not null check (entries_max between 1 and 1000000),
    party_max integer not null check (party_max between 1 and 1000),
    freed_goes_to text not null check (freed_goes_to in ('waitlist', 'anyone')),
    next_place bigint not null default 1,
    wakes bigint not null default 1,
    matched_wakes bigint not null default 0,
    horizon bigint not null default 0,
    version integer not null default 1,
    created_at timestamptz not null,
    updated_at timestamptz not null
);
create index waitlist_of_workspace on bespeak.waitlist (workspace, created_at desc, waitlist_id);

-- A resource is of one list at most, so that what comes back has one line before it.
create table bespeak.waitlist_resource (
    resource_id bigint primary key,
    waitlist_id uuid not null
);
create index waitlist_resource_of_list on bespeak.waitlist_resource (waitlist_id, resource_id);

-- A party that waits. `draw` is its lot, `passed` how often somebody behind it was served before it.
create table bespeak.waitlist_entry (
    entry_id uuid primary key,
    waitlist_id uuid not null,
    place bigint not null,
    draw double precision not null default random(),
    owner text not null,
    contact jsonb,
    wish jsonb not null,
    resources bigint[] not null,
    party integer not null check (party > 0),
    state text not null check (state in ('waiting', 'offered', 'accepted', 'withdrawn', 'over')),
    reason text check (reason in ('declined', 'lapsed', 'until', 'list_ended')),
    offers integer not null default 0,
    offers_max integer not null check (offers_max between 1 and 10),
    passed integer not null default 0,
    until timestamptz,
    idempotency_key text,
    fingerprint bytea,
    created_at timestamptz not null,
    ended_at timestamptz,
    unique (waitlist_id, place),
    constraint waitlist_entry_over_for_a_reason check ((state = 'over') = (reason is not null)),
    constraint waitlist_entry_ends check ((state in ('waiting', 'offered')) = (ended_at is null))
);
-- Who waits, in the order of either policy.
create index waitlist_entry_waiting on bespeak.waitlist_entry (waitlist_id, place) where state = 'waiting';
create index waitlist_entry_lots on bespeak.waitlist_entry (waitlist_id, draw, place) where state = 'waiting';
create index waitlist_entry_until on bespeak.waitlist_entry (until) where state = 'waiting';
create index waitlist_entry_of_owner on bespeak.waitlist_entry (owner, created_at desc, entry_id);
create index waitlist_entry_ended on bespeak.waitlist_entry (ended_at) where ended_at is not null;
create unique index waitlist_entry_key on bespeak.waitlist_entry (waitlist_id, owner, idempotency_key);

-- What was offered: a hold, which alone says whose it is and until when. An entry has at most one offer
-- that stands, and a hold is offered once.
create table bespeak.waitlist_offer (
    entry_id uuid not null,
    number integer not null check (number > 0),
    hold_id uuid not null unique,
    state text not null check (state in ('standing', 'accepted', 'declined', 'lapsed', 'withdrawn')),
    offered_at timestamptz not null,
    ends_at timestamptz not null,
    taken_up_at timestamptz,
    ended_at timestamptz,
    primary key (entry_id, number),
    constraint waitlist_offer_ends check ((state = 'standing') = (ended_at is null))
);
create unique index waitlist_offer_standing on bespeak.waitlist_offer (entry_id) where state = 'standing';

-- What an entry is written about: that it waits, that something is offered, that it waits no more. A mail is
-- its own job, claimed with a lease; who it goes to stands with the entry alone.
create table bespeak.waitlist_mail (
    mail_id uuid primary key,
    entry_id uuid not null,
    kind text not null check (kind in ('joined', 'offered', 'over')),
    number integer not null,
    state text not null default 'pending' check (state in ('pending', 'sent', 'failed', 'dropped')),
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz,
    failure text,
    unique (entry_id, kind, number),
    constraint waitlist_mail_pending_is_due check ((state = 'pending') = (due_at is not null)),
    constraint waitlist_mail_ended_unless_pending check ((state = 'pending') = (ended_at is null))
);
create index waitlist_mail_due on bespeak.waitlist_mail (due_at) where state = 'pending';

alter table bespeak.event
    drop constraint event_kind_check,
    add constraint event_kind_check check (kind in ('created', 'changed', 'held', 'extended',
        'confirmed', 'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided', 'payment_late',
        'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased', 'vacated',
        'moved', 'waitlist_joined', 'waitlist_offered', 'waitlist_accepted', 'waitlist_declined',
        'waitlist_lapsed', 'waitlist_left'));
