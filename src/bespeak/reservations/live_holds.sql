-- name: owned_holds
-- A page of an owner's holds that are still good, those that end first, after a place in that order.
-- It reads the index of what is due: there is none by owner (see below).
select h.*, bespeak.now() as answered_at from bespeak.hold h
where h.state = 'held' and h.owner = $1 and h.expires_at > (select bespeak.now())
    and ($2::timestamptz is null or (h.expires_at, h.hold_id) > ($2, $3::uuid))
order by h.expires_at, h.hold_id limit $4

-- name: live_holds
-- The holds of some owners or of all, of a workspace or of any, that are still good, those that end
-- first. There is an index of holds by when they are due and none by owner, which each placing of a hold
-- would have to pay for.
select h.*, bespeak.now() as answered_at from bespeak.hold h
where h.state = 'held' and h.expires_at > (select bespeak.now())
    and ($1::text[] is null or h.owner = any($1))
    and ($3::text is null or exists (select from bespeak.resource w
        where w.resource_id = h.resource_id and w.workspace = $3))
order by h.expires_at, h.hold_id limit $2
