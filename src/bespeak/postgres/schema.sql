-- Types, tables and indexes as the migrations leave them. Written by `make schema`.

CREATE TABLE bespeak.migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY bespeak.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

CREATE TABLE bespeak.vertical_migration (
    vertical text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT vertical_migration_number_check CHECK ((number > 0)),
    CONSTRAINT vertical_migration_vertical_check CHECK ((vertical ~ '^[a-z][a-z0-9_]{0,39}$'::text))
);

ALTER TABLE ONLY bespeak.vertical_migration
    ADD CONSTRAINT vertical_migration_pkey PRIMARY KEY (vertical, number);

CREATE TABLE bespeak.function_file (
    path text NOT NULL,
    checksum text NOT NULL,
    makes text[] NOT NULL,
    program text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY bespeak.function_file
    ADD CONSTRAINT function_file_pkey PRIMARY KEY (path);

-- The only clock of the engine. Tests move it with `set bespeak.now = '...'`;
-- everyone else reads the wall clock of the database, never a client's.
CREATE FUNCTION bespeak.now() RETURNS timestamp with time zone
    LANGUAGE sql PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('bespeak.now', true), '')::timestamptz,
        clock_timestamp())
$$;

-- Numbers the changes of plans, over all resources. It begins after 1, so that `last_value` is the
-- last number that was given out.
CREATE SEQUENCE bespeak.plan_changes
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE bespeak.resource (
    resource_id bigint NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    plan jsonb NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    plan_changed bigint DEFAULT 0 NOT NULL,
    state text DEFAULT 'open'::text NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    opens_at timestamp with time zone,
    closes_at timestamp with time zone,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    hold_seconds integer DEFAULT 600 NOT NULL,
    hold_seconds_max integer DEFAULT 1800 NOT NULL,
    owner_limit integer,
    payment text DEFAULT 'none'::text NOT NULL,
    payment_seconds integer DEFAULT 900 NOT NULL,
    late_payment text DEFAULT 'same_units'::text NOT NULL,
    price_amount bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    pricing jsonb,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    updated_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    workspace text DEFAULT 'default'::text NOT NULL,
    published boolean DEFAULT true NOT NULL,
    translations jsonb DEFAULT '[]'::jsonb NOT NULL,
    questions jsonb DEFAULT '[]'::jsonb NOT NULL,
    kept_for_waitlist boolean DEFAULT false NOT NULL,
    CONSTRAINT resource_attributes_check CHECK ((jsonb_typeof(attributes) = 'object'::text)),
    CONSTRAINT resource_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT resource_ends_only_with_a_start CHECK (((ends_at IS NULL) OR (starts_at IS NOT NULL))),
    CONSTRAINT resource_hold_seconds_check CHECK (((hold_seconds >= 1) AND (hold_seconds <= 86400))),
    CONSTRAINT resource_hold_seconds_max_check CHECK ((hold_seconds_max <= 604800)),
    CONSTRAINT resource_hold_seconds_within_max CHECK ((hold_seconds_max >= hold_seconds)),
    CONSTRAINT resource_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_-]{0,39}$'::text)),
    CONSTRAINT resource_late_payment_check CHECK ((late_payment = ANY (ARRAY['same_units'::text, 'equal_offer'::text, 'refund'::text]))),
    CONSTRAINT resource_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT resource_opens_before_it_closes CHECK (((opens_at IS NULL) OR (closes_at IS NULL) OR (opens_at < closes_at))),
    CONSTRAINT resource_owner_limit_check CHECK (((owner_limit >= 1) AND (owner_limit <= 1000000))),
    CONSTRAINT resource_payment_check CHECK ((payment = ANY (ARRAY['none'::text, 'required'::text, 'at_venue'::text]))),
    CONSTRAINT resource_payment_seconds_check CHECK (((payment_seconds >= 60) AND (payment_seconds <= 86400))),
    CONSTRAINT resource_plan_check CHECK ((jsonb_typeof(plan) = 'object'::text)),
    CONSTRAINT resource_price_amount_check CHECK (((price_amount >= 0) AND (price_amount <= '1000000000000'::bigint))),
    CONSTRAINT resource_pricing_check CHECK ((jsonb_typeof(pricing) = 'object'::text)),
    CONSTRAINT resource_questions_are_a_list CHECK ((jsonb_typeof(questions) = 'array'::text)),
    CONSTRAINT resource_resource_id_check CHECK (((resource_id >= 1) AND (resource_id <= '1099511627775'::bigint))),
    CONSTRAINT resource_starts_before_it_ends CHECK (((starts_at IS NULL) OR (ends_at IS NULL) OR (starts_at < ends_at))),
    CONSTRAINT resource_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT resource_translations_are_a_list CHECK ((jsonb_typeof(translations) = 'array'::text)),
    CONSTRAINT resource_version_check CHECK ((version > 0))
);

ALTER TABLE ONLY bespeak.resource
    ADD CONSTRAINT resource_pkey PRIMARY KEY (resource_id);

CREATE INDEX resource_starts ON bespeak.resource USING btree (COALESCE(starts_at, 'infinity'::timestamp with time zone), resource_id);

CREATE INDEX resource_named ON bespeak.resource USING btree (name, resource_id);

