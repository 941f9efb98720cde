-- The ordinary way of ranges: an exclusion constraint, in one function call and one transaction a
-- hold, with its hold row, its idempotency key, the limit of its owner and its event.
create extension if not exists btree_gist;

create table hold (
  hold_id uuid primary key,
  resource text not null,
  owner text not null,
  expires_at timestamptz not null,
  idempotency_key text not null
);
create unique index on hold (resource, owner, idempotency_key);

create table taken (
  resource text not null,
  unit text not null,
  during int4range not null,
  hold_id uuid not null,
  exclude using gist (resource with =, unit with =, during with &&)
);

create table event (
  position bigint generated always as identity primary key,
  resource text not null,
  kind text not null,
  hold_id uuid not null,
  unit text not null,
  during int4range not null,
  at timestamptz not null default now()
);

create function hold_range(
  new_id uuid, new_resource text, new_unit text, new_owner text, new_key text, begins int, ends int,
  hold_seconds int, owner_limit int
) returns uuid language plpgsql as $$
begin
  insert into hold
    values (new_id, new_resource, new_owner, now() + make_interval(secs => hold_seconds), new_key);
  if (select count(*) from hold h where h.resource = new_resource and h.owner = new_owner
      and h.expires_at > now()) > owner_limit then
    raise exception 'limit_reached';
  end if;
  -- A lapsed hold would be in the way: a constraint cannot know the time.
  delete from taken t using hold h
    where t.resource = new_resource and t.unit = new_unit and t.during && int4range(begins, ends)
      and h.hold_id = t.hold_id and h.expires_at <= now();
  insert into taken values (new_resource, new_unit, int4range(begins, ends), new_id);
  insert into event (resource, kind, hold_id, unit, during)
    values (new_resource, 'held', new_id, new_unit, int4range(begins, ends));
  return new_id;
end
$$;
