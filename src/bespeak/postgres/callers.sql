-- name: begin
-- Makes a driver begin that does so at the first statement of a transaction.
select 1

-- name: savepoint
-- Begins what can be undone without the caller's transaction.
savepoint bespeak

-- name: undo
-- Undoes it.
rollback to savepoint bespeak

-- name: keep
-- Makes it part of the caller's transaction.
release savepoint bespeak
