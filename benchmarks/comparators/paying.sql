-- The payments of the comparator that is paid, and the books of its bank. Beside seats.sql.
create table payment (
  payment_id uuid primary key,
  hold_id uuid not null references hold,
  owner text not null,
  state text not null check (state in ('pending', 'authorized', 'captured', 'failed')),
  amount bigint not null,
  reference text,
  created_at timestamptz not null default now()
);
-- A hold is paid once.
create unique index on payment (hold_id) where state <> 'failed';

create table bank_payment (
  payment_id uuid primary key,
  reference text not null unique,
  token text not null,
  state text not null check (state in ('authorized', 'captured', 'failed')),
  amount bigint not null,
  created_at timestamptz not null default now()
);
