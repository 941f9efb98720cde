-- name: of_list
-- A page of the entries of a list, by place. In a state, or in any.
select e.*, w.workspace, w.policy, o.number, o.hold_id, o.state as offer_state, o.offered_at, o.ends_at,
    o.taken_up_at, h.expires_at, h.amount, h.currency, null::bigint as ahead
from (
    select e.* from bespeak.waitlist_entry e
    where e.waitlist_id = $1 and ($2::text is null or e.owner = $2)
        and ($3::text is null or e.state = $3) and e.place > $4
    order by e.place
    limit $5
) e
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id and ($6::text is null or w.workspace = $6)
left join bespeak.waitlist_offer o on o.entry_id = e.entry_id and o.number = e.offers
left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
order by e.place

-- name: of_owner
-- A page of the entries of an owner: those that waited or were offered something when the first page was
-- read ($6; null: this is it), then those that had ended; of each the newest first. By that time, what ends
-- while pages are read stays where it was, and is neither told twice nor passed over. The page begins behind
-- an entry: whether it had ended ($3; null: at the first), when it was made ($4), and which ($5).
with seen as materialized (select coalesce($6::timestamptz, bespeak.now()) as at)
select e.*, w.workspace, w.policy, o.number, o.hold_id, o.state as offer_state, o.offered_at, o.ends_at,
    o.taken_up_at, h.expires_at, h.amount, h.currency, null::bigint as ahead
from (
    select e.*, seen.at as seen_at, t.had_ended
    from bespeak.waitlist_entry e
    cross join seen
    join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
    cross join lateral (select coalesce(e.ended_at <= seen.at, false) as had_ended) t
    where e.owner = $1 and ($2::text is null or e.state = $2) and ($7::text is null or w.workspace = $7)
        and ($3::boolean is null or t.had_ended > $3 or t.had_ended = $3
            and (e.created_at < $4 or e.created_at = $4 and e.entry_id > $5))
    order by t.had_ended, e.created_at desc, e.entry_id
    limit $8
) e
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
left join bespeak.waitlist_offer o on o.entry_id = e.entry_id and o.number = e.offers
left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
order by e.had_ended, e.created_at desc, e.entry_id
