-- What merchants ask buyers at checkout, and what these answered.

-- With a default that is a constant, no row is written anew.
alter table bespeak.resource add column questions jsonb not null default '[]'
    constraint resource_questions_are_a_list check (jsonb_typeof(questions) = 'array');

-- Whether anything is asked in a workspace at all, which each confirmation wants to know.
create index resource_asking on bespeak.resource (workspace) where questions <> '[]';

-- The answers of a hold, all of them in one row, before the hold is confirmed and after. `resource_id` is the
-- home of the hold.
create table bespeak.checkout_answers (
    hold_id uuid primary key,
    resource_id bigint not null,
    answers jsonb not null check (jsonb_typeof(answers) = 'array'),
    answered_at timestamptz not null
);
