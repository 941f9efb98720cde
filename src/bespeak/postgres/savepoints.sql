-- name: savepoint
-- Begins what can be undone without the rest of the transaction.
savepoint bespeak

-- name: undo
-- Undoes it, and lets go of what it locked.
rollback to savepoint bespeak

-- name: keep
-- Makes it part of the transaction.
release savepoint bespeak
