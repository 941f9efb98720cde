-- name: join
-- Puts a party on a list.
select j.outcome, (j.entry).*, j.bound
from bespeak.join_waitlist($1, $2, (select e from (values ($3::uuid)) v(id),
    lateral jsonb_populate_record(cast(null as bespeak.waitlist_entry), jsonb_build_object(
        'entry_id', v.id, 'owner', $4::text, 'contact', $5::text::jsonb, 'wish', $6::text::jsonb,
        'resources', to_jsonb($7::bigint[]), 'party', $8::integer, 'state', 'waiting', 'offers', 0,
        'passed', 0, 'offers_max', $9::integer, 'until', $10::timestamptz,
        'idempotency_key', $11::text, 'fingerprint', $12::bytea, 'instead_of', $14::uuid,
        'instead_begins_at', $15::timestamptz)) e), $13) j

-- name: get
-- An entry with its list's workspace, the offer that it has or had last, and how many wait before it. By lot
-- nobody knows who comes before.
select e.*, w.workspace, w.policy, o.number, o.hold_id, o.state as offer_state, o.offered_at, o.ends_at,
    o.taken_up_at, h.expires_at, h.amount, h.currency,
    case when e.state = 'waiting' and w.policy <> 'lottery' then (
        select count(*) from bespeak.waitlist_entry b where b.waitlist_id = e.waitlist_id
            and b.state = 'waiting' and b.place < e.place) end as ahead
from bespeak.waitlist_entry e
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
left join bespeak.waitlist_offer o on o.entry_id = e.entry_id and o.number = e.offers
left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
where e.entry_id = $1 and ($2::text is null or w.workspace = $2)

-- name: take_up
-- Notes that an offer was taken up, and answers its hold.
select bespeak.take_up_waitlist_offer($1)

-- name: settle
-- Ends the offer of one entry, if its hold has ended.
select bespeak.settle_waitlist_offers($1, 1)

-- name: withdraw
-- Takes an entry off its list.
select bespeak.leave_waitlist($1, 'withdrawn', null, null, $2)

-- name: remove
-- Takes an entry off its list as an operator's act.
select bespeak.leave_waitlist($1, 'over', 'removed', $2, $3)

-- name: of_owner
-- All that is known of an owner's entries.
select e.*, w.workspace, w.policy, o.number, o.hold_id, o.state as offer_state, o.offered_at, o.ends_at,
    o.taken_up_at, h.expires_at, h.amount, h.currency, null::bigint as ahead
from bespeak.waitlist_entry e
join bespeak.waitlist w on w.waitlist_id = e.waitlist_id
left join bespeak.waitlist_offer o on o.entry_id = e.entry_id and o.number = e.offers
left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
where e.owner = $1
order by e.created_at, e.entry_id

-- name: erase
-- Takes an owner out of its entries, which wait no more.
select bespeak.erase_waitlist_entries($1, $2)
