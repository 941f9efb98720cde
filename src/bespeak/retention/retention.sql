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

-- name: mail_lines
-- The mails of some blocks that go, each as a line of the archive.
select to_jsonb(m)::text as line from bespeak.ended_mails($1, $2, $3) m

-- name: let_go_mails
-- Deletes the mails past their time in some blocks; no row where the turn is not the next any more.
select gone from bespeak.let_go_mails($1, $2, $3)
