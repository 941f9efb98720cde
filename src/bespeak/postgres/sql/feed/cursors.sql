-- Cursors: a place of the feed as its followers keep it.

-- The cursor of a position: behind it, in the epoch in which it was given.
create or replace function bespeak.cursor_text(in_position bigint) returns text
language sql stable as $$
    select to_hex(coalesce(max(e.epoch), 0)) || '-' || to_hex(in_position)
    from bespeak.feed_epoch e where e.begins < in_position
$$;

-- The position of a cursor, if the feed up to there is the one that the cursor was given out for: that of
-- its epoch, up to where the next one began. Raises BS004, and BS080 with a cursor to go on from: up to
-- there both are the same. It is null where nobody can say.
create or replace function bespeak.cursor_position(in_cursor text) returns bigint
language plpgsql stable as $$
declare
    v_epoch bigint;
    v_position bigint;
    v_same bigint;
    v_last constant bigint := (select max(e.epoch) from bespeak.feed_epoch e);
begin
    if coalesce(in_cursor, '0-0') = '0-0' then
        return bespeak.kept_position(case when in_cursor is not null then 0 end);
    elsif in_cursor !~ '^[0-9a-f]{1,16}-[0-9a-f]{1,15}$' then
        perform bespeak.refuse('invalid_request', 'BS004', jsonb_build_object('field', 'cursor'));
    end if;
    v_epoch := bespeak.hex_number(split_part(in_cursor, '-', 1));
    v_position := bespeak.hex_number(split_part(in_cursor, '-', 2));
    select coalesce((select min(n.begins) from bespeak.feed_epoch n where n.epoch > e.epoch),
        bespeak.feed_end())
    into v_same from bespeak.feed_epoch e where e.epoch = v_epoch;
    -- A standby may not have heard of it yet: it is behind the server that gave it out.
    if v_position <= v_same or pg_is_in_recovery()
        and (v_epoch = v_last or (v_epoch >> 32) > coalesce(v_last >> 32, 0))
    then
        return bespeak.kept_position(v_position);
    end if;
    perform bespeak.refuse('cursor_of_another_life', 'BS080', jsonb_build_object('cursor',
        to_hex(v_last) || '-' || to_hex(v_same)));
end
$$;

-- The position, if all that is behind it is still kept; without one (null) that before the oldest event
-- there is. Raises BS081 with the cursor from which on there is all.
create or replace function bespeak.kept_position(in_position bigint) returns bigint
language plpgsql stable as $$
declare
    v_oldest constant bigint := coalesce((
        select p.first from bespeak.feed_page p order by p.first limit 1), 1);
begin
    if in_position < v_oldest - 1 then
        perform bespeak.refuse('cursor_expired', 'BS081', jsonb_build_object('cursor',
            bespeak.cursor_text(v_oldest - 1)));
    end if;
    return coalesce(in_position, v_oldest - 1);
end
$$;

-- The number that a text in hexadecimal is.
create or replace function bespeak.hex_number(digits text) returns bigint
language sql immutable strict as $$
    select ('x' || lpad(digits, 16, '0'))::bit(64)::bigint
$$;
