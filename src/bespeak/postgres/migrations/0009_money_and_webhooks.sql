-- What was really taken of a buyer is kept, and what is known of deliveries, so that those that wait can
-- come at once after an outage.

-- What the provider really took, and in what; no currency: nothing was taken. No more than that goes back.
alter table bespeak.payment
    add column captured bigint not null default 0 check (captured >= 0),
    add column captured_currency text;
update bespeak.payment set captured = amount, captured_currency = currency
where state in ('captured', 'refunded');
alter table bespeak.payment
    drop constraint payment_refunds_within_amount,
    add constraint payment_refunds_within_amount check (0 <= refunded and refunded <= refunding
        and refunding <= case when captured_currency is null then amount else captured end),
    add constraint payment_captured_in_a_currency
        check ((state in ('captured', 'refunded')) <= (captured_currency is not null));

-- The bank may take another amount than it reserved.
alter table bespeak.sandbox_payment add column captured bigint not null default 0;
update bespeak.sandbox_payment set captured = amount where state = 'captured';
alter table bespeak.sandbox_payment
    drop constraint sandbox_payment_refunds_within_amount,
    drop constraint sandbox_payment_refunded_if_captured,
    add constraint sandbox_payment_refunds_within_captured
        check (0 <= refunded and refunded <= refunding and refunding <= captured),
    add constraint sandbox_payment_captured_so_much check ((state = 'captured') <= (captured > 0));

-- A delivery that a worker has until `due_at` is leased: nobody pulls it forward. One that was pulled
-- forward in its present delay has the time at which it was due without that.
alter table bespeak.webhook_delivery
    add column leased boolean not null default false,
    add column planned_at timestamptz;

-- The last outage (nothing but failures), until all that waited because of it was pulled forward.
alter table bespeak.webhook_endpoint
    add column outage_from timestamptz,
    add column outage_until timestamptz,
    add constraint webhook_endpoint_outage_has_both_ends
        check ((outage_from is null) = (outage_until is null));
