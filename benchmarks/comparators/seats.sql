-- Comparators (a), (c) and (d): every seat has a row, filled in when the show is opened.
create table seat (
  show_id bigint not null,
  unit text not null,
  hold_id uuid,
  expires_at timestamptz,
  version int not null default 1,
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

-- Rows A, B, ...; seats 1, 2, ...
create function open_shows(first_id bigint, shows int, row_count int, seat_count int)
returns void language sql as $$
  insert into seat (show_id, unit)
  select first_id + n, chr(64 + r) || s
  from generate_series(0, shows - 1) n, generate_series(1, row_count) r,
       generate_series(1, seat_count) s
$$;
