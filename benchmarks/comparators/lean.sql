-- The leanest honest rival: one function call, one transaction, one round trip a request.
create table show (
  show_id bigint primary key,
  row_count int not null,
  seat_count int not null
);

create table claim (
  show_id bigint not null,
  unit text collate "C" not null,
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
  idempotency_key text not null
);
-- One index serves both the idempotency key and the limit per owner.
create unique index on hold (show_id, owner, idempotency_key);

create table event (
  position bigint generated always as identity primary key,
  show_id bigint not null,
  kind text not null,
  hold_id uuid not null,
  units text[] not null,
  at timestamptz not null default now()
);

create function open_shows(first_id bigint, shows int, row_count int, seat_count int)
returns void language sql as $$
  insert into show select first_id + n, row_count, seat_count from generate_series(0, shows - 1) n
$$;

-- Returns the hold's id and expiry: another id than the one given when the key was used before.
-- Raises UT409 (seat taken), UL409 (limit) or UK422 (key reused), which rolls everything back.
create function place_hold(
  new_id uuid, new_show bigint, new_owner text, new_units text[], new_key text,
  hold_seconds int, owner_limit int, out id uuid, out lapses timestamptz
) language plpgsql as $$
declare
  old_units text[];
  claimed int;
begin
  id := new_id;
  lapses := now() + make_interval(secs => hold_seconds);
  insert into hold values (new_id, new_show, new_owner, 'held', new_units, lapses, new_key)
    on conflict (show_id, owner, idempotency_key) do nothing;
  if not found then
    select h.hold_id, h.expires_at, h.units into id, lapses, old_units from hold h
      where h.show_id = new_show and h.owner = new_owner and h.idempotency_key = new_key;
    if old_units <> new_units then
      raise exception using errcode = 'UK422', message = 'idempotency_key_reused';
    end if;
    return;
  end if;
  if (select sum(cardinality(h.units)) from hold h where h.show_id = new_show and h.owner = new_owner
      and (h.state = 'confirmed' or h.expires_at > now())) > owner_limit then
    raise exception using errcode = 'UL409', message = 'limit_reached';
  end if;
  insert into claim select new_show, u, new_id, lapses from unnest(new_units) u
    on conflict (show_id, unit) do update
      set hold_id = excluded.hold_id, expires_at = excluded.expires_at
      where claim.expires_at <= now();
  get diagnostics claimed = row_count;
  if claimed < cardinality(new_units) then
    raise exception using errcode = 'UT409', message = 'unit_taken';
  end if;
  insert into event (show_id, kind, hold_id, units) values (new_show, 'held', new_id, new_units);
end
$$;

-- No row when the hold is not the owner's, not held or lapsed.
create function confirm_hold(the_id uuid, the_owner text)
returns table (show_id bigint, units text[]) language sql as $$
  with sold as (
    update hold h set state = 'confirmed'
      where h.hold_id = the_id and h.owner = the_owner and h.state = 'held' and h.expires_at > now()
      returning h.show_id, h.hold_id, h.units
  ), kept as (
    update claim c set expires_at = 'infinity' from sold s
      where c.show_id = s.show_id and c.unit = any(s.units) and c.hold_id = s.hold_id
  ), told as (
    insert into event (show_id, kind, hold_id, units)
      select s.show_id, 'confirmed', s.hold_id, s.units from sold s
  )
  select s.show_id, s.units from sold s
$$;
