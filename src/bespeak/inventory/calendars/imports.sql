-- name: adopt
-- Gives a standing block to another entry of its calendar: the same place under a new UID.
update bespeak.block set source = $3
where resource_id = $1 and source = $2 and lifted_at is null
returning true
