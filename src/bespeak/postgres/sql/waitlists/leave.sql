-- Leaving a waitlist: by one's own wish, because the time is over, because the list ended.

-- Takes an entry off its list for good. The row, if it waited or had an offer, whose hold the caller
-- releases; none where it had ended before.
create or replace function bespeak.withdraw_waitlist_entry(in_entry uuid, in_actor text)
returns setof bespeak.waitlist_entry
language plpgsql as $$
declare
    v_entry bespeak.waitlist_entry;
begin
    update bespeak.waitlist_entry e set state = 'withdrawn', ended_at = bespeak.now()
    where e.entry_id = in_entry and e.state in ('waiting', 'offered')
    returning e.* into v_entry;
    if found then
        perform bespeak.tell_waitlist('waitlist_left', v_entry, null, in_actor);
        update bespeak.waitlist w set wakes = w.wakes + 1 where w.waitlist_id = v_entry.waitlist_id;
        return next v_entry;
    end if;
end
$$;

-- Ends the entries that wait longer than they wanted to, so many at most; how many.
create or replace function bespeak.end_late_waitlist_entries(in_limit integer) returns integer
language sql volatile as $$
    with late as (
        select e.entry_id from bespeak.waitlist_entry e
        where e.state = 'waiting' and e.until <= bespeak.now()
        order by e.until limit in_limit for update skip locked
    ), ended as (
        update bespeak.waitlist_entry e set state = 'over', reason = 'until', ended_at = bespeak.now()
        from late l where e.entry_id = l.entry_id
        returning e as entry
    ), woken as (
        update bespeak.waitlist w set wakes = w.wakes + 1
        where w.waitlist_id in (select (d.entry).waitlist_id from ended d)
    )
    select count(bespeak.tell_waitlist('waitlist_left', d.entry, null, null)::text)::integer from ended d
$$;

-- Ends a list: nobody waits any more, nothing is kept, its resources may be of another list. Offers that
-- stand are still good. False where it had ended.
create or replace function bespeak.end_waitlist(in_waitlist uuid, in_actor text) returns boolean
language plpgsql as $$
declare
    v_entry bespeak.waitlist_entry;
begin
    update bespeak.waitlist w
    set state = 'ended', version = w.version + 1, updated_at = bespeak.now()
    where w.waitlist_id = in_waitlist and w.state <> 'ended';
    if not found then
        return false;
    end if;
    for v_entry in
        update bespeak.waitlist_entry e
        set state = 'over', reason = 'list_ended', ended_at = bespeak.now()
        where e.waitlist_id = in_waitlist and e.state = 'waiting'
        returning e.*
    loop
        perform bespeak.tell_waitlist('waitlist_left', v_entry, null, in_actor);
    end loop;
    perform bespeak.keep_for_waitlist(
        array(select r.resource_id from bespeak.waitlist_resource r
            where r.waitlist_id = in_waitlist order by r.resource_id), '{}', in_actor);
    delete from bespeak.waitlist_resource r where r.waitlist_id = in_waitlist;
    return true;
end
$$;
