-- What is known of deliveries, so that those that wait can come at once after an outage.

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
