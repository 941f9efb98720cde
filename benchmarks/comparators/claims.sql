-- Comparator (b): a row only for a taken seat.
create table claim (
  show_id bigint not null,
  unit text not null,
  hold_id uuid not null,
  expires_at timestamptz not null,
  primary key (show_id, unit)
);

create table hold (
  hold_id uuid primary key,
  show_id bigint not null,
  owner text not null,
  state text not null check (state in ('held', 'confirmed')),
  units text[] not null,
  expires_at timestamptz not null,
  idempotency_key text not null,
  unique (owner, idempotency_key)
);
-- For the limit per owner.
create index on hold (show_id, owner);

create table event (
  position bigint generated always as identity primary key,
  show_id bigint not null,
  kind text not null,
  hold_id uuid not null,
  units text[] not null,
  at timestamptz not null default now()
);

-- Nothing to fill in: a free seat needs no row.
create function open_shows(first_id bigint, shows int, row_count int, seat_count int)
returns void language sql as $$ select $$;
