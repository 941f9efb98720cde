-- Invoices and credit notes, which stay as they were issued; what a buyer wants to stand on them; and what
-- the desk gave for nothing.

-- What a buyer says of the company that an invoice is for, until the invoice is issued.
create table bespeak.billing (
    resource_id bigint not null,
    booking_id uuid not null,
    details jsonb not null check (jsonb_typeof(details) = 'object'),
    changed_at timestamptz not null,
    primary key (resource_id, booking_id)
);

-- How far the numbers of a series were given out. The row is locked until the document that has the
-- number is written, so none is given twice and none is lost; `last_at` is when the last was issued, so
-- that a later number never has an earlier date.
create table bespeak.invoice_series (
    workspace text collate "C" not null,
    prefix text collate "C" not null,
    last integer not null check (last > 0),
    last_at timestamptz not null,
    primary key (workspace, prefix)
);

-- What was issued, of one payment or of one refund. `resource_id` is the home of the booking, `place` the
-- number within its series, and `content` all that stands on it but the buyer.
create table bespeak.invoice (
    invoice_id uuid primary key,
    resource_id bigint not null,
    booking_id uuid not null,
    workspace text collate "C" not null,
    prefix text collate "C" not null,
    place integer not null check (place > 0),
    kind text not null check (kind in ('invoice', 'credit_note')),
    payment_id uuid not null,
    refund_id uuid,
    corrects uuid references bespeak.invoice,
    amount bigint not null check (amount > 0),
    currency text not null,
    issued_at timestamptz not null,
    content jsonb not null,
    constraint invoice_number unique (workspace, prefix, place),
    constraint invoice_credit_note_of_a_refund
        check ((kind = 'credit_note') = (refund_id is not null and corrects is not null))
);
create unique index invoice_of_payment on bespeak.invoice (payment_id) where kind = 'invoice';
create unique index invoice_of_refund on bespeak.invoice (refund_id) where refund_id is not null;
create index invoice_of_booking on bespeak.invoice (booking_id);
create index invoice_issued on bespeak.invoice (workspace, issued_at, invoice_id);

-- To whom a document was issued, kept apart: it goes when the term is over for which the law wants it
-- kept, and the document stays, that the numbers have no gap.
create table bespeak.invoice_buyer (
    invoice_id uuid primary key references bespeak.invoice,
    buyer jsonb not null check (jsonb_typeof(buyer) = 'object'),
    keep_until timestamptz not null
);
create index invoice_buyer_term on bespeak.invoice_buyer (keep_until);

-- Which payments have no invoice yet, and which refunds no credit note, is asked by when they ended.
create index payment_captured on bespeak.payment using brin (captured_at)
    with (pages_per_range = 32, autosummarize = on);
create index refund_ended on bespeak.refund using brin (ended_at)
    with (pages_per_range = 32, autosummarize = on);

-- Holds that the desk gives for nothing: why, how many units, what they would have cost, and who said so.
create table bespeak.free_sale (
    resource_id bigint not null,
    hold_id uuid not null,
    reason text not null check (reason in ('guest_list', 'press', 'staff', 'sponsor', 'other')),
    units integer not null check (units > 0),
    worth bigint not null check (worth >= 0),
    currency text not null,
    given_at timestamptz not null,
    given_by text,
    primary key (resource_id, hold_id)
);
create index free_sale_given on bespeak.free_sale (given_at);
