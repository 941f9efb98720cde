-- name: before
-- The instant before which something is past its time of so many days.
select bespeak.now() - make_interval(days => $1)

-- name: next_turn
-- The next turn of a walk along the feed: the event after which it begins, and how many it reads.
select place, events from bespeak.next_turn($1, $2, $3)

-- name: hold_lines
-- The holds of a turn that go, each as a line of the archive.
select to_jsonb(h)::text as line from bespeak.ended_holds($1, $2) h

-- name: let_go_holds
-- Deletes the holds of a turn with their keys; no row where the turn is not the next any more.
select gone from bespeak.let_go_holds($1, $2, $3)

-- name: let_go_keys
-- Deletes the keys of the holds that were booked in a turn; no row as above.
select gone from bespeak.let_go_keys($1, $2, $3)

-- name: next_blocks
-- The next turn of a walk through a table: its blocks. No row while the walk rests.
select first_block, last_block from bespeak.next_blocks($1, $2)

-- name: let_go_answers
-- Deletes the answers past their time in some blocks; no row where the turn is not the next any more.
select gone from bespeak.let_go_answers($1, $2, $3)

-- name: let_go_audit_entries
-- Deletes the entries of the audit log past their time in some blocks; no row as above.
select gone from bespeak.let_go_audit_entries($1, $2, $3)

-- name: let_go_erased_keys
-- Deletes the digests of erased keys past their time in some blocks; no row as above.
select gone from bespeak.let_go_erased_keys($1, $2, $3)

-- name: let_go_buyers
-- Deletes buyers whose documents were kept for the term of the law; how many.
with past as (
    select y.invoice_id from bespeak.invoice_buyer y
    where y.keep_until <= bespeak.now() order by y.keep_until limit $1
    for update skip locked
), gone as (
    delete from bespeak.invoice_buyer y using past p where y.invoice_id = p.invoice_id returning 1
)
select count(*)::integer from gone

-- name: mail_lines
-- The mails of some blocks that go, each as a line of the archive.
select to_jsonb(m)::text as line from bespeak.ended_mails($1, $2, $3) m

-- name: let_go_mails
-- Deletes the mails past their time in some blocks; no row where the turn is not the next any more.
select gone from bespeak.let_go_mails($1, $2, $3)

-- name: make_event_partitions
-- Makes the parts of the feed that will be needed next; how many.
select bespeak.make_event_partitions($1)

-- name: begin_feed_later
-- Lets the feed begin after what is past its time and was read by all; how many pages went.
select bespeak.begin_feed_later($1, $2, $3)

-- name: past_partition
-- The oldest part of which all is before the beginning of the feed; about how many events it has.
select name, events from bespeak.past_partition()

-- name: partition_lines
-- A page of the events of a part that go, behind one, each as a line of the archive.
select to_jsonb(e)::text as line, e.horizon, e.position from bespeak.event e
where e.horizon < $1 and (e.horizon, e.position) > ($2, $3)
    and (e.hold_id is null or not bespeak.is_kept(e.kind))
order by e.horizon, e.position limit $4

-- name: partition_end
-- Before which horizon a part ends.
select p.until_horizon from bespeak.event_partitions() p where p.name = $1

-- name: move_kept_events
-- Moves events of bookings out of a part that is about to go; how many.
select bespeak.move_kept_events($1, $2)

-- name: detach_partition
-- Takes a part out of the feed; false where it must not go.
select bespeak.detach_partition($1)

-- name: drop_partitions
-- Drops the parts that were taken out of the feed; how many.
select bespeak.drop_partitions()

-- name: next_events
-- The next turn of the events that are deleted one by one: the position of the first, and how many.
select (array_agg(e.position order by e.horizon, e.position))[1] as first, count(*)::integer as events
from bespeak.past_events($1, $2) e having count(*) > 0

-- name: event_lines
-- The events of a turn that go, each as a line of the archive.
select to_jsonb(e)::text as line from bespeak.past_events($1, $2) e
where e.hold_id is null or not bespeak.is_kept(e.kind)

-- name: let_go_events
-- Deletes the events of a turn, and keeps those of bookings for their timelines; no row where the turn is
-- not the next any more.
select gone from bespeak.let_go_events($1, $2, $3)

-- name: let_go_waitlist_entries
-- Lets entries of waitlists go that ended before this, so many at most; how many.
select bespeak.let_go_waitlist_entries($1, $2)
