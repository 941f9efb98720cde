-- name: owners_after
-- The owners of the next holds, in the order of the keys.
select h.resource_id, h.hold_id, h.owner from bespeak.hold h
where (h.resource_id, h.hold_id) > ($1, $2::uuid)
order by h.resource_id, h.hold_id limit $3
