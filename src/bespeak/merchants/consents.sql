-- name: keep
-- Says that the owner of a live hold accepts a wording. No row where that was said before, where the hold is
-- over, or is somebody else's: what is asked next answers that.
insert into bespeak.consent (hold_id, resource_id, digest, consented_at)
select h.hold_id, h.resource_id, $4, bespeak.now() from bespeak.hold h
where h.resource_id = $1 and h.hold_id = $2 and h.owner = $3 and h.state = 'held'
on conflict (hold_id, digest) do nothing

-- name: is_missing
-- Whether a live hold of this owner has no consent to this wording. A repeat of what was done under terms
-- that have changed since is let through, and so is what the next statement refuses anyway.
select exists (select from bespeak.hold h
    where h.resource_id = $1 and h.hold_id = $2 and h.owner = $3 and h.state = 'held'
        and not exists (select from bespeak.consent c where c.hold_id = h.hold_id and c.digest = $4))

-- name: of_hold
-- What was accepted of a hold, the earliest first.
select c.digest, c.consented_at, t.wording from bespeak.consent c
left join bespeak.merchant_terms t on t.digest = c.digest
where c.hold_id = $1 order by c.consented_at, c.digest

-- name: wording
-- A wording of terms.
select t.wording from bespeak.merchant_terms t where t.digest = $1
