-- Waiting rooms and waitlists keep their word: whose pass has ended buys no more, what a draw is mixed with
-- stands before anybody joins, an opening that was taken back stays to be seen, and a sale that opens by time
-- goes to who waits for it.

-- A person has one row, so what was given before stands in none: until when the last of those passes would be
-- good by itself. Null where all of them are over.
alter table bespeak.waiting_pass add column earlier_until timestamptz;
create index waiting_pass_over_early on bespeak.waiting_pass (room_id, greatest(given_at, ended_at))
    where ended_as in ('bought', 'left') or earlier_until is not null;

-- Whether people could join at any time, also where the queue was said to open later since: from then on the
-- public value stands.
alter table bespeak.waiting_room add column joining_began boolean not null default false;
update bespeak.waiting_room set joining_began = true where early_opens_at <= now() or opened_at is not null;

-- Openings that were taken back: what the draw followed from then, which was told, and follows from no more.
create table bespeak.waiting_opening (
    room_id text not null references bespeak.waiting_room (room_id),
    opening_id bigint generated always as identity,
    opened_at timestamptz not null,
    taken_back_at timestamptz not null,
    seed bytea not null,
    public_value text not null,
    primary key (room_id, opening_id)
);

-- As of when a list was looked at last: a resource of it that has opened since is to be looked at.
alter table bespeak.waitlist add column matched_at timestamptz not null default '-infinity';
