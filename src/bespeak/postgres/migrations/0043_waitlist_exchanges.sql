-- Waiting for something better: an entry may name a booking of its owner's, which is given back for what it
-- is offered once that is booked.

-- Whether a list allows it, and on which terms: `free` gives all of the money back, whatever the terms of
-- cancellation say.
alter table bespeak.waitlist
    add column exchange text not null default 'none' check (exchange in ('none', 'free'));

-- `instead_begins_at` is when the first night, hour or stop of that booking begins; null where it has none,
-- for then it begins when its resource does.
alter table bespeak.waitlist_entry
    add column instead_of uuid,
    add column instead_begins_at timestamptz;

-- A booking is given back once: one party at most waits to.
create unique index waitlist_entry_instead_of on bespeak.waitlist_entry (instead_of)
    where instead_of is not null and state in ('waiting', 'offered');

-- What is given back when the hold of an offer is confirmed. It stands with the hold, so that confirming asks
-- nothing but what it is given.
alter table bespeak.waitlist_offer add column instead_of uuid;
create index waitlist_offer_instead_of on bespeak.waitlist_offer (instead_of) where instead_of is not null;
