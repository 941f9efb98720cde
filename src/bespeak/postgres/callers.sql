-- name: begin
-- Makes a driver begin that does so at the first statement of a transaction.
select 1
