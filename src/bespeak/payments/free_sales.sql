-- name: give_free
-- Makes a hold cost nothing, and writes down why.
select outcome, answered_at, hold from bespeak.give_free($1, $2, $3, $4)
