-- How many places are taken is counted by the engine: bespeak.places_taken.
drop function programme.taken(bigint, text[], timestamptz);
