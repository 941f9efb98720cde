-- Whose a claim was, where its holder took it over after a lapse: who loses something else at the same
-- time gives it back. The lapsed hold still has to tell, when it ends, that the unit is free.
alter table bespeak.claim add column taken_from uuid;
