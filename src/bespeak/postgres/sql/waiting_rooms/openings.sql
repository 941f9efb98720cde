-- Openings of waiting rooms that were taken back.

-- Those of a room, the first of them first, as everybody may see them: what the draw followed from then.
create or replace function bespeak.openings_taken_back(in_room text) returns jsonb
language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('opened_at', o.opened_at,
        'taken_back_at', o.taken_back_at, 'seed_hash', encode(sha256(o.seed), 'hex'),
        'seed', encode(o.seed, 'hex'), 'public_value', o.public_value) order by o.opening_id), '[]')
    from bespeak.waiting_opening o where o.room_id = in_room
$$;
