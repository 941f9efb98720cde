-- Who did it, with each event: a key, a person at the console, `shopper`, `sweeper`, a payment provider.
-- It is null of what was written before, and of who writes by SQL or the library without saying it.
alter table bespeak.event add column actor text,
    add constraint event_actor_is_short check (length(actor) between 1 and 64);
alter table bespeak.kept_event add column actor text;

-- The timeline of a hold has its beginning and its end from its own row. Their length is that of the
-- event that is written with them.
alter table bespeak.hold add column placed_by text, add column ended_by text;

-- Who began a payment or a refund. Who called a resource off: its batches come later, from the background.
alter table bespeak.payment add column begun_by text;
alter table bespeak.refund add column begun_by text;
alter table bespeak.cancellation add column begun_by text;

-- Requests that share a batch come from several: each says who makes it.
alter type bespeak.hold_request add attribute actor text;
alter type bespeak.change_request add attribute actor text;
alter type bespeak.payment_request add attribute actor text;
alter type bespeak.settle_request add attribute actor text;
alter type bespeak.refund_report add attribute actor text;
alter type bespeak.check_in_request add attribute actor text;
alter type bespeak.lost_payment add attribute actor text;
