-- Changing a stay: a hold may be for other nights in place of a booking of the same owner's, which is
-- cancelled by what confirms it.

-- Of such a hold: `instead_of` (that booking), `begins_at` (when it begins), what it had then
-- (`known_units`, `known_cancelled`), what of that the new one keeps (`kept`), the pool of one by which only
-- one hold at once is in place of it (`mark`), and what the hold is once it is confirmed (`then`). Until then
-- it has of its own only what the booking has not. Null of all others.
alter table bespeak.hold add column exchange jsonb;
