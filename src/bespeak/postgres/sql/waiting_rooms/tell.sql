-- What waiting rooms tell the feed.

-- Tells it as an event of the first resource that is behind the room, with why, where that is not plain.
create or replace function bespeak.tell_waiting_room(
    in_kind text, in_room text, in_reason text, in_actor text) returns void
language sql volatile as $$
    insert into bespeak.event (resource_id, horizon, kind, at, data, actor)
    select min(t.resource_id), bespeak.horizon(), in_kind, bespeak.now(),
        jsonb_strip_nulls(jsonb_build_object('waiting_room_id', in_room, 'reason', in_reason)), in_actor
    from bespeak.waiting_room_resource t where t.room_id = in_room
    having min(t.resource_id) is not null
$$;
