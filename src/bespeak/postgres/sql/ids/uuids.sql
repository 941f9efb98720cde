-- Ids of holds, bookings and blocks: UUIDs that carry their home.

-- A hold, booking or block id is a UUID version 8:
--   tttttttt-tttt-8HHH-vHHH-HHHHrrrrrrrr
-- 48 bits of milliseconds, 40 bits of home resource, 32 random bits; v is 8 for holds
-- and bookings and 9 for blocks, so that a claim row alone tells booked from blocked.
create or replace function bespeak.new_id(home bigint, is_block boolean default false) returns uuid
language sql volatile as $$
    select (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
        || '8' || substr(h.hex, 1, 3)
        || case when is_block then '9' else '8' end || substr(h.hex, 4, 7)
        || substr(replace(gen_random_uuid()::text, '-', ''), 1, 8))::uuid
    from (select lpad(to_hex(home), 10, '0') as hex) h
$$;

-- The home resource of a hold, booking or block, read from its id alone.
create or replace function bespeak.home_of(hold_id uuid) returns bigint
language sql immutable strict parallel safe as $$
    select ('x' || substr(t.hex, 14, 3) || substr(t.hex, 18, 7))::bit(40)::bigint
    from (select replace(hold_id::text, '-', '') as hex) t
$$;

-- Whether an id is one of a block, and not of a hold or booking.
create or replace function bespeak.is_block(hold_id uuid) returns boolean
language sql immutable strict parallel safe as $$
    select substr(hold_id::text, 20, 1) = '9'
$$;
