-- Offers: a hold that was placed for an entry becomes its offer, and ends as its hold does.

-- Makes the hold that this transaction has placed the offer of an entry that waits. False: it waits no more,
-- or this offer was made already; the caller undoes the hold. Those before it that want something there
-- were passed by once more: counted where the list asks for it, and as far as it does, so that an offer does
-- not write a row for each of a thousand who wait.
create or replace function bespeak.make_waitlist_offer(
    in_entry uuid, in_number integer, in_hold uuid, in_longer_seconds integer) returns boolean
language plpgsql as $$
declare
    v_entry bespeak.waitlist_entry;
    v_hold bespeak.hold;
begin
    update bespeak.waitlist_entry e set state = 'offered', offers = in_number
    where e.entry_id = in_entry and e.state = 'waiting' and e.offers = in_number - 1
        and (e.until is null or e.until > bespeak.now())
    returning e.* into v_entry;
    if not found then
        return false;
    end if;
    -- Who accepts at the last moment still has the usual time for the checkout.
    update bespeak.hold h
    set extends_until = greatest(h.extends_until, h.expires_at + make_interval(secs => in_longer_seconds))
    where h.resource_id = bespeak.home_of(in_hold) and h.hold_id = in_hold and h.state = 'held'
    returning h.* into v_hold;
    if not found then
        raise exception 'the hold % of an offer is not held', in_hold;
    end if;
    insert into bespeak.waitlist_offer (entry_id, number, hold_id, state, offered_at, ends_at,
        instead_of)
    values (in_entry, in_number, in_hold, 'standing', bespeak.now(), v_hold.expires_at,
        v_entry.instead_of);
    update bespeak.waitlist_entry e set passed = e.passed + 1
    from bespeak.waitlist w
    where w.waitlist_id = v_entry.waitlist_id and e.waitlist_id = w.waitlist_id and e.state = 'waiting'
        and e.place < v_entry.place and e.passed < w.passes_max and e.resources && v_hold.resources;
    perform bespeak.tell_waitlist('waitlist_offered', v_entry, in_hold, 'system');
    return true;
end
$$;

-- Notes that an offer was taken up: its owner has gone on to the checkout. Only once.
create or replace function bespeak.take_up_waitlist_offer(in_entry uuid) returns uuid
language sql volatile as $$
    update bespeak.waitlist_offer o set taken_up_at = coalesce(o.taken_up_at, bespeak.now())
    where o.entry_id = in_entry and o.state = 'standing'
    returning o.hold_id
$$;

-- Ends the offers whose holds have ended, so many at most, of one entry or of all, and says how many. The
-- hold alone decides: confirmed, it was accepted; released, declined; lapsed, it lapsed. An entry that was
-- withdrawn or removed stays so, unless it was bought before; who declined or let it lapse waits on only
-- where it asked for more offers than it had.
create or replace function bespeak.settle_waitlist_offers(in_entry uuid, in_limit integer) returns integer
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
    v_now constant timestamptz := bespeak.now();
    v_count integer := 0;
    v_entry bespeak.waitlist_entry;
    r record;
begin
    for r in
        select o.entry_id, o.number, o.hold_id, case h.state when 'confirmed' then 'accepted'
            when 'released' then 'declined' else 'lapsed' end as ending
        from bespeak.waitlist_offer o
        left join bespeak.hold h on h.resource_id = bespeak.home_of(o.hold_id) and h.hold_id = o.hold_id
        where o.state = 'standing' and (in_entry is null or o.entry_id = in_entry)
            and (h.state is distinct from 'held' or h.expires_at <= v_now)
        order by o.entry_id limit in_limit
        for update of o skip locked
    loop
        if in_entry is null then
            -- One that is lent is settled by the next look: others are not to wait for it.
            perform 1 from bespeak.waitlist w
            join bespeak.waitlist_entry x on x.waitlist_id = w.waitlist_id
            where x.entry_id = r.entry_id for update of w skip locked;
            continue when not found;
        else
            perform bespeak.lock_waitlist_of(r.entry_id);
        end if;
        -- The entry's row decides between this and a withdrawal.
        update bespeak.waitlist_entry e
        set state = n.state, reason = case when n.state = 'over' then r.ending end, note = null,
            ended_at = case when n.state <> 'waiting' then v_now end
        from (select x.entry_id, case when r.ending = 'accepted' then 'accepted'
            when x.offers < x.offers_max and (x.until is null or x.until > v_now) then 'waiting'
            else 'over' end as state from bespeak.waitlist_entry x where x.entry_id = r.entry_id) n
        where e.entry_id = r.entry_id and n.entry_id = e.entry_id
            and (e.state = 'offered' or r.ending = 'accepted'
                and (e.state = 'withdrawn' or e.reason = 'removed'))
        returning e.* into v_entry;
        update bespeak.waitlist_offer o
        set state = case when v_entry.entry_id is null and r.ending <> 'accepted' then 'withdrawn'
            else r.ending end, ended_at = v_now
        where o.entry_id = r.entry_id and o.number = r.number;
        if v_entry.entry_id is not null then
            perform bespeak.tell_waitlist('waitlist_' || r.ending, v_entry, r.hold_id, 'system');
            update bespeak.waitlist w set wakes = w.wakes + 1 where w.waitlist_id = v_entry.waitlist_id;
        end if;
        v_count := v_count + 1;
    end loop;
    return v_count;
end
$$;
