-- The bank of the sandbox keeps what a payment was ordered for, as other providers do: our own books may
-- come back from a failover without the hold and the payment.

alter table bespeak.sandbox_payment add column ordered jsonb;
alter type bespeak.sandbox_order add attribute ordered jsonb;

-- A payment that its provider has and our record lost: the payment, the hold that it was for, and
-- whether it is to be given back. `captured` is what was taken of it: nothing, while it is only reserved.
create type bespeak.lost_payment as (
    home bigint,
    payment_id uuid,
    hold_id uuid,
    owner text,
    provider text,
    reference text,
    amount bigint,
    currency text,
    captured bigint,
    created_at timestamptz,
    resources bigint[],
    units text[],
    quantities integer[],
    shown_quantities integer[],
    shown jsonb,
    is_to_return boolean
);