-- A taken unit. The primary key is promise 1: one row a unit, so one holder an instant.
-- No index on hold_id: a hold knows its own units, so every verb comes by primary key, and a
-- change of expires_at stays on its page (HOT) because no index covers it; hence the fill factor.
CREATE TABLE bespeak.claim (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    hold_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    taken_from uuid
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (resource_id, unit);

-- A counted unit. The CHECK is promise 1 for pools. A pool of which nothing was ever drawn has no
-- row: the plan tells its capacity. lapses_at is never later than the earliest lapse among its
-- timed draws, so that a sold-out pool is searched for lapsed draws only when there may be one.
CREATE TABLE bespeak.pool (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    capacity integer NOT NULL,
    taken integer NOT NULL,
    lapses_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT pool_taken_within_capacity CHECK (((taken >= 0) AND (taken <= capacity)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.pool
    ADD CONSTRAINT pool_pkey PRIMARY KEY (resource_id, unit);

CREATE TABLE bespeak.draw (
    resource_id bigint NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    hold_id uuid NOT NULL,
    quantity integer NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT draw_quantity_check CHECK ((quantity > 0))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.draw
    ADD CONSTRAINT draw_pkey PRIMARY KEY (resource_id, unit, hold_id);

-- How far the numbers of a resource with tickets were given out: `last` is the highest that was,
-- whatever became of it. The row is locked while numbers are given, so that their order is the
-- order of the commits; `serving` is the number that is being served, as the operator says.
CREATE TABLE bespeak.counter (
    resource_id bigint NOT NULL,
    last integer NOT NULL,
    serving integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.counter
    ADD CONSTRAINT counter_pkey PRIMARY KEY (resource_id);

-- A seat that a hold must not leave single: `unit` is beside the hold's seats, `beyond` is its other
-- neighbour (null: a wall or an aisle), and seat_row names the stretch of seats that is locked.
CREATE TYPE bespeak.seat_guard AS (
	resource_id bigint,
	seat_row text,
	unit text,
	beyond text
);

-- One request. Lines are parallel arrays; the first line's resource is the home. A null quantity
-- claims an exclusive unit; a quantity draws from a pool whose capacity the plan says; a null unit
-- asks for the next number of a resource with tickets. The last limit_lines lines are draws from
-- the owner's limits, pools like any other. shown_quantities, `shown`, amounts and `quote` are stored
-- with the hold. `presale` are the resources that it may hold before they open.
CREATE TYPE bespeak.hold_request AS (
	hold_id uuid,
	owner text,
	hold_seconds integer,
	cap_seconds integer,
	idempotency_key text,
	fingerprint bytea,
	resources bigint[],
	units text[],
	quantities integer[],
	capacities integer[],
	limit_lines integer,
	amount bigint,
	currency text,
	shown_quantities integer[],
	shown text,
	guards bespeak.seat_guard[],
	amounts bigint[],
	quote text,
	presale bigint[],
	actor text
);

-- A hold at its home, the resource of its first line, with its own lines: three arrays of one
-- length. A null quantity marks an exclusive unit (a claim), a number a draw from a pool; the last
-- limit_lines lines are the draws from the owner's limits and are not shown outside.
-- The price was frozen when the hold was placed. Where the lines that are shown outside are not
-- simply the claims (a stay is one line and seven nights), `shown` has them, each with its claims
-- and its weight in an owner's limit, and shown_quantities how many each of them is of.
-- Of what costs anything, `amounts` says what each shown line does, and `quote` the parts of the
-- price, the list prices and the terms of cancellation, where there is more to say than these.
-- The currency is not checked again: it is the resource's, and the check cost 5% of a hold.
CREATE TABLE bespeak.hold (
    resource_id bigint NOT NULL,
    hold_id uuid NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    resources bigint[] NOT NULL,
    units text[] NOT NULL,
    quantities integer[] NOT NULL,
    limit_lines smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    extends_until timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    idempotency_key text,
    fingerprint bytea,
    amount bigint DEFAULT 0 NOT NULL,
    currency text DEFAULT 'EUR'::text NOT NULL,
    shown_quantities integer[],
    shown jsonb,
    amounts bigint[],
    quote jsonb,
    plans_seen bigint DEFAULT 0 NOT NULL,
    placed_by text,
    ended_by text,
    exchange jsonb,
    CONSTRAINT hold_amount_check CHECK ((amount >= 0)),
    CONSTRAINT hold_ended_unless_held CHECK (((state = 'held'::text) = (ended_at IS NULL))),
    CONSTRAINT hold_expires_within_its_cap CHECK ((expires_at <= extends_until)),
    CONSTRAINT hold_shown_with_quantities CHECK (((shown IS NULL) = (shown_quantities IS NULL))),
    CONSTRAINT hold_state_check CHECK ((state = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (resource_id, hold_id);

-- Promise 5: the key commits with its effect. Keys are the owner's, wherever the hold is stored: a
-- repeat whose lines come in another order, or are of another resource, must find the hold.
CREATE TABLE bespeak.hold_key (
    owner text NOT NULL,
    idempotency_key text NOT NULL,
    resource_id bigint NOT NULL,
    hold_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.hold_key
    ADD CONSTRAINT hold_key_pkey PRIMARY KEY (owner, idempotency_key);

-- The sweeper asks which holds are due, over all resources; a hold leaves the index when it ends.
CREATE INDEX hold_due ON bespeak.hold USING btree (expires_at) WHERE (state = 'held'::text);

-- One request to change a hold or booking. A null owner is a trusted caller (the operator's server).
-- The lines are claims to give back, of a cancellation in part. Where the hold shows other lines
-- than its claims, shown_lines are the places of those (from 1) that the claims stand for, with how
-- many of each, and the claims name the draws from the owner's limits as well.
-- refund_amount is what a cancellation gives back (null: no money moves), computed when the booking's
-- `cancelled` was expected_cancelled; called_off is the resource that was, if that is why.
CREATE TYPE bespeak.change_request AS (
	hold_id uuid,
	home bigint,
	owner text,
	idempotency_key text,
	fingerprint bytea,
	seconds integer,
	reason text,
	resources bigint[],
	units text[],
	quantities integer[],
	shown_lines integer[],
	shown_quantities integer[],
	contact jsonb,
	refund_amount bigint,
	expected_cancelled integer[],
	called_off bigint,
	of_shopper boolean,
	actor text,
	known_units text[]
);

-- What a confirmed hold becomes, under the same UUID. Its lines are the hold's; cancelled counts,
-- line by line, how much of each was given back (null until the first cancellation), and
-- cancelled_shown the same of the lines that are shown outside, where those are others.
CREATE TABLE bespeak.booking (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    owner text NOT NULL,
    state text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    cancelled integer[],
    confirmed_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone,
    reason text,
    cancelled_shown integer[],
    contact jsonb,
    CONSTRAINT booking_amount_check CHECK ((amount >= 0)),
    CONSTRAINT booking_cancelled_at_some_time CHECK (((state = 'cancelled'::text) <= (cancelled_at IS NOT NULL))),
    CONSTRAINT booking_state_check CHECK ((state = ANY (ARRAY['confirmed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY bespeak.booking
    ADD CONSTRAINT booking_pkey PRIMARY KEY (resource_id, booking_id);

-- The bookings of an owner, and those of all, latest first. They are written when a hold is confirmed,
-- not when it is placed; the second one only ever grows at its right edge.
CREATE INDEX booking_of_owner ON bespeak.booking USING btree (owner, confirmed_at DESC, booking_id DESC);

CREATE INDEX booking_confirmed ON bespeak.booking USING btree (confirmed_at, booking_id);

-- The words by which an operator finds the booking of somebody at the door. The contact stands with the
-- booking, or with what it was paid by.
CREATE FUNCTION bespeak.contact_words(contact jsonb) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
    select to_tsvector('simple', concat_ws(' ', contact ->> 'name', contact ->> 'email'))
        || case when contact ? 'phone' then array_to_tsvector(array(
            select substr(d.digits, n)
            from (select regexp_replace(contact ->> 'phone', '[^0-9]', '', 'g')) as d(digits)
            cross join generate_series(1, greatest(1, length(d.digits) - 2)) as n
            where d.digits <> '')) else '' end
$$;

CREATE INDEX booking_contact ON bespeak.booking USING gin (bespeak.contact_words(contact)) WHERE (contact IS NOT NULL);

-- Units that the operator took out of sale. Its claims and draws carry block_id and never expire.
-- `source` is the UID of the calendar entry that it was imported from.
CREATE TABLE bespeak.block (
    resource_id bigint NOT NULL,
    block_id uuid NOT NULL,
    reason text NOT NULL,
    units text[] NOT NULL,
    quantities integer[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    lifted_at timestamp with time zone,
    source text
);

ALTER TABLE ONLY bespeak.block
    ADD CONSTRAINT block_pkey PRIMARY KEY (resource_id, block_id);

-- A calendar that is imported again, or twice at once, blocks each of its entries once.
CREATE UNIQUE INDEX block_once ON bespeak.block USING btree (resource_id, source) WHERE ((source IS NOT NULL) AND (lifted_at IS NULL));

-- Which key was answered with which hold, booking or block, for every verb but placing (a hold
-- keeps its own key). It commits with the effect of the verb.
CREATE TABLE bespeak.answer (
    resource_id bigint NOT NULL,
    owner text NOT NULL,
    verb text NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL,
    subject uuid NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    CONSTRAINT answer_verb_check CHECK ((verb = ANY (ARRAY['confirm'::text, 'release'::text, 'extend'::text, 'cancel'::text, 'block'::text, 'unblock'::text, 'create'::text, 'move'::text])))
);

ALTER TABLE ONLY bespeak.answer
    ADD CONSTRAINT answer_pkey PRIMARY KEY (resource_id, owner, verb, idempotency_key);

CREATE SEQUENCE bespeak.event_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- How far a durable follower has read. It moves in the transaction that writes what follows from the
-- events: none is lost, none is handled twice.
CREATE TABLE bespeak.follower (
    name text NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.follower
    ADD CONSTRAINT follower_pkey PRIMARY KEY (name);

-- A payment of one hold, at the hold's home. The amount is the hold's, frozen; no client names it.
-- `step` is what comes next: `authorize` (asked, or to be asked again), `await` (the buyer or the
-- provider is at it: look), `capture`, `void` (its hold is lost), `offer` (find an equal one for late
-- money), `check` (it failed for us; look once more whether money came after all).
CREATE TABLE bespeak.payment (
    resource_id bigint NOT NULL,
    payment_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    owner text NOT NULL,
    provider text NOT NULL,
    state text NOT NULL,
    step text,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    refunding bigint DEFAULT 0 NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    token text,
    return_url text,
    reference text,
    action_url text,
    failure text,
    late text,
    contact jsonb,
    idempotency_key text,
    fingerprint bytea,
    window_ends_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    authorized_at timestamp with time zone,
    captured_at timestamp with time zone,
    ended_at timestamp with time zone,
    captured bigint DEFAULT 0 NOT NULL,
    captured_currency text,
    begun_by text,
    CONSTRAINT payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT payment_captured_at_some_time CHECK (((state = 'captured'::text) <= (captured_at IS NOT NULL))),
    CONSTRAINT payment_captured_check CHECK ((captured >= 0)),
    CONSTRAINT payment_captured_in_a_currency CHECK (((state = ANY (ARRAY['captured'::text, 'refunded'::text])) <= (captured_currency IS NOT NULL))),
    CONSTRAINT payment_late_check CHECK ((late = ANY (ARRAY['same_units'::text, 'equal_offer'::text, 'refund'::text]))),
    CONSTRAINT payment_refunds_within_amount CHECK (((0 <= refunded) AND (refunded <= refunding) AND (refunding <=
CASE
    WHEN (captured_currency IS NULL) THEN amount
    ELSE captured
END))),
    CONSTRAINT payment_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'refunded'::text, 'failed'::text, 'voided'::text]))),
    CONSTRAINT payment_step_check CHECK ((step = ANY (ARRAY['authorize'::text, 'await'::text, 'capture'::text, 'void'::text, 'offer'::text, 'check'::text]))),
    CONSTRAINT payment_step_is_due CHECK (((step IS NULL) = (due_at IS NULL)))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.payment
    ADD CONSTRAINT payment_pkey PRIMARY KEY (resource_id, payment_id);

-- A hold is paid once: while one payment is under way or has paid, no other begins. Money that is on
-- its way back pays for nothing.
CREATE UNIQUE INDEX payment_live ON bespeak.payment USING btree (resource_id, hold_id) WHERE ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text])) AND (late IS DISTINCT FROM 'refund'::text));

-- Promise 5: the key commits with its effect.
CREATE UNIQUE INDEX payment_once ON bespeak.payment USING btree (resource_id, owner, idempotency_key) WHERE (idempotency_key IS NOT NULL);

-- The recovery asks which steps are due; a payment at rest is not in it.
CREATE INDEX payment_due ON bespeak.payment USING btree (due_at) WHERE (step IS NOT NULL);

-- What a booking was paid by, also when it was given back since.
CREATE INDEX payment_of_hold ON bespeak.payment USING btree (hold_id);

-- Which payments began in a time. They come in that order, so that a few blocks are looked at, and the
-- index costs a payment next to nothing.
CREATE INDEX payment_created ON bespeak.payment USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX payment_contact ON bespeak.payment USING gin (bespeak.contact_words(contact)) WHERE (contact IS NOT NULL);

-- One payment to begin. A null owner is a trusted caller. The amount is the hold's.
CREATE TYPE bespeak.payment_request AS (
	payment_id uuid,
	home bigint,
	hold_id uuid,
	owner text,
	provider text,
	token text,
	return_url text,
	contact jsonb,
	idempotency_key text,
	fingerprint bytea,
	lease_seconds integer,
	actor text
);

-- What a provider tells of a payment. `missing`: it does not know it.
CREATE TYPE bespeak.settle_request AS (
	payment_id uuid,
	home bigint,
	standing text,
	reference text,
	amount bigint,
	currency text,
	action_url text,
	failure text,
	again_seconds integer,
	actor text
);

-- Which callbacks came, each once, and what became of them: for repeats, and for people who look.
CREATE TABLE bespeak.payment_callback (
    provider text NOT NULL,
    callback_id text NOT NULL,
    kind text NOT NULL,
    payment_id uuid,
    outcome text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_callback_outcome_check CHECK ((outcome = ANY (ARRAY['settled'::text, 'unknown'::text, 'mismatch'::text])))
);

ALTER TABLE ONLY bespeak.payment_callback
    ADD CONSTRAINT payment_callback_pkey PRIMARY KEY (provider, callback_id);

-- Money to be given back, each once: refund_id is the idempotency key with the provider.
CREATE TABLE bespeak.refund (
    resource_id bigint NOT NULL,
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    hold_id uuid NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    cause text NOT NULL,
    state text NOT NULL,
    failure text,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    called_off bigint,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    begun_by text,
    CONSTRAINT refund_amount_check CHECK ((amount > 0)),
    CONSTRAINT refund_cause_check CHECK ((cause = ANY (ARRAY['cancelled'::text, 'called_off'::text, 'late'::text, 'mismatch'::text]))),
    CONSTRAINT refund_ended_unless_pending CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT refund_pending_is_due CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT refund_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'refunded'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.refund
    ADD CONSTRAINT refund_pkey PRIMARY KEY (resource_id, refund_id);

CREATE INDEX refund_due ON bespeak.refund USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX refund_of_payment ON bespeak.refund USING btree (payment_id);

CREATE INDEX refund_called_off ON bespeak.refund USING btree (called_off) WHERE (called_off IS NOT NULL);

-- What failed and waits for a person: rare, so these are all but empty.
CREATE INDEX refund_failed ON bespeak.refund USING btree (created_at) WHERE (state = 'failed'::text);

-- What a provider tells of a refund: pending, refunded, failed.
CREATE TYPE bespeak.refund_report AS (
	refund_id uuid,
	home bigint,
	standing text,
	failure text,
	actor text
);

-- A resource that was called off: its holds are released and its bookings cancelled, batch by batch in
-- the order of the claims and then of the draws. The place where the next batch begins is written in
-- the transaction of the one before, so that whoever goes on misses none and does none twice.
CREATE TABLE bespeak.cancellation (
    resource_id bigint NOT NULL,
    reason text NOT NULL,
    refund text NOT NULL,
    state text NOT NULL,
    phase text NOT NULL,
    after_unit text NOT NULL COLLATE pg_catalog."C",
    after_hold uuid NOT NULL,
    bookings_total integer NOT NULL,
    bookings_done integer DEFAULT 0 NOT NULL,
    holds_released integer DEFAULT 0 NOT NULL,
    idempotency_key text,
    fingerprint bytea NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    begun_by text,
    CONSTRAINT cancellation_ended_unless_running CHECK (((state = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT cancellation_phase_check CHECK ((phase = ANY (ARRAY['claims'::text, 'draws'::text]))),
    CONSTRAINT cancellation_refund_check CHECK ((refund = ANY (ARRAY['full'::text, 'policy'::text]))),
    CONSTRAINT cancellation_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'reopened'::text])))
);

ALTER TABLE ONLY bespeak.cancellation
    ADD CONSTRAINT cancellation_pkey PRIMARY KEY (resource_id);

CREATE INDEX cancellation_running ON bespeak.cancellation USING btree (begun_at) WHERE (state = 'running'::text);

-- A run over a half-open time of a provider's payments. The background worker begins the run of a day
-- by inserting its row; due_at is when another takes it over, should it die or find the provider away.
CREATE TABLE bespeak.reconciliation (
    provider text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    state text NOT NULL,
    due_at timestamp with time zone,
    tries integer DEFAULT 1 NOT NULL,
    ours bigint DEFAULT 0 NOT NULL,
    theirs bigint DEFAULT 0 NOT NULL,
    unsettled bigint DEFAULT 0 NOT NULL,
    differences bigint DEFAULT 0 NOT NULL,
    report jsonb,
    failure text,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT reconciliation_due_unless_done CHECK (((state = 'done'::text) = (due_at IS NULL))),
    CONSTRAINT reconciliation_ended_if_done CHECK (((state = 'done'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT reconciliation_since_before_until CHECK ((since < until)),
    CONSTRAINT reconciliation_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);

ALTER TABLE ONLY bespeak.reconciliation
    ADD CONSTRAINT reconciliation_pkey PRIMARY KEY (provider, since, until);

-- A ticket that was used: of which booking (stored at its home), to what it admitted, where and when.
-- recorded_at is when the database heard of it, later than checked_in_at where a gate was offline.
CREATE TABLE bespeak.check_in (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    ticket integer NOT NULL,
    admitted_to bigint NOT NULL,
    unit text,
    gate text,
    checked_in_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    idempotency_key text,
    fingerprint bytea,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    CONSTRAINT check_in_before_it_is_recorded CHECK ((checked_in_at <= recorded_at)),
    CONSTRAINT check_in_ticket_check CHECK ((ticket > 0))
);

ALTER TABLE ONLY bespeak.check_in
    ADD CONSTRAINT check_in_pkey PRIMARY KEY (resource_id, booking_id, ticket);

-- Promise 5: the key commits with its effect.
CREATE UNIQUE INDEX check_in_once ON bespeak.check_in USING btree (resource_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

-- The list of who is in, newest first.
CREATE INDEX check_in_of_resource ON bespeak.check_in USING btree (admitted_to, "position");

-- One scan. What it admits to and the unit come from the signed code.
CREATE TYPE bespeak.check_in_request AS (
	booking_id uuid,
	ticket integer,
	admitted_to bigint,
	unit text,
	gate text,
	scanned_at timestamp with time zone,
	idempotency_key text,
	fingerprint bytea,
	actor text
);

-- Where events are sent, and which (null: all). The old secret signs beside the new one for a while.
CREATE TABLE bespeak.webhook_endpoint (
    endpoint_id text NOT NULL,
    url text NOT NULL,
    kinds text[],
    resources bigint[],
    description text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_because text,
    disabled_at timestamp with time zone,
    failing_since timestamp with time zone,
    secret text NOT NULL,
    old_secret text,
    old_secret_until timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    outage_from timestamp with time zone,
    outage_until timestamp with time zone,
    workspace text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT webhook_endpoint_disabled_at_some_time CHECK (((disabled_because IS NULL) = (disabled_at IS NULL))),
    CONSTRAINT webhook_endpoint_disabled_because_check CHECK ((disabled_because = ANY (ARRAY['operator'::text, 'gone'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoint_disabled_for_a_reason CHECK ((enabled = (disabled_because IS NULL))),
    CONSTRAINT webhook_endpoint_old_secret_ends CHECK (((old_secret IS NULL) = (old_secret_until IS NULL))),
    CONSTRAINT webhook_endpoint_outage_has_both_ends CHECK (((outage_from IS NULL) = (outage_until IS NULL)))
)
WITH (fillfactor='50');

ALTER TABLE ONLY bespeak.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (endpoint_id);

-- An event for an endpoint, once: its position is a number that no other event has. The body is made
-- from the event when it is sent; a test has no event.
CREATE TABLE bespeak.webhook_delivery (
    endpoint_id text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    resource_id bigint NOT NULL,
    horizon bigint NOT NULL,
    kind text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    tried_at timestamp with time zone,
    status integer,
    answer text,
    failure text,
    leased boolean DEFAULT false NOT NULL,
    planned_at timestamp with time zone,
    CONSTRAINT webhook_delivery_pending_is_due CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02');

ALTER TABLE ONLY bespeak.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (endpoint_id, "position");

CREATE INDEX webhook_delivery_due ON bespeak.webhook_delivery USING btree (endpoint_id, due_at, "position") WHERE (state = 'pending'::text);

CREATE INDEX webhook_delivery_failed ON bespeak.webhook_delivery USING btree (created_at) WHERE (state = 'failed'::text);

-- A mail to the buyer about an event, once. A hold over several resources has an event for each, and
-- is written about once. Who it goes to stands with the payment or the booking, and nowhere else.
CREATE TABLE bespeak.mail (
    mail_id uuid NOT NULL,
    kind text NOT NULL,
    hold_id uuid NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint,
    at timestamp with time zone NOT NULL,
    data jsonb,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    failure text,
    occasion text,
    CONSTRAINT mail_ended_unless_pending CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT mail_kind_check CHECK ((kind = ANY (ARRAY['booking_confirmed'::text, 'booking_reminder'::text, 'booking_moved'::text, 'booking_cancelled'::text, 'payment_late'::text, 'payment_failed'::text, 'refunded'::text, 'mailing'::text]))),
    CONSTRAINT mail_pending_is_due CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT mail_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_hold_id_kind_horizon_key UNIQUE (hold_id, kind, horizon);

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_pkey PRIMARY KEY (mail_id);

ALTER TABLE ONLY bespeak.mail
    ADD CONSTRAINT mail_position_kind_key UNIQUE ("position", kind);

CREATE INDEX mail_due ON bespeak.mail USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX mail_failed ON bespeak.mail USING btree (created_at) WHERE (state = 'failed'::text);

-- What happened, by the minute: how many holds or bookings, how many units, how much money. The feed
-- has no index by time, and an operator's day may be a million events; so they are counted once, by a
-- follower that keeps its place with the counts, and a day is some thousand rows. Of `refunded` the
-- holds are counted whose money went back, of all others those to which it happened.
CREATE TABLE bespeak.minute_count (
    minute timestamp with time zone NOT NULL,
    what text NOT NULL,
    currency text NOT NULL,
    count bigint NOT NULL,
    units bigint NOT NULL,
    amount bigint NOT NULL,
    workspace text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT minute_count_what_check CHECK ((what = ANY (ARRAY['held'::text, 'confirmed'::text, 'released'::text, 'expired'::text, 'cancelled'::text, 'refunded'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.minute_count
    ADD CONSTRAINT minute_count_pkey PRIMARY KEY (minute, what, currency, workspace);

-- Requests for holds that were refused. A refusal leaves no other trace; each process counts its own
-- and adds them here every few seconds, so that one that is killed loses some seconds of its counts.
CREATE TABLE bespeak.refusal_count (
    minute timestamp with time zone NOT NULL,
    code text NOT NULL,
    count bigint NOT NULL,
    workspace text DEFAULT 'default'::text NOT NULL
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.refusal_count
    ADD CONSTRAINT refusal_count_pkey PRIMARY KEY (minute, code, workspace);

-- Keys of the HTTP API, stored as SHA-256 only.
CREATE TABLE bespeak.api_key (
    key_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    ending text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    revoked_at timestamp with time zone,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    resources text[],
    place text,
    expires_at timestamp with time zone,
    workspace text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT api_key_bound_is_restricted CHECK (((num_nonnulls(resources, place) = 0) OR ((kind = 'restricted'::text) AND (num_nonnulls(resources, place) = 1)))),
    CONSTRAINT api_key_bound_to_something CHECK ((resources <> '{}'::text[])),
    CONSTRAINT api_key_kind_check CHECK ((kind = ANY (ARRAY['publishable'::text, 'secret'::text, 'admin'::text, 'restricted'::text]))),
    CONSTRAINT api_key_restricted_has_scopes CHECK (((kind = 'restricted'::text) = (scopes <> '{}'::text[]))),
    CONSTRAINT api_key_scopes_known CHECK ((scopes <@ ARRAY['read'::text, 'sell'::text, 'check_in'::text, 'refund'::text, 'personal_data'::text, 'manage'::text, 'admin'::text]))
);

ALTER TABLE ONLY bespeak.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);

ALTER TABLE ONLY bespeak.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_id);

-- Secrets that the installation made for itself (the signing key of shopper tokens).
CREATE TABLE bespeak.secret (
    name text NOT NULL,
    value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL
);

ALTER TABLE ONLY bespeak.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

-- Sessions of operators at the console that were ended before their time. A session is a signed cookie;
-- this is why a copy of it is good for nothing after the logout.
CREATE TABLE bespeak.ended_session (
    session_id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.ended_session
    ADD CONSTRAINT ended_session_pkey PRIMARY KEY (session_id);

-- A payment as the bank has it. `outcome` is what the buyer's token asked for. An `unheard` order
-- reached the bank and was lost there: for whoever asks it does not exist, until it comes again.
-- `due_at` is when the bank decides a pending payment by itself.
CREATE TABLE bespeak.sandbox_payment (
    payment_id uuid NOT NULL,
    reference text NOT NULL,
    owner text NOT NULL,
    token text NOT NULL,
    outcome text NOT NULL,
    state text NOT NULL,
    failure text,
    amount bigint NOT NULL,
    currency text NOT NULL,
    refunding bigint DEFAULT 0 NOT NULL,
    refunded bigint DEFAULT 0 NOT NULL,
    has_refunds boolean DEFAULT false NOT NULL,
    description text NOT NULL,
    return_url text,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    captured bigint DEFAULT 0 NOT NULL,
    ordered jsonb,
    CONSTRAINT sandbox_payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT sandbox_payment_captured_so_much CHECK (((state = 'captured'::text) <= (captured > 0))),
    CONSTRAINT sandbox_payment_refunds_within_captured CHECK (((0 <= refunded) AND (refunded <= refunding) AND (refunding <= captured))),
    CONSTRAINT sandbox_payment_state_check CHECK ((state = ANY (ARRAY['unheard'::text, 'pending'::text, 'challenge'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.sandbox_payment
    ADD CONSTRAINT sandbox_payment_pkey PRIMARY KEY (payment_id);

ALTER TABLE ONLY bespeak.sandbox_payment
    ADD CONSTRAINT sandbox_payment_reference_key UNIQUE (reference);

-- What the bank has to decide next; of most payments nothing, so they are not in it.
CREATE INDEX sandbox_payment_due ON bespeak.sandbox_payment USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Reconciling reads the payments of a time, page by page.
CREATE INDEX sandbox_payment_created ON bespeak.sandbox_payment USING btree (created_at, payment_id);

-- Money that goes back, once for each id.
CREATE TABLE bespeak.sandbox_refund (
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    amount bigint NOT NULL,
    state text NOT NULL,
    failure text,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_refund_amount_check CHECK ((amount > 0)),
    CONSTRAINT sandbox_refund_state_check CHECK ((state = ANY (ARRAY['unheard'::text, 'pending'::text, 'refunded'::text, 'failed'::text])))
);

ALTER TABLE ONLY bespeak.sandbox_refund
    ADD CONSTRAINT sandbox_refund_pkey PRIMARY KEY (refund_id);

CREATE INDEX sandbox_refund_of_payment ON bespeak.sandbox_refund USING btree (payment_id);

CREATE INDEX sandbox_refund_due ON bespeak.sandbox_refund USING btree (due_at) WHERE (due_at IS NOT NULL);

-- What the bank is to tell by itself, or told: the outbox. `due_at` is null once it is told often
-- enough (`copies` are left), or given up. The amount is what the callback says, true or not.
CREATE TABLE bespeak.sandbox_callback (
    callback_id text NOT NULL,
    payment_id uuid NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    copies integer DEFAULT 1 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    delivered_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_callback_copies_check CHECK ((copies >= 0)),
    CONSTRAINT sandbox_callback_kind_check CHECK ((kind = ANY (ARRAY['payment.authorized'::text, 'payment.captured'::text, 'payment.failed'::text, 'payment.voided'::text, 'refund.refunded'::text])))
);

ALTER TABLE ONLY bespeak.sandbox_callback
    ADD CONSTRAINT sandbox_callback_pkey PRIMARY KEY (callback_id);

CREATE INDEX sandbox_callback_due ON bespeak.sandbox_callback USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX sandbox_callback_of_payment ON bespeak.sandbox_callback USING btree (payment_id);

-- Tokens that were made for one buyer, good for one payment.
CREATE TABLE bespeak.sandbox_token (
    token text NOT NULL,
    owner text NOT NULL,
    outcome text NOT NULL,
    payment_id uuid,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.sandbox_token
    ADD CONSTRAINT sandbox_token_pkey PRIMARY KEY (token);

-- One order. `decide_seconds` says when a pending payment is decided; `tells` is the kind of the
-- callback that goes out for a new one, with when, how often, and which amount it claims.
CREATE TYPE bespeak.sandbox_order AS (
	payment_id uuid,
	reference text,
	owner text,
	token text,
	outcome text,
	state text,
	failure text,
	amount bigint,
	currency text,
	description text,
	return_url text,
	decide_seconds double precision,
	tells text,
	tell_seconds double precision,
	tell_copies integer,
	tell_amount bigint,
	tell_currency text,
	ordered jsonb
);

-- The lives of the feed. A server that was promoted, restored or loaded from a dump begins a new one, before
-- its first event can be seen. The high half of an epoch counts them; the low half is chance, so that two
-- servers that were promoted of one do not take each other's cursors.
CREATE TABLE bespeak.feed_epoch (
    epoch bigint NOT NULL,
    server text NOT NULL,
    base bigint NOT NULL,
    begins bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    CONSTRAINT feed_epoch_base_check CHECK ((base >= 0)),
    CONSTRAINT feed_epoch_begins_check CHECK ((begins >= 0)),
    CONSTRAINT feed_epoch_epoch_check CHECK ((epoch > 0))
);

ALTER TABLE ONLY bespeak.feed_epoch
    ADD CONSTRAINT feed_epoch_pkey PRIMARY KEY (epoch);

-- Two that open an epoch at the same time open one.
CREATE UNIQUE INDEX feed_epoch_number ON bespeak.feed_epoch USING btree (((epoch >> 32)));

-- Positions of events: those behind `after` and up to `until`, in the order of the feed, have the positions
-- from `first` on. So an event is not written a second time to be numbered.
CREATE TABLE bespeak.feed_page (
    first bigint NOT NULL,
    count integer NOT NULL,
    after_horizon bigint NOT NULL,
    after_position bigint NOT NULL,
    until_horizon bigint NOT NULL,
    until_position bigint NOT NULL,
    CONSTRAINT feed_page_count_check CHECK (((count >= 1) AND (count <= 256))),
    CONSTRAINT feed_page_first_check CHECK ((first > 0)),
    CONSTRAINT feed_page_goes_on CHECK ((ROW(after_horizon, after_position) < ROW(until_horizon, until_position)))
)
WITH (fillfactor='80');

ALTER TABLE ONLY bespeak.feed_page
    ADD CONSTRAINT feed_page_pkey PRIMARY KEY (first);

-- From an event to its page; and no two pages begin at the same event.
CREATE UNIQUE INDEX feed_page_order ON bespeak.feed_page USING btree (after_horizon, after_position);

-- An owner whose data are erased. Who that is, and by which pseudonym they are replaced, stands here only
-- while it runs: when it is done, no row says which pseudonym was whose. `owner_hash` is salted (see
-- bespeak.erasure_digest), so that a repeat is recognised and a restored backup can be gone through again.
-- The place where the next turn begins commits with the turn before it; `waiting` counts the holds of this
-- pass whose money was moving, and `kept` what was confirmed after it began and is new business.
CREATE TABLE bespeak.erasure (
    erasure_id uuid NOT NULL,
    owner_hash bytea NOT NULL,
    owner text,
    pseudonym text,
    including_upcoming boolean NOT NULL,
    state text NOT NULL,
    phase text DEFAULT 'held'::text NOT NULL,
    after_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    after_resource bigint DEFAULT 0 NOT NULL,
    after_hold uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    waiting integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    asked_by text NOT NULL,
    holds integer DEFAULT 0 NOT NULL,
    holds_released integer DEFAULT 0 NOT NULL,
    bookings integer DEFAULT 0 NOT NULL,
    payments integer DEFAULT 0 NOT NULL,
    mails_dropped integer DEFAULT 0 NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    key_digest bytea,
    fingerprint bytea NOT NULL,
    begun_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT erasure_due_while_it_runs CHECK (((state = 'running'::text) = (due_at IS NOT NULL))),
    CONSTRAINT erasure_ended_unless_running CHECK (((state = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT erasure_names_somebody_while_it_runs CHECK ((((state = 'running'::text) = (owner IS NOT NULL)) AND ((owner IS NULL) = (pseudonym IS NULL)))),
    CONSTRAINT erasure_phase_check CHECK ((phase = ANY (ARRAY['held'::text, 'booked'::text, 'rest'::text]))),
    CONSTRAINT erasure_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY bespeak.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (erasure_id);

-- One at a time of an owner: who asks at the same instant is answered with the same.
CREATE UNIQUE INDEX erasure_running ON bespeak.erasure USING btree (owner_hash) WHERE (state = 'running'::text);

CREATE INDEX erasure_of_owner ON bespeak.erasure USING btree (owner_hash, begun_at DESC);

CREATE UNIQUE INDEX erasure_once ON bespeak.erasure USING btree (key_digest) WHERE (key_digest IS NOT NULL);

CREATE INDEX erasure_due ON bespeak.erasure USING btree (due_at) WHERE (state = 'running'::text);

CREATE INDEX erasure_begun ON bespeak.erasure USING btree (begun_at, erasure_id);

-- The idempotency keys of holds that were erased, each as a digest of its owner and itself that leads to
-- no hold: a late repeat must not place again, for the same person, what was erased.
CREATE TABLE bespeak.erased_key (
    digest bytea NOT NULL,
    erased_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.erased_key
    ADD CONSTRAINT erased_key_pkey PRIMARY KEY (digest);

-- A table without an index by time is walked from its first block to its last, once a day, and this is
-- the next block. An index would be written by every verb, for a look a day.
CREATE TABLE bespeak.table_walk (
    name text NOT NULL,
    next_block bigint DEFAULT 0 NOT NULL,
    begun_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT table_walk_name_check CHECK ((name = ANY (ARRAY['answer'::text, 'audit_entry'::text, 'erased_key'::text, 'mail'::text])))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');

ALTER TABLE ONLY bespeak.table_walk
    ADD CONSTRAINT table_walk_pkey PRIMARY KEY (name);

-- What of the feed belongs to a booking, and stays when its event goes: for timelines.
CREATE TABLE bespeak.kept_event (
    resource_id bigint NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint NOT NULL,
    kind text NOT NULL,
    hold_id uuid NOT NULL,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    data jsonb,
    actor text
);

ALTER TABLE ONLY bespeak.kept_event
    ADD CONSTRAINT kept_event_pkey PRIMARY KEY (resource_id, horizon, "position");

CREATE INDEX kept_event_of_hold ON bespeak.kept_event USING btree (hold_id);

CREATE INDEX kept_event_of_late_money ON bespeak.kept_event USING btree (((data ->> 'hold_id'::text))) WHERE (kind = 'payment_late'::text);

-- What happened, a row for each hold and resource that it touched. `units` are the units whose
-- state this event changed: an expiry lists only what was still the hold's, not what was taken over.
-- Its parts are made by `bespeak.make_event_partitions()`; the default one is for what comes when that
-- was not done in time.
CREATE TABLE bespeak.event (
    resource_id bigint NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    kind text NOT NULL,
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    data jsonb,
    actor text,
    CONSTRAINT event_actor_is_short CHECK (((length(actor) >= 1) AND (length(actor) <= 64))),
    CONSTRAINT event_kind_check CHECK (bespeak.is_event_kind(kind))
)
PARTITION BY RANGE (horizon);

ALTER TABLE ONLY bespeak.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (resource_id, horizon, "position");

CREATE TABLE bespeak.event_default (
    resource_id bigint NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    kind text NOT NULL,
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    data jsonb,
    actor text,
    CONSTRAINT event_actor_is_short CHECK (((length(actor) >= 1) AND (length(actor) <= 64))),
    CONSTRAINT event_kind_check CHECK (bespeak.is_event_kind(kind))
)
WITH (autovacuum_vacuum_scale_factor='0.2');

ALTER TABLE ONLY bespeak.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (resource_id, horizon, "position");

ALTER TABLE ONLY bespeak.event ATTACH PARTITION bespeak.event_default DEFAULT;

CREATE INDEX event_default_expr_idx ON bespeak.event_default USING btree (((data ->> 'hold_id'::text))) WHERE (kind = 'payment_late'::text);

CREATE INDEX event_default_hold_id_idx ON bespeak.event_default USING btree (hold_id) WHERE (kind <> ALL (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'released'::text, 'expired'::text, 'blocked'::text, 'unblocked'::text]));

CREATE INDEX event_default_horizon_position_idx ON bespeak.event_default USING btree (horizon, "position");

ALTER INDEX bespeak.event_of_late_money ATTACH PARTITION bespeak.event_default_expr_idx;

ALTER INDEX bespeak.event_of_booking ATTACH PARTITION bespeak.event_default_hold_id_idx;

ALTER INDEX bespeak.event_feed ATTACH PARTITION bespeak.event_default_horizon_position_idx;

ALTER INDEX bespeak.event_pkey ATTACH PARTITION bespeak.event_default_pkey;

CREATE TABLE bespeak.event_first (
    resource_id bigint NOT NULL,
    horizon bigint NOT NULL,
    "position" bigint DEFAULT nextval('bespeak.event_position'::regclass) NOT NULL,
    kind text NOT NULL,
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamp with time zone NOT NULL,
    data jsonb,
    actor text,
    CONSTRAINT event_actor_is_short CHECK (((length(actor) >= 1) AND (length(actor) <= 64))),
    CONSTRAINT event_kind_check CHECK (bespeak.is_event_kind(kind))
)
WITH (autovacuum_vacuum_scale_factor='0.2');

ALTER TABLE ONLY bespeak.event_first
    ADD CONSTRAINT event_first_pkey PRIMARY KEY (resource_id, horizon, "position");

ALTER TABLE ONLY bespeak.event ATTACH PARTITION bespeak.event_first FOR VALUES FROM (MINVALUE) TO ('16777216');

CREATE INDEX event_first_feed ON bespeak.event_first USING btree (horizon, "position");

CREATE INDEX event_first_of_booking ON bespeak.event_first USING btree (hold_id) WHERE (kind <> ALL (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'released'::text, 'expired'::text, 'blocked'::text, 'unblocked'::text]));

CREATE INDEX event_first_of_late_money ON bespeak.event_first USING btree (((data ->> 'hold_id'::text))) WHERE (kind = 'payment_late'::text);

ALTER INDEX bespeak.event_feed ATTACH PARTITION bespeak.event_first_feed;

ALTER INDEX bespeak.event_of_booking ATTACH PARTITION bespeak.event_first_of_booking;

ALTER INDEX bespeak.event_of_late_money ATTACH PARTITION bespeak.event_first_of_late_money;

ALTER INDEX bespeak.event_pkey ATTACH PARTITION bespeak.event_first_pkey;

-- Followers of everything read in this order; rows only ever arrive at the right edge.
CREATE INDEX event_feed ON ONLY bespeak.event USING btree (horizon, "position");

-- A booking's timeline. What happens to every hold is left out (the hold itself knows when it was
-- placed and ended), so that the hot path writes no second entry.
CREATE INDEX event_of_booking ON ONLY bespeak.event USING btree (hold_id) WHERE (kind <> ALL (ARRAY['created'::text, 'changed'::text, 'held'::text, 'extended'::text, 'released'::text, 'expired'::text, 'blocked'::text, 'unblocked'::text]));

-- From a hold that late money pays for now back to the one that the money was for: rare.
CREATE INDEX event_of_late_money ON ONLY bespeak.event USING btree (((data ->> 'hold_id'::text))) WHERE (kind = 'payment_late'::text);

-- A payment that its provider has and our record lost: the payment, the hold that it was for, and
-- whether it is to be given back. `captured` is what was taken of it: nothing, while it is only reserved.
CREATE TYPE bespeak.lost_payment AS (
	home bigint,
	payment_id uuid,
	hold_id uuid,
	owner text,
	provider text,
	reference text,
	amount bigint,
	currency text,
	captured bigint,
	created_at timestamp with time zone,
	resources bigint[],
	units text[],
	quantities integer[],
	shown_quantities integer[],
	shown jsonb,
	is_to_return boolean,
	actor text
);

-- The holds of guests, by whence they came: an address or a network of 64 bits. The guest is a digest by a
-- key of the installation. `changed` is the transaction that wrote the row: with the oldest that was still
-- running at the last reading, the next one finds all that was committed since.
CREATE UNLOGGED TABLE bespeak.guest_hold (
    hold_id uuid NOT NULL,
    resource_id bigint NOT NULL,
    prefix text,
    guest text NOT NULL,
    units integer NOT NULL,
    placed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    outcome text,
    changed xid8 NOT NULL,
    CONSTRAINT guest_hold_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'released'::text, 'wasted'::text]))),
    CONSTRAINT guest_hold_units_check CHECK ((units > 0))
);

ALTER TABLE ONLY bespeak.guest_hold
    ADD CONSTRAINT guest_hold_pkey PRIMARY KEY (hold_id, resource_id);

CREATE INDEX guest_hold_changed ON bespeak.guest_hold USING btree (changed);

CREATE INDEX guest_hold_expires ON bespeak.guest_hold USING btree (expires_at);

-- How much of a budget was spent by whom (an address, a guest's or a card's digest) in an hour.
CREATE UNLOGGED TABLE bespeak.budget_count (
    budget text NOT NULL,
    who text NOT NULL,
    period timestamp with time zone NOT NULL,
    amount bigint NOT NULL,
    changed xid8 NOT NULL
);

ALTER TABLE ONLY bespeak.budget_count
    ADD CONSTRAINT budget_count_pkey PRIMARY KEY (budget, who, period);

CREATE INDEX budget_count_changed ON bespeak.budget_count USING btree (changed);

CREATE INDEX budget_count_period ON bespeak.budget_count USING btree (period);

CREATE SEQUENCE bespeak.audit_entry_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

-- One entry. `asked` is written before what it tells of, so that nothing was done without one;
-- `refused` says that it was not done after all, or that a right or a login was refused, how many
-- times. `done` is written in the transaction of its effect.
CREATE TABLE bespeak.audit_entry (
    entry_id bigint DEFAULT nextval('bespeak.audit_entry_number'::regclass) NOT NULL,
    at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    outcome text NOT NULL,
    subject text,
    code text,
    address text,
    times integer DEFAULT 1 NOT NULL,
    workspace text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT audit_entry_outcome_check CHECK ((outcome = ANY (ARRAY['asked'::text, 'refused'::text, 'done'::text]))),
    CONSTRAINT audit_entry_refused_has_code CHECK (((outcome = 'refused'::text) = (code IS NOT NULL))),
    CONSTRAINT audit_entry_times_check CHECK ((times > 0))
);

ALTER TABLE ONLY bespeak.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (entry_id);

CREATE TRIGGER audit_entry_is_kept BEFORE DELETE OR UPDATE ON bespeak.audit_entry FOR EACH ROW EXECUTE FUNCTION bespeak.keep_audit_entry();

CREATE TRIGGER audit_log_is_kept BEFORE TRUNCATE ON bespeak.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION bespeak.keep_audit_entry();

-- The log of one actor, and of one thing.
CREATE INDEX audit_entry_of_actor ON bespeak.audit_entry USING btree (actor, entry_id);

CREATE INDEX audit_entry_of_subject ON bespeak.audit_entry USING btree (subject, entry_id) WHERE (subject IS NOT NULL);

-- Entries are never changed, and none goes before its time: only the walk that lets old ones go may
-- delete, which says so in its transaction.
CREATE FUNCTION bespeak.keep_audit_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if tg_op = 'DELETE' and current_setting('bespeak.lets_audit_entries_go', true) = 'yes' then
        return old;
    end if;
    raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
end
$$;

-- A person who works at the console. What they may is said by the role, whose scopes the program
-- knows; where it is bound, by the same words as a key.
CREATE TABLE bespeak.operator (
    operator_id text NOT NULL,
    login text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    resources text[],
    place text,
    state text DEFAULT 'invited'::text NOT NULL,
    password_hash text,
    totp_secret bytea,
    totp_step bigint DEFAULT 0 NOT NULL,
    totp_pending bytea,
    wrong_codes integer DEFAULT 0 NOT NULL,
    wrong_since timestamp with time zone,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    disabled_at timestamp with time zone,
    workspace text DEFAULT 'default'::text NOT NULL,
    CONSTRAINT operator_bound_once CHECK ((num_nonnulls(resources, place) <= 1)),
    CONSTRAINT operator_bound_to_something CHECK ((resources <> '{}'::text[])),
    CONSTRAINT operator_disabled_has_time CHECK (((state = 'disabled'::text) = (disabled_at IS NOT NULL))),
    CONSTRAINT operator_owner_is_unbound CHECK (((role <> 'owner'::text) OR (num_nonnulls(resources, place) = 0))),
    CONSTRAINT operator_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'seller'::text, 'door'::text, 'viewer'::text]))),
    CONSTRAINT operator_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text]))),
    CONSTRAINT operator_wrong_codes_check CHECK ((wrong_codes >= 0))
);

ALTER TABLE ONLY bespeak.operator
    ADD CONSTRAINT operator_login_key UNIQUE (login);

ALTER TABLE ONLY bespeak.operator
    ADD CONSTRAINT operator_pkey PRIMARY KEY (operator_id);

-- Of the last owner that is left: they are counted, in one order, whenever one is to go.
CREATE INDEX operator_owner ON bespeak.operator USING btree (operator_id) WHERE ((role = 'owner'::text) AND (state = 'active'::text));

-- A passkey of an operator.
CREATE TABLE bespeak.operator_passkey (
    passkey_id text NOT NULL,
    operator_id text NOT NULL,
    credential_id bytea NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    last_used_at timestamp with time zone,
    CONSTRAINT operator_passkey_sign_count_check CHECK ((sign_count >= 0))
);

ALTER TABLE ONLY bespeak.operator_passkey
    ADD CONSTRAINT operator_passkey_credential_id_key UNIQUE (credential_id);

ALTER TABLE ONLY bespeak.operator_passkey
    ADD CONSTRAINT operator_passkey_pkey PRIMARY KEY (passkey_id);

ALTER TABLE ONLY bespeak.operator_passkey
    ADD CONSTRAINT operator_passkey_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES bespeak.operator(operator_id) ON DELETE CASCADE;

CREATE INDEX operator_passkey_of ON bespeak.operator_passkey USING btree (operator_id);

-- Codes for the day on which the telephone is lost, each good once.
CREATE TABLE bespeak.operator_recovery_code (
    operator_id text NOT NULL,
    hash bytea NOT NULL,
    used_at timestamp with time zone
);

ALTER TABLE ONLY bespeak.operator_recovery_code
    ADD CONSTRAINT operator_recovery_code_pkey PRIMARY KEY (operator_id, hash);

ALTER TABLE ONLY bespeak.operator_recovery_code
    ADD CONSTRAINT operator_recovery_code_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES bespeak.operator(operator_id) ON DELETE CASCADE;

-- Links that are good once: with one, an operator sets up how to log in.
CREATE TABLE bespeak.operator_link (
    hash bytea NOT NULL,
    operator_id text NOT NULL,
    purpose text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT operator_link_purpose_check CHECK ((purpose = ANY (ARRAY['invite'::text, 'reset'::text])))
);

ALTER TABLE ONLY bespeak.operator_link
    ADD CONSTRAINT operator_link_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY bespeak.operator_link
    ADD CONSTRAINT operator_link_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES bespeak.operator(operator_id) ON DELETE CASCADE;

CREATE INDEX operator_link_of ON bespeak.operator_link USING btree (operator_id);

-- A session of an operator. The cookie has a random text of which this is the hash. `proved_at` says
-- when its operator last proved who they are, and by what.
CREATE TABLE bespeak.operator_session (
    session_id text NOT NULL,
    hash bytea NOT NULL,
    operator_id text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    proved_at timestamp with time zone NOT NULL,
    proved_by text NOT NULL,
    address text NOT NULL,
    agent text NOT NULL,
    CONSTRAINT operator_session_proved_by_check CHECK ((proved_by = ANY (ARRAY['passkey'::text, 'code'::text, 'password'::text])))
);

ALTER TABLE ONLY bespeak.operator_session
    ADD CONSTRAINT operator_session_hash_key UNIQUE (hash);

ALTER TABLE ONLY bespeak.operator_session
    ADD CONSTRAINT operator_session_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY bespeak.operator_session
    ADD CONSTRAINT operator_session_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES bespeak.operator(operator_id) ON DELETE CASCADE;

CREATE INDEX operator_session_of ON bespeak.operator_session USING btree (operator_id) WHERE (ended_at IS NULL);

-- Challenges of passkeys that were answered, so that none is answered twice.
CREATE TABLE bespeak.operator_answered (
    hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.operator_answered
    ADD CONSTRAINT operator_answered_pkey PRIMARY KEY (hash);

-- The bookings whose links were ended, and how often: a link says after how many ends it was made, and is
-- good as long as there was no other. No row: none was ended.
CREATE TABLE bespeak.booking_link (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    ends_so_far integer NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT booking_link_ends_so_far_check CHECK ((ends_so_far > 0))
);

ALTER TABLE ONLY bespeak.booking_link
    ADD CONSTRAINT booking_link_pkey PRIMARY KEY (resource_id, booking_id);

-- Links to the calendars of resources, for calendar programs. The token of one is signed, so nothing secret
-- stands here; what it shows, until when, and that it was not revoked, is asked of its row. `used_at` is the
-- hour in which it was last used, so that it is written once an hour.
CREATE TABLE bespeak.calendar_link (
    link_id text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    resource_id bigint NOT NULL,
    name text,
    details boolean NOT NULL,
    without text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    used_at timestamp with time zone
)
WITH (fillfactor='80');

ALTER TABLE bespeak.calendar_link ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME bespeak.calendar_link_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY bespeak.calendar_link
    ADD CONSTRAINT calendar_link_pkey PRIMARY KEY (link_id);

CREATE INDEX calendar_link_of_resource ON bespeak.calendar_link USING btree (resource_id, number);

CREATE UNIQUE INDEX calendar_link_number ON bespeak.calendar_link USING btree (number);

-- Who asked to find the bookings of an address, and, once the code of its mail was typed in the browser that
-- asked, who is signed in there. `ends_at` is until when the code is good, and then until when the session
-- is. The code stands nowhere: it is made of the id by a secret.
CREATE TABLE bespeak.sign_in (
    sign_in_id uuid NOT NULL,
    email text NOT NULL,
    locale text,
    created_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    used_at timestamp with time zone,
    mail_due_at timestamp with time zone
)
WITH (fillfactor='80');

ALTER TABLE ONLY bespeak.sign_in
    ADD CONSTRAINT sign_in_pkey PRIMARY KEY (sign_in_id);

CREATE INDEX sign_in_of_email ON bespeak.sign_in USING btree (email, created_at);

CREATE INDEX sign_in_ends ON bespeak.sign_in USING btree (ends_at);

CREATE INDEX sign_in_mail_due ON bespeak.sign_in USING btree (mail_due_at) WHERE (mail_due_at IS NOT NULL);

CREATE TABLE bespeak.workspace (
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT bespeak.now() NOT NULL,
    CONSTRAINT workspace_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,39}$'::text))
);

ALTER TABLE ONLY bespeak.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (name);

CREATE INDEX resource_of_workspace ON bespeak.resource USING btree (workspace, resource_id);

CREATE INDEX audit_entry_of_workspace ON bespeak.audit_entry USING btree (workspace, entry_id) WHERE (workspace <> 'default'::text);

-- Nearly all are published: lists for guests look up the few that are not.
CREATE INDEX resource_unpublished ON bespeak.resource USING btree (resource_id) WHERE (NOT published);

-- One for each workspace. The profile is read and written as a whole; `version` rises with each change, so
-- that of two who change it at once the second is told.
CREATE TABLE bespeak.merchant (
    workspace text NOT NULL,
    version integer NOT NULL,
    profile jsonb NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT merchant_profile_check CHECK ((jsonb_typeof(profile) = 'object'::text)),
    CONSTRAINT merchant_version_check CHECK ((version > 0))
);

ALTER TABLE ONLY bespeak.merchant
    ADD CONSTRAINT merchant_pkey PRIMARY KEY (workspace);

-- Pictures, by the digest of their bytes: an address that was given out once shows the same picture for good.
CREATE TABLE bespeak.merchant_logo (
    digest text NOT NULL COLLATE pg_catalog."C",
    content bytea NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT merchant_logo_content_check CHECK ((octet_length(content) <= 1000000)),
    CONSTRAINT merchant_logo_digest_check CHECK ((digest ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT merchant_logo_height_check CHECK ((height > 0)),
    CONSTRAINT merchant_logo_width_check CHECK ((width > 0))
);

ALTER TABLE ONLY bespeak.merchant_logo
    ADD CONSTRAINT merchant_logo_pkey PRIMARY KEY (digest);

-- Each wording of terms that buyers were asked to accept, by its digest. It stays when the merchant changes
-- the text, since consents name it.
CREATE TABLE bespeak.merchant_terms (
    digest text NOT NULL COLLATE pg_catalog."C",
    wording jsonb NOT NULL,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT merchant_terms_digest_check CHECK ((digest ~ '^[0-9a-f]{32}$'::text))
);

ALTER TABLE ONLY bespeak.merchant_terms
    ADD CONSTRAINT merchant_terms_pkey PRIMARY KEY (digest);

-- That the owner of a hold accepted a wording, before the hold was confirmed or paid for. `resource_id` is
-- the home of the hold.
CREATE TABLE bespeak.consent (
    hold_id uuid NOT NULL,
    resource_id bigint NOT NULL,
    digest text NOT NULL COLLATE pg_catalog."C",
    consented_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.consent
    ADD CONSTRAINT consent_pkey PRIMARY KEY (hold_id, digest);

CREATE TABLE bespeak.desk_payment (
    payment_id uuid NOT NULL,
    method text NOT NULL,
    state text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT desk_payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT desk_payment_method_check CHECK ((method = ANY (ARRAY['cash'::text, 'card_terminal'::text, 'transfer'::text, 'voucher'::text, 'unknown'::text]))),
    CONSTRAINT desk_payment_state_check CHECK ((state = ANY (ARRAY['authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text])))
);

ALTER TABLE ONLY bespeak.desk_payment
    ADD CONSTRAINT desk_payment_pkey PRIMARY KEY (payment_id);

CREATE INDEX desk_payment_created ON bespeak.desk_payment USING btree (created_at, payment_id);

-- A refund waits until somebody has handed the money over, and says so.
CREATE TABLE bespeak.desk_refund (
    refund_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    amount bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    handed_over_at timestamp with time zone,
    handed_over_by text,
    CONSTRAINT desk_refund_amount_check CHECK ((amount > 0))
);

ALTER TABLE ONLY bespeak.desk_refund
    ADD CONSTRAINT desk_refund_pkey PRIMARY KEY (refund_id);

ALTER TABLE ONLY bespeak.desk_refund
    ADD CONSTRAINT desk_refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES bespeak.desk_payment(payment_id);

CREATE INDEX desk_refund_of_payment ON bespeak.desk_refund USING btree (payment_id);

CREATE INDEX desk_refund_handed_over ON bespeak.desk_refund USING btree (handed_over_at) WHERE (handed_over_at IS NOT NULL);

-- Texts of a merchant's own, by kind of mail and language. Empty is what stays ours, or is not there.
-- Placeholders were judged when it was saved.
CREATE TABLE bespeak.mail_text (
    workspace text NOT NULL,
    kind text NOT NULL,
    language text NOT NULL,
    subject text NOT NULL,
    introduction text NOT NULL,
    closing text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_text_kind_check CHECK ((kind = ANY (ARRAY['booking_confirmed'::text, 'booking_reminder'::text, 'booking_moved'::text, 'booking_cancelled'::text, 'payment_late'::text, 'payment_failed'::text, 'refunded'::text, 'waitlist_joined'::text, 'waitlist_offered'::text, 'waitlist_over'::text, 'turn_near'::text]))),
    CONSTRAINT mail_text_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'ar'::text])))
);

ALTER TABLE ONLY bespeak.mail_text
    ADD CONSTRAINT mail_text_pkey PRIMARY KEY (workspace, kind, language);

-- How many hours before it begins buyers are reminded; without a row they are not.
CREATE TABLE bespeak.mail_reminders (
    workspace text NOT NULL,
    hours integer[] NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_reminders_hours_check CHECK (((cardinality(hours) >= 1) AND (cardinality(hours) <= 3)))
);

ALTER TABLE ONLY bespeak.mail_reminders
    ADD CONSTRAINT mail_reminders_pkey PRIMARY KEY (workspace);

-- How far the bookings of a resource have been reminded, so many hours before this begin. Of another begin
-- they are walked through again, and who was reminded is not reminded twice.
CREATE TABLE bespeak.reminder_walk (
    resource_id bigint NOT NULL,
    hours integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    after_booking uuid NOT NULL,
    is_done boolean NOT NULL
);

ALTER TABLE ONLY bespeak.reminder_walk
    ADD CONSTRAINT reminder_walk_pkey PRIMARY KEY (resource_id, hours);

CREATE UNIQUE INDEX mail_of_occasion ON bespeak.mail USING btree (hold_id, kind, occasion) WHERE (occasion IS NOT NULL);

CREATE UNIQUE INDEX mail_again ON bespeak.mail USING btree (hold_id, kind) WHERE (("position" IS NULL) AND (occasion IS NULL) AND (state = 'pending'::text));

-- What a buyer says of the company that an invoice is for, until the invoice is issued.
CREATE TABLE bespeak.billing (
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    details jsonb NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT billing_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
);

ALTER TABLE ONLY bespeak.billing
    ADD CONSTRAINT billing_pkey PRIMARY KEY (resource_id, booking_id);

-- How far the numbers of a series were given out. The row is locked until the document that has the
-- number is written, so none is given twice and none is lost; `last_at` is when the last was issued, so
-- that a later number never has an earlier date.
CREATE TABLE bespeak.invoice_series (
    workspace text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    last integer NOT NULL,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT invoice_series_last_check CHECK ((last > 0))
);

ALTER TABLE ONLY bespeak.invoice_series
    ADD CONSTRAINT invoice_series_pkey PRIMARY KEY (workspace, prefix);

-- What was issued, of one payment or of one refund. `resource_id` is the home of the booking, `place` the
-- number within its series, and `content` all that stands on it but the buyer.
CREATE TABLE bespeak.invoice (
    invoice_id uuid NOT NULL,
    resource_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    workspace text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    place integer NOT NULL,
    kind text NOT NULL,
    payment_id uuid NOT NULL,
    refund_id uuid,
    corrects uuid,
    amount bigint NOT NULL,
    currency text NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    content jsonb NOT NULL,
    CONSTRAINT invoice_amount_check CHECK ((amount > 0)),
    CONSTRAINT invoice_credit_note_of_a_refund CHECK (((kind = 'credit_note'::text) = ((refund_id IS NOT NULL) AND (corrects IS NOT NULL)))),
    CONSTRAINT invoice_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
    CONSTRAINT invoice_place_check CHECK ((place > 0))
);

ALTER TABLE ONLY bespeak.invoice
    ADD CONSTRAINT invoice_number UNIQUE (workspace, prefix, place);

ALTER TABLE ONLY bespeak.invoice
    ADD CONSTRAINT invoice_pkey PRIMARY KEY (invoice_id);

ALTER TABLE ONLY bespeak.invoice
    ADD CONSTRAINT invoice_corrects_fkey FOREIGN KEY (corrects) REFERENCES bespeak.invoice(invoice_id);

CREATE UNIQUE INDEX invoice_of_payment ON bespeak.invoice USING btree (payment_id) WHERE (kind = 'invoice'::text);

CREATE UNIQUE INDEX invoice_of_refund ON bespeak.invoice USING btree (refund_id) WHERE (refund_id IS NOT NULL);

CREATE INDEX invoice_of_booking ON bespeak.invoice USING btree (booking_id);

CREATE INDEX invoice_issued ON bespeak.invoice USING btree (workspace, issued_at, invoice_id);

-- To whom a document was issued, kept apart: it goes when the term is over for which the law wants it
-- kept, and the document stays, that the numbers have no gap.
CREATE TABLE bespeak.invoice_buyer (
    invoice_id uuid NOT NULL,
    buyer jsonb NOT NULL,
    keep_until timestamp with time zone NOT NULL,
    CONSTRAINT invoice_buyer_buyer_check CHECK ((jsonb_typeof(buyer) = 'object'::text))
);

ALTER TABLE ONLY bespeak.invoice_buyer
    ADD CONSTRAINT invoice_buyer_pkey PRIMARY KEY (invoice_id);

ALTER TABLE ONLY bespeak.invoice_buyer
    ADD CONSTRAINT invoice_buyer_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES bespeak.invoice(invoice_id);

CREATE INDEX invoice_buyer_term ON bespeak.invoice_buyer USING btree (keep_until);

-- Which payments have no invoice yet, and which refunds no credit note, is asked by when they ended.
CREATE INDEX payment_captured ON bespeak.payment USING brin (captured_at) WITH (pages_per_range='32', autosummarize='on');

CREATE INDEX refund_ended ON bespeak.refund USING brin (ended_at) WITH (pages_per_range='32', autosummarize='on');

-- Holds that the desk gives for nothing: why, how many units, what they would have cost, and who said so.
CREATE TABLE bespeak.free_sale (
    resource_id bigint NOT NULL,
    hold_id uuid NOT NULL,
    reason text NOT NULL,
    units integer NOT NULL,
    worth bigint NOT NULL,
    currency text NOT NULL,
    given_at timestamp with time zone NOT NULL,
    given_by text,
    CONSTRAINT free_sale_reason_check CHECK ((reason = ANY (ARRAY['guest_list'::text, 'press'::text, 'staff'::text, 'sponsor'::text, 'other'::text]))),
    CONSTRAINT free_sale_units_check CHECK ((units > 0)),
    CONSTRAINT free_sale_worth_check CHECK ((worth >= 0))
);

ALTER TABLE ONLY bespeak.free_sale
    ADD CONSTRAINT free_sale_pkey PRIMARY KEY (resource_id, hold_id);

CREATE INDEX free_sale_given ON bespeak.free_sale USING btree (given_at);

-- One text to many. `texts` are a subject and a text by language, the first for whoever reads none of
-- them. Its bookings are walked through in their order, from `after_booking` on.
CREATE TABLE bespeak.mailing (
    mailing_id uuid NOT NULL,
    resource_id bigint NOT NULL,
    texts jsonb NOT NULL,
    state text NOT NULL,
    after_booking uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    recipients integer DEFAULT 0 NOT NULL,
    actor text,
    key bytea,
    content bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT mailing_state_check CHECK ((state = ANY (ARRAY['writing'::text, 'written'::text, 'stopped'::text])))
);

ALTER TABLE ONLY bespeak.mailing
    ADD CONSTRAINT mailing_pkey PRIMARY KEY (mailing_id);

ALTER TABLE ONLY bespeak.mailing
    ADD CONSTRAINT mailing_resource_id_key_key UNIQUE (resource_id, key);

CREATE INDEX mailing_of_resource ON bespeak.mailing USING btree (resource_id, created_at DESC, mailing_id);

CREATE INDEX mailing_writing ON bespeak.mailing USING btree (created_at) WHERE (state = 'writing'::text);

-- What became of the mails of a mailing: its id is their occasion.
CREATE INDEX mail_of_mailing ON bespeak.mail USING btree (occasion, state) WHERE (kind = 'mailing'::text);

-- Whether anything is asked in a workspace at all, which each confirmation wants to know.
CREATE INDEX resource_asking ON bespeak.resource USING btree (workspace) WHERE (questions <> '[]'::jsonb);

-- The answers of a hold, all of them in one row, before the hold is confirmed and after. `resource_id` is the
-- home of the hold.
CREATE TABLE bespeak.checkout_answers (
    hold_id uuid NOT NULL,
    resource_id bigint NOT NULL,
    answers jsonb NOT NULL,
    answered_at timestamp with time zone NOT NULL,
    CONSTRAINT checkout_answers_answers_check CHECK ((jsonb_typeof(answers) = 'array'::text))
);

ALTER TABLE ONLY bespeak.checkout_answers
    ADD CONSTRAINT checkout_answers_pkey PRIMARY KEY (hold_id);

-- `a_minute` is the most that are let in; with the pace `stock` as many as there is something left for.
-- The hash of the seed is told before the opening, the seed after it. `credit` is how many may be let in by
-- the pace, of those that were not; `units_left` what there was to buy when that was looked at last, and
-- `units_a_place` how much of it each who waits was expected to take.
CREATE TABLE bespeak.waiting_room (
    room_id text NOT NULL,
    workspace text DEFAULT 'default'::text NOT NULL,
    name text NOT NULL,
    state text DEFAULT 'scheduled'::text NOT NULL,
    early_order text NOT NULL,
    early_opens_at timestamp with time zone NOT NULL,
    opens_at timestamp with time zone NOT NULL,
    pace text NOT NULL,
    a_minute integer NOT NULL,
    inside_max integer NOT NULL,
    pass_seconds integer NOT NULL,
    grace_seconds integer NOT NULL,
    units_max integer,
    message text,
    seed bytea NOT NULL,
    public_value text,
    opened_at timestamp with time zone,
    early_joined bigint,
    sold_out boolean DEFAULT false NOT NULL,
    steered_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    credit real DEFAULT 0 NOT NULL,
    units_left bigint,
    units_a_place real,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    sold_out_told boolean DEFAULT false NOT NULL,
    empty_since timestamp with time zone,
    drained_at timestamp with time zone,
    alarms jsonb DEFAULT '[]'::jsonb NOT NULL,
    categories jsonb,
    joining_began boolean DEFAULT false NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    challenge text DEFAULT 'never'::text NOT NULL,
    payments text DEFAULT 'well'::text NOT NULL,
    CONSTRAINT waiting_room_a_minute_check CHECK (((a_minute >= 1) AND (a_minute <= 100000))),
    CONSTRAINT waiting_room_challenge CHECK ((challenge = ANY (ARRAY['never'::text, 'often'::text, 'always'::text]))),
    CONSTRAINT waiting_room_early_before_sale CHECK ((early_opens_at <= opens_at)),
    CONSTRAINT waiting_room_early_order_check CHECK ((early_order = ANY (ARRAY['shuffle'::text, 'first_come'::text]))),
    CONSTRAINT waiting_room_grace_seconds_check CHECK (((grace_seconds >= 10) AND (grace_seconds <= 3600))),
    CONSTRAINT waiting_room_inside_max_check CHECK (((inside_max >= 1) AND (inside_max <= 1000000))),
    CONSTRAINT waiting_room_message_check CHECK (((length(message) >= 1) AND (length(message) <= 500))),
    CONSTRAINT waiting_room_opened_unless_scheduled CHECK ((((opened_at IS NULL) = (state = 'scheduled'::text)) OR (state = 'ended'::text))),
    CONSTRAINT waiting_room_pace_check CHECK ((pace = ANY (ARRAY['rate'::text, 'stock'::text]))),
    CONSTRAINT waiting_room_pass_seconds_check CHECK (((pass_seconds >= 60) AND (pass_seconds <= 86400))),
    CONSTRAINT waiting_room_payments CHECK ((payments = ANY (ARRAY['well'::text, 'slow'::text, 'stopped'::text]))),
    CONSTRAINT waiting_room_public_value_check CHECK (((length(public_value) >= 1) AND (length(public_value) <= 500))),
    CONSTRAINT waiting_room_shuffled_by_a_public_value CHECK (((opened_at IS NULL) OR (public_value IS NOT NULL))),
    CONSTRAINT waiting_room_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'open'::text, 'paused'::text, 'ended'::text]))),
    CONSTRAINT waiting_room_units_max_check CHECK (((units_max >= 1) AND (units_max <= 1000)))
);

ALTER TABLE ONLY bespeak.waiting_room
    ADD CONSTRAINT waiting_room_pkey PRIMARY KEY (room_id);

CREATE INDEX waiting_room_of_workspace ON bespeak.waiting_room USING btree (workspace, created_at DESC, room_id);

CREATE INDEX waiting_room_at_work ON bespeak.waiting_room USING btree (room_id) WHERE (state <> 'ended'::text);

-- What can be bought by those whom a room lets in, and by no other guest.
CREATE TABLE bespeak.waiting_room_resource (
    resource_id bigint NOT NULL,
    room_id text NOT NULL
);

ALTER TABLE ONLY bespeak.waiting_room_resource
    ADD CONSTRAINT waiting_room_resource_pkey PRIMARY KEY (resource_id);

ALTER TABLE ONLY bespeak.waiting_room_resource
    ADD CONSTRAINT waiting_room_resource_room_id_fkey FOREIGN KEY (room_id) REFERENCES bespeak.waiting_room(room_id);

CREATE INDEX waiting_room_resource_of_room ON bespeak.waiting_room_resource USING btree (room_id);

-- The queues of a room, with the share of those let in that each gets. Whoever stands before the front
-- has had their turn.
CREATE TABLE bespeak.waiting_queue (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    name text NOT NULL,
    share smallint NOT NULL,
    invited boolean DEFAULT false NOT NULL,
    front bigint DEFAULT 0 NOT NULL,
    CONSTRAINT waiting_queue_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT waiting_queue_queue_check CHECK (((queue >= 0) AND (queue <= 7))),
    CONSTRAINT waiting_queue_share_check CHECK (((share >= 1) AND (share <= 100)))
);

ALTER TABLE ONLY bespeak.waiting_queue
    ADD CONSTRAINT waiting_queue_pkey PRIMARY KEY (room_id, queue);

ALTER TABLE ONLY bespeak.waiting_queue
    ADD CONSTRAINT waiting_queue_room_id_fkey FOREIGN KEY (room_id) REFERENCES bespeak.waiting_room(room_id);

-- How many joined a queue within a tick of ten milliseconds, counted since 1970.
CREATE TABLE bespeak.waiting_join (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    tick bigint NOT NULL,
    joined integer NOT NULL,
    noted_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY bespeak.waiting_join
    ADD CONSTRAINT waiting_join_pkey PRIMARY KEY (room_id, queue, tick);

CREATE INDEX waiting_join_noted ON bespeak.waiting_join USING btree (noted_at);

-- How the front moved: who was called when. Kept as long as somebody who was called may still come.
CREATE TABLE bespeak.waiting_call (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    called_at timestamp with time zone NOT NULL,
    front bigint NOT NULL
);

ALTER TABLE ONLY bespeak.waiting_call
    ADD CONSTRAINT waiting_call_pkey PRIMARY KEY (room_id, queue, front);

-- Who was let in, by what their queue token was made for. A person has one pass at a time, and a new one
-- only for a turn that was waited for after the one before had ended.
CREATE TABLE bespeak.waiting_pass (
    room_id text NOT NULL,
    subject bytea NOT NULL,
    owner text NOT NULL,
    queue smallint NOT NULL,
    place_key bigint NOT NULL,
    given_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_as text,
    earlier_until timestamp with time zone,
    CONSTRAINT waiting_pass_ended_as_check CHECK ((ended_as = ANY (ARRAY['bought'::text, 'left'::text, 'lapsed'::text]))),
    CONSTRAINT waiting_pass_ended_somehow CHECK (((ended_at IS NULL) = (ended_as IS NULL)))
);

ALTER TABLE ONLY bespeak.waiting_pass
    ADD CONSTRAINT waiting_pass_pkey PRIMARY KEY (room_id, subject);

CREATE INDEX waiting_pass_inside ON bespeak.waiting_pass USING btree (room_id, expires_at) WHERE (ended_at IS NULL);

CREATE INDEX waiting_pass_of_owner ON bespeak.waiting_pass USING btree (owner);

CREATE INDEX waiting_pass_given ON bespeak.waiting_pass USING btree (room_id, given_at);

-- One list, for one resource or for several that are dates of one thing. `wakes` counts what may have
-- changed who can be served, and `matched_wakes` is how far that was looked at; `horizon` the same for
-- the feed.
CREATE TABLE bespeak.waitlist (
    waitlist_id uuid NOT NULL,
    workspace text NOT NULL,
    state text NOT NULL,
    policy text NOT NULL,
    window_size integer NOT NULL,
    passes_max integer,
    decide_seconds integer NOT NULL,
    owner_entries_max integer NOT NULL,
    entries_max integer NOT NULL,
    party_max integer NOT NULL,
    freed_goes_to text NOT NULL,
    next_place bigint DEFAULT 1 NOT NULL,
    wakes bigint DEFAULT 1 NOT NULL,
    matched_wakes bigint DEFAULT 0 NOT NULL,
    horizon bigint DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    exchange text DEFAULT 'none'::text NOT NULL,
    matched_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT waitlist_decide_seconds_check CHECK (((decide_seconds >= 60) AND (decide_seconds <= 86400))),
    CONSTRAINT waitlist_entries_max_check CHECK (((entries_max >= 1) AND (entries_max <= 1000000))),
    CONSTRAINT waitlist_exchange_check CHECK ((exchange = ANY (ARRAY['none'::text, 'free'::text]))),
    CONSTRAINT waitlist_freed_goes_to_check CHECK ((freed_goes_to = ANY (ARRAY['waitlist'::text, 'anyone'::text]))),
    CONSTRAINT waitlist_owner_entries_max_check CHECK (((owner_entries_max >= 1) AND (owner_entries_max <= 100))),
    CONSTRAINT waitlist_party_max_check CHECK (((party_max >= 1) AND (party_max <= 1000))),
    CONSTRAINT waitlist_passes_max_check CHECK (((passes_max >= 0) AND (passes_max <= 1000))),
    CONSTRAINT waitlist_policy_check CHECK ((policy = ANY (ARRAY['strict'::text, 'best_fit'::text, 'lottery'::text]))),
    CONSTRAINT waitlist_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'ended'::text]))),
    CONSTRAINT waitlist_window_size_check CHECK (((window_size >= 1) AND (window_size <= 200)))
);

ALTER TABLE ONLY bespeak.waitlist
    ADD CONSTRAINT waitlist_pkey PRIMARY KEY (waitlist_id);

CREATE INDEX waitlist_of_workspace ON bespeak.waitlist USING btree (workspace, created_at DESC, waitlist_id);

-- A resource is of one list at most, so that what comes back has one line before it.
CREATE TABLE bespeak.waitlist_resource (
    resource_id bigint NOT NULL,
    waitlist_id uuid NOT NULL
);

ALTER TABLE ONLY bespeak.waitlist_resource
    ADD CONSTRAINT waitlist_resource_pkey PRIMARY KEY (resource_id);

CREATE INDEX waitlist_resource_of_list ON bespeak.waitlist_resource USING btree (waitlist_id, resource_id);

-- A party that waits. `draw` is its lot, `passed` how often somebody behind it was served before it.
CREATE TABLE bespeak.waitlist_entry (
    entry_id uuid NOT NULL,
    waitlist_id uuid NOT NULL,
    place bigint NOT NULL,
    draw double precision DEFAULT random() NOT NULL,
    owner text NOT NULL,
    contact jsonb,
    wish jsonb NOT NULL,
    resources bigint[] NOT NULL,
    party integer NOT NULL,
    state text NOT NULL,
    reason text,
    offers integer DEFAULT 0 NOT NULL,
    offers_max integer NOT NULL,
    passed integer DEFAULT 0 NOT NULL,
    until timestamp with time zone,
    idempotency_key text,
    fingerprint bytea,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    note text,
    instead_of uuid,
    instead_begins_at timestamp with time zone,
    CONSTRAINT waitlist_entry_ends CHECK (((state = ANY (ARRAY['waiting'::text, 'offered'::text])) = (ended_at IS NULL))),
    CONSTRAINT waitlist_entry_offers_max_check CHECK (((offers_max >= 1) AND (offers_max <= 10))),
    CONSTRAINT waitlist_entry_over_for_a_reason CHECK (((state = 'over'::text) = (reason IS NOT NULL))),
    CONSTRAINT waitlist_entry_party_check CHECK ((party > 0)),
    CONSTRAINT waitlist_entry_reason_check CHECK ((reason = ANY (ARRAY['declined'::text, 'lapsed'::text, 'until'::text, 'list_ended'::text, 'removed'::text]))),
    CONSTRAINT waitlist_entry_removed_with_a_note CHECK (((note IS NULL) OR (NOT (reason IS DISTINCT FROM 'removed'::text)))),
    CONSTRAINT waitlist_entry_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'offered'::text, 'accepted'::text, 'withdrawn'::text, 'over'::text])))
);

ALTER TABLE ONLY bespeak.waitlist_entry
    ADD CONSTRAINT waitlist_entry_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY bespeak.waitlist_entry
    ADD CONSTRAINT waitlist_entry_waitlist_id_place_key UNIQUE (waitlist_id, place);

-- Who waits, in the order of either policy.
CREATE INDEX waitlist_entry_waiting ON bespeak.waitlist_entry USING btree (waitlist_id, place) WHERE (state = 'waiting'::text);

CREATE INDEX waitlist_entry_lots ON bespeak.waitlist_entry USING btree (waitlist_id, draw, place) WHERE (state = 'waiting'::text);

CREATE INDEX waitlist_entry_until ON bespeak.waitlist_entry USING btree (until) WHERE (state = 'waiting'::text);

CREATE INDEX waitlist_entry_of_owner ON bespeak.waitlist_entry USING btree (owner, created_at DESC, entry_id);

CREATE INDEX waitlist_entry_ended ON bespeak.waitlist_entry USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX waitlist_entry_key ON bespeak.waitlist_entry USING btree (waitlist_id, owner, idempotency_key);

-- What was offered: a hold, which alone says whose it is and until when. An entry has at most one offer
-- that stands, and a hold is offered once.
CREATE TABLE bespeak.waitlist_offer (
    entry_id uuid NOT NULL,
    number integer NOT NULL,
    hold_id uuid NOT NULL,
    state text NOT NULL,
    offered_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    taken_up_at timestamp with time zone,
    ended_at timestamp with time zone,
    instead_of uuid,
    CONSTRAINT waitlist_offer_ends CHECK (((state = 'standing'::text) = (ended_at IS NULL))),
    CONSTRAINT waitlist_offer_number_check CHECK ((number > 0)),
    CONSTRAINT waitlist_offer_state_check CHECK ((state = ANY (ARRAY['standing'::text, 'accepted'::text, 'declined'::text, 'lapsed'::text, 'withdrawn'::text])))
);

ALTER TABLE ONLY bespeak.waitlist_offer
    ADD CONSTRAINT waitlist_offer_hold_id_key UNIQUE (hold_id);

ALTER TABLE ONLY bespeak.waitlist_offer
    ADD CONSTRAINT waitlist_offer_pkey PRIMARY KEY (entry_id, number);

CREATE UNIQUE INDEX waitlist_offer_standing ON bespeak.waitlist_offer USING btree (entry_id) WHERE (state = 'standing'::text);

-- What an entry is written about: that it waits, that something is offered, that it waits no more. A mail is
-- its own job, claimed with a lease; who it goes to stands with the entry alone.
CREATE TABLE bespeak.waitlist_mail (
    mail_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    kind text NOT NULL,
    number integer NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    failure text,
    CONSTRAINT waitlist_mail_ended_unless_pending CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT waitlist_mail_kind_check CHECK ((kind = ANY (ARRAY['joined'::text, 'offered'::text, 'over'::text]))),
    CONSTRAINT waitlist_mail_pending_is_due CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT waitlist_mail_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
);

ALTER TABLE ONLY bespeak.waitlist_mail
    ADD CONSTRAINT waitlist_mail_entry_id_kind_number_key UNIQUE (entry_id, kind, number);

ALTER TABLE ONLY bespeak.waitlist_mail
    ADD CONSTRAINT waitlist_mail_pkey PRIMARY KEY (mail_id);

CREATE INDEX waitlist_mail_due ON bespeak.waitlist_mail USING btree (due_at) WHERE (state = 'pending'::text);

-- What operators said of a room, and who did: for whoever checks afterwards that it was fair.
CREATE TABLE bespeak.waiting_room_change (
    room_id text NOT NULL,
    change_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text,
    changed jsonb NOT NULL
);

ALTER TABLE bespeak.waiting_room_change ALTER COLUMN change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME bespeak.waiting_room_change_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY bespeak.waiting_room_change
    ADD CONSTRAINT waiting_room_change_pkey PRIMARY KEY (room_id, change_id);

-- How the fronts moved, for the same; unlike a call, which is forgotten, and whose time may stand still.
CREATE TABLE bespeak.waiting_front (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    front bigint NOT NULL,
    moved_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.waiting_front
    ADD CONSTRAINT waiting_front_pkey PRIMARY KEY (room_id, queue, front);

-- The kinds of events are checked by a function. PostgreSQL keeps the text of a CHECK and reads it anew for
-- each statement that writes: of a list of thirty names that took longer than the insert itself. A
-- migration that brings a kind replaces the function; what is stored stays allowed.
CREATE FUNCTION bespeak.is_event_kind(kind text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
begin
    return kind in ('created', 'changed', 'held', 'extended', 'confirmed', 'released', 'expired',
        'cancelled', 'blocked', 'unblocked', 'payment_begun', 'payment_authorized',
        'payment_captured', 'payment_failed', 'payment_voided', 'payment_late', 'refund_begun',
        'refunded', 'refund_failed', 'checked_in', 'called_off', 'erased', 'vacated', 'moved',
        'waitlist_joined', 'waitlist_offered', 'waitlist_accepted', 'waitlist_declined',
        'waitlist_lapsed', 'waitlist_left', 'waiting_room_opened', 'waiting_room_sold_out',
        'waiting_room_drained');
end
$$;

-- So many codes for a queue, each for so many persons. `until` null: as long as the queue is open.
CREATE TABLE bespeak.waiting_invite_batch (
    room_id text NOT NULL,
    batch smallint NOT NULL,
    queue smallint NOT NULL,
    name text NOT NULL,
    codes integer NOT NULL,
    persons smallint NOT NULL,
    until timestamp with time zone,
    made_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    key bytea,
    content bytea,
    CONSTRAINT waiting_invite_batch_batch_check CHECK (((batch >= 1) AND (batch <= 200))),
    CONSTRAINT waiting_invite_batch_codes_check CHECK (((codes >= 1) AND (codes <= 100000))),
    CONSTRAINT waiting_invite_batch_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
    CONSTRAINT waiting_invite_batch_persons_check CHECK (((persons >= 1) AND (persons <= 1000)))
);

ALTER TABLE ONLY bespeak.waiting_invite_batch
    ADD CONSTRAINT waiting_invite_batch_pkey PRIMARY KEY (room_id, batch);

ALTER TABLE ONLY bespeak.waiting_invite_batch
    ADD CONSTRAINT waiting_invite_batch_room_id_queue_fkey FOREIGN KEY (room_id, queue) REFERENCES bespeak.waiting_queue(room_id, queue);

-- A code that somebody used or that was revoked: how many joined with it.
CREATE TABLE bespeak.waiting_invite (
    room_id text NOT NULL,
    batch smallint NOT NULL,
    serial integer NOT NULL,
    used smallint DEFAULT 0 NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT waiting_invite_serial_check CHECK (((serial >= 1) AND (serial <= 100000))),
    CONSTRAINT waiting_invite_used_check CHECK (((used >= 0) AND (used <= 1000)))
);

ALTER TABLE ONLY bespeak.waiting_invite
    ADD CONSTRAINT waiting_invite_pkey PRIMARY KEY (room_id, batch, serial);

-- Who joined with a code, as what their queue token is for, and when: so that whoever enters it again
-- gets the very same token.
CREATE TABLE bespeak.waiting_invite_use (
    room_id text NOT NULL,
    batch smallint NOT NULL,
    serial integer NOT NULL,
    subject bytea NOT NULL,
    joined_us bigint NOT NULL
);

ALTER TABLE ONLY bespeak.waiting_invite_use
    ADD CONSTRAINT waiting_invite_use_pkey PRIMARY KEY (room_id, batch, serial, subject);

CREATE UNIQUE INDEX waiting_invite_batch_key ON bespeak.waiting_invite_batch USING btree (room_id, key) WHERE (key IS NOT NULL);

-- How many have joined by the codes of a batch, in sixteen parts by the last bits of a code's number: one
-- row would have all who join wait for one another, and to count the codes takes seconds of a big room.
CREATE TABLE bespeak.waiting_invite_tally (
    room_id text NOT NULL,
    batch smallint NOT NULL,
    part smallint NOT NULL,
    used integer NOT NULL,
    CONSTRAINT waiting_invite_tally_part_check CHECK (((part >= 0) AND (part <= 15))),
    CONSTRAINT waiting_invite_tally_used_check CHECK ((used >= 0))
);

ALTER TABLE ONLY bespeak.waiting_invite_tally
    ADD CONSTRAINT waiting_invite_tally_pkey PRIMARY KEY (room_id, batch, part);

-- A booking is given back once: one party at most waits to.
CREATE UNIQUE INDEX waitlist_entry_instead_of ON bespeak.waitlist_entry USING btree (instead_of) WHERE ((instead_of IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'offered'::text])));

CREATE INDEX waitlist_offer_instead_of ON bespeak.waitlist_offer USING btree (instead_of) WHERE (instead_of IS NOT NULL);

CREATE INDEX waiting_pass_over_early ON bespeak.waiting_pass USING btree (room_id, GREATEST(given_at, ended_at)) WHERE ((ended_as = ANY (ARRAY['bought'::text, 'left'::text])) OR (earlier_until IS NOT NULL));

-- Openings that were taken back: what the draw followed from then, which was told, and follows from no more.
CREATE TABLE bespeak.waiting_opening (
    room_id text NOT NULL,
    opening_id bigint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    taken_back_at timestamp with time zone NOT NULL,
    seed bytea NOT NULL,
    public_value text NOT NULL
);

ALTER TABLE bespeak.waiting_opening ALTER COLUMN opening_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME bespeak.waiting_opening_opening_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY bespeak.waiting_opening
    ADD CONSTRAINT waiting_opening_pkey PRIMARY KEY (room_id, opening_id);

ALTER TABLE ONLY bespeak.waiting_opening
    ADD CONSTRAINT waiting_opening_room_id_fkey FOREIGN KEY (room_id) REFERENCES bespeak.waiting_room(room_id);

-- Who gave a place in a queue up before the turn, by what their queue token was made for: of somebody who
-- waits there is no row. Tokens that were joined for until then (microseconds since 1970) are over.
CREATE TABLE bespeak.waiting_leaver (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    subject bytea NOT NULL,
    joined_until bigint NOT NULL,
    left_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY bespeak.waiting_leaver
    ADD CONSTRAINT waiting_leaver_pkey PRIMARY KEY (room_id, queue, subject);

-- The mail server that an operator sets at the console, of the whole installation: where it has a row, and
-- the environment says nothing, mails leave by it.
CREATE TABLE bespeak.mail_server (
    is_the_one boolean NOT NULL,
    host text NOT NULL,
    port integer NOT NULL,
    encryption text NOT NULL,
    username text NOT NULL,
    password bytea,
    sender text,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_server_encryption_check CHECK ((encryption = ANY (ARRAY['starttls'::text, 'tls'::text, 'none'::text]))),
    CONSTRAINT mail_server_host_check CHECK (((length(host) >= 1) AND (length(host) <= 253))),
    CONSTRAINT mail_server_is_the_one_check CHECK (is_the_one),
    CONSTRAINT mail_server_login CHECK (((username = ''::text) = (password IS NULL))),
    CONSTRAINT mail_server_password_check CHECK ((length(password) <= 4096)),
    CONSTRAINT mail_server_port_check CHECK (((port >= 1) AND (port <= 65535))),
    CONSTRAINT mail_server_secrecy CHECK (((password IS NULL) OR (encryption <> 'none'::text))),
    CONSTRAINT mail_server_sender_check CHECK ((length(sender) <= 400)),
    CONSTRAINT mail_server_username_check CHECK ((length(username) <= 320))
);

ALTER TABLE ONLY bespeak.mail_server
    ADD CONSTRAINT mail_server_pkey PRIMARY KEY (is_the_one);

-- Mails that say that one's turn comes near: of those who wait and ask for one there is a row, of nobody
-- else. `place_key` is null until it is known; `wanted` until the turn comes near, then `pending` until the
-- mail leaves. A row stays until its room has ended, so that there is one mail for a turn; its address goes
-- as soon as no mail is to be sent. `address` is a digest of it.
CREATE TABLE bespeak.turn_mail (
    room_id text NOT NULL,
    queue smallint NOT NULL,
    subject bytea NOT NULL,
    joined_us bigint NOT NULL,
    place_key bigint,
    owner text NOT NULL,
    email text,
    address bytea NOT NULL,
    locale text,
    mail_id uuid NOT NULL,
    state text DEFAULT 'wanted'::text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    near_at timestamp with time zone,
    due_at timestamp with time zone,
    CONSTRAINT turn_mail_has_an_address CHECK (((state = ANY (ARRAY['withdrawn'::text, 'dropped'::text, 'failed'::text])) = (email IS NULL))),
    CONSTRAINT turn_mail_pending_is_due CHECK (((state = 'pending'::text) = (due_at IS NOT NULL))),
    CONSTRAINT turn_mail_state_check CHECK ((state = ANY (ARRAY['wanted'::text, 'withdrawn'::text, 'pending'::text, 'sent'::text, 'dropped'::text, 'failed'::text])))
);

ALTER TABLE ONLY bespeak.turn_mail
    ADD CONSTRAINT turn_mail_pkey PRIMARY KEY (room_id, queue, subject);

CREATE INDEX turn_mail_next ON bespeak.turn_mail USING btree (room_id, queue, place_key) WHERE (state = 'wanted'::text);

CREATE INDEX turn_mail_unplaced ON bespeak.turn_mail USING btree (room_id) WHERE ((state = 'wanted'::text) AND (place_key IS NULL));

CREATE INDEX turn_mail_due ON bespeak.turn_mail USING btree (due_at) WHERE (state = 'pending'::text);

CREATE INDEX turn_mail_share ON bespeak.turn_mail USING btree (room_id, get_byte(subject, 0));

CREATE INDEX turn_mail_owner ON bespeak.turn_mail USING btree (owner);

-- How many mails of a room went to an address, whoever asked for them: a row of `turn_mail` tells of the last
-- turn only, and may be another address by now.
CREATE TABLE bespeak.turn_mail_tally (
    room_id text NOT NULL,
    address bytea NOT NULL,
    mails integer NOT NULL
);

ALTER TABLE ONLY bespeak.turn_mail_tally
    ADD CONSTRAINT turn_mail_tally_pkey PRIMARY KEY (room_id, address);

-- The accounts with the payment provider that operators set at the console, of the whole installation. A
-- payment names the account that it began with as its provider (`stripe-1`), and ends with the keys of that
-- account: so one that buyers pay at no more stays for as long as a payment of it is on record.
CREATE TABLE bespeak.provider_account (
    number integer NOT NULL,
    account_id text NOT NULL,
    is_live boolean NOT NULL,
    account_name text NOT NULL,
    secret_key bytea NOT NULL,
    webhook_secret bytea NOT NULL,
    key_ends_with text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    publishable_key text,
    CONSTRAINT provider_account_account_id_check CHECK (((length(account_id) >= 1) AND (length(account_id) <= 255))),
    CONSTRAINT provider_account_account_name_check CHECK ((length(account_name) <= 200)),
    CONSTRAINT provider_account_key_ends_with_check CHECK ((length(key_ends_with) = 4)),
    CONSTRAINT provider_account_publishable_key CHECK (((publishable_key ~ '^pk_(live|test)_[A-Za-z0-9_]{1,250}$'::text) AND ((publishable_key ~~ 'pk\_live\_%'::text) = is_live))),
    CONSTRAINT provider_account_secret_key_check CHECK ((length(secret_key) <= 4096)),
    CONSTRAINT provider_account_webhook_secret_check CHECK ((length(webhook_secret) <= 4096))
);

ALTER TABLE bespeak.provider_account ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME bespeak.provider_account_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY bespeak.provider_account
    ADD CONSTRAINT provider_account_once UNIQUE (account_id, is_live);

ALTER TABLE ONLY bespeak.provider_account
    ADD CONSTRAINT provider_account_pkey PRIMARY KEY (number);

-- Buyers pay at one account, or none.
CREATE UNIQUE INDEX provider_account_current ON bespeak.provider_account USING btree ((true)) WHERE (ended_at IS NULL);

-- Whether a payment needs an account still is asked without a look at all payments. Each step of a payment
-- writes all indexes of it anew: those of other providers, which have no accounts, do not pay for this one.
CREATE INDEX payment_of_provider ON bespeak.payment USING btree (provider) WHERE (provider ~~ 'stripe%'::text);
