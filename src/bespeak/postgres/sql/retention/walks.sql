-- Walks along the feed, by which what is past its time is found and let go.

-- The events that a walk reads next, oldest first: so many after its place, up to the first that is
-- younger than the time.
create or replace function bespeak.walked_events(
    in_walk text, in_before timestamptz, in_limit integer)
returns setof bespeak.event
language sql stable
set enable_seqscan = off
as $$
    select (w.e).* from (
        select e, bool_and(e.at <= in_before) over (order by e.horizon, e.position) as is_past
        from bespeak.follower f
        cross join lateral bespeak.events_numbered(f.horizon, f.position, in_limit) e
        where f.name = in_walk
    ) w
    where w.is_past
$$;

-- The next turn of a walk: after which event it begins, and how many events it reads. The feed is read
-- in one order that never changes, so the two name the same events to whoever asks later.
create or replace function bespeak.next_turn(in_walk text, in_before timestamptz, in_limit integer)
returns table (place bigint, events integer)
language sql stable as $$
    select f.position, (
        select count(*) from bespeak.walked_events(in_walk, in_before, in_limit))::integer
    from bespeak.follower f where f.name = in_walk
$$;

-- Begins a turn: keeps the walk to the caller, and says whether the turn is the next one still and nobody
-- else is at it. Nobody waits until what goes is gone from the disk too.
create or replace function bespeak.begin_turn(in_walk text, in_place bigint) returns boolean
language plpgsql as $$
begin
    perform set_config('synchronous_commit', 'off', true);
    perform from bespeak.follower f where f.name = in_walk and f.position = in_place
    for update skip locked;
    return found;
end
$$;

-- Ends a turn: moves its walk on by so many events, or up to the first that is about one of the holds
-- that were left, because somebody has them locked: the next turn meets them again. Null: it stays where
-- it is.
create or replace function bespeak.end_turn(
    in_walk text, in_before timestamptz, in_events integer, left_over uuid[]) returns boolean
language sql as $$
    update bespeak.follower f set horizon = l.horizon, position = l.position
    from (
        select w.horizon, w.position from (
            select e.horizon, e.position,
                coalesce(bool_or(e.hold_id = any(left_over)) over (order by e.horizon, e.position), false)
                    as is_left
            from bespeak.walked_events(in_walk, in_before, in_events) e
        ) w
        where not w.is_left order by w.horizon desc, w.position desc limit 1
    ) l
    where f.name = in_walk
    returning true
$$;

-- The holds of a turn that go: those that ended in nothing. Who paid for a hold, or booked it, may ask
-- for it at any time; it stays.
create or replace function bespeak.ended_holds(in_before timestamptz, in_events integer)
returns setof bespeak.hold
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    select h.*
    from (
        select distinct e.hold_id
        from bespeak.walked_events('ended_holds', in_before, in_events) e
        where e.kind in ('released', 'expired')
    ) e
    join bespeak.hold h on h.resource_id = bespeak.home_of(e.hold_id) and h.hold_id = e.hold_id
    where h.state in ('released', 'expired') and h.ended_at <= in_before
        and not exists (select from bespeak.payment p where p.hold_id = h.hold_id)
        and not exists (
            select from bespeak.booking b
            where b.resource_id = h.resource_id and b.booking_id = h.hold_id)
$$;

-- Lets the holds of a turn go, with their keys; answers how many, and no row where the turn is not the
-- next any more, or all that it could do is locked. It waits for nobody: what is locked is left for
-- another turn. Keys come before holds, as when they are written.
create or replace function bespeak.let_go_holds(
    in_place bigint, in_events integer, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    homes bigint[];
    ids uuid[];
    keyed uuid[];
    deleted uuid[];
    moved boolean;
begin
    -- Looked for before anything is locked: the feed waits for whoever writes.
    select coalesce(array_agg(h.resource_id), '{}'), coalesce(array_agg(h.hold_id), '{}')
    into homes, ids from bespeak.ended_holds(in_before, in_events) h;
    if not bespeak.begin_turn('ended_holds', in_place) then
        return;
    end if;
    keyed := bespeak.lock_keys(homes, ids);
    with got as materialized (
        select h.resource_id, h.hold_id, h.owner, h.idempotency_key
        from unnest(homes, ids) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
        where h.state in ('released', 'expired')
            and (h.idempotency_key is null or h.hold_id = any(keyed) or not exists (
                select from bespeak.hold_key k where k.owner = h.owner
                    and k.idempotency_key = h.idempotency_key and k.hold_id = h.hold_id))
        order by h.resource_id, h.hold_id
        for update of h skip locked
    ), freed as (
        delete from bespeak.hold_key k using got g
        where k.owner = g.owner and k.idempotency_key = g.idempotency_key and k.hold_id = g.hold_id
    ), done as (
        delete from bespeak.hold h using got g
        where h.resource_id = g.resource_id and h.hold_id = g.hold_id
        returning h.hold_id
    ), agreed as (
        delete from bespeak.consent c using got g where c.hold_id = g.hold_id
    ), answered as (
        delete from bespeak.checkout_answers a using got g where a.hold_id = g.hold_id
    )
    select coalesce(array_agg(d.hold_id), '{}') into deleted from done d;
    moved := bespeak.end_turn('ended_holds', in_before, in_events,
        array(select unnest(ids) except select unnest(deleted)));
    return query select cardinality(deleted) where moved or cardinality(deleted) > 0;
end
$$;

-- Locks the keys of holds, but those that another has locked; answers whose keys they are.
create or replace function bespeak.lock_keys(homes bigint[], ids uuid[]) returns uuid[]
language sql as $$
    select array(
        select k.hold_id
        from unnest(homes, ids) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
        join bespeak.hold_key k on k.owner = h.owner and k.idempotency_key = h.idempotency_key
            and k.hold_id = h.hold_id
        order by k.owner, k.idempotency_key
        for update of k skip locked)
$$;

-- Lets the keys go of the holds that were booked in a turn; the holds stay with their bookings. Answers
-- how many, and no row where the turn is not the next any more.
create or replace function bespeak.let_go_keys(
    in_place bigint, in_events integer, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    homes bigint[];
    ids uuid[];
    keyed uuid[];
    moved boolean;
begin
    -- Only those that have a key still.
    select coalesce(array_agg(h.resource_id), '{}'), coalesce(array_agg(h.hold_id), '{}')
    into homes, ids
    from (
        select distinct e.hold_id
        from bespeak.walked_events('booked_keys', in_before, in_events) e
        where e.kind = 'confirmed'
    ) e
    join bespeak.hold h on h.resource_id = bespeak.home_of(e.hold_id) and h.hold_id = e.hold_id
    join bespeak.hold_key k on k.owner = h.owner and k.idempotency_key = h.idempotency_key
        and k.hold_id = h.hold_id;
    if not bespeak.begin_turn('booked_keys', in_place) then
        return;
    end if;
    keyed := bespeak.lock_keys(homes, ids);
    delete from bespeak.hold_key k
    using unnest(homes, ids) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    where k.owner = h.owner and k.idempotency_key = h.idempotency_key and k.hold_id = h.hold_id
        and h.hold_id = any(keyed);
    moved := bespeak.end_turn('booked_keys', in_before, in_events,
        array(select unnest(ids) except select unnest(keyed)));
    return query select cardinality(keyed) where moved or cardinality(keyed) > 0;
end
$$;
