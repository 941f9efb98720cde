-- Those who wait in a waiting room are told what is left by category, and for how many of them it lasts.

-- The categories of what is behind the room, each with its resource, its name, how many units it has and has
-- left, and how many more places will be called until the last one of it is taken (null: not known yet); as
-- it was looked at last. Null: nothing is counted by category.
alter table bespeak.waiting_room add column categories jsonb;
