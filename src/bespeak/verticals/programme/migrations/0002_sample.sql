-- The sample that a workspace has to look around with: what was made for it, and is taken away with it.
create table programme.sample (
    workspace text primary key,
    venue_id text,
    hall_ids text[] not null default '{}',
    production_ids text[] not null default '{}',
    added_at timestamptz not null
);
