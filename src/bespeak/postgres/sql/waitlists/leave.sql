-- Leaving a waitlist: by one's own wish or an operator's, because the time is over, because the list ended.

-- Takes an entry off its list for good: `withdrawn` by its party, or `over` because an operator `removed` it,
-- with a note that its party is told. The caller releases what is offered to it. One that has ended stays.
create or replace function bespeak.leave_waitlist(
    in_entry uuid, in_state text, in_reason text, in_note text, in_actor text) returns void
language plpgsql as $$
declare
    v_entry bespeak.waitlist_entry;
begin
    perform bespeak.lock_waitlist_of(in_entry);
    update bespeak.waitlist_entry e
    set state = in_state, reason = in_reason, note = in_note, ended_at = bespeak.now()
    where e.entry_id = in_entry and e.state in ('waiting', 'offered')
    returning e.* into v_entry;
    if found then
        perform bespeak.tell_waitlist('waitlist_left', v_entry, null, in_actor);
        update bespeak.waitlist w set wakes = w.wakes + 1 where w.waitlist_id = v_entry.waitlist_id;
    end if;
end
$$;

-- Locks the list of an entry. Lists are locked before entries, by whoever locks both.
create or replace function bespeak.lock_waitlist_of(in_entry uuid) returns void
language sql volatile as $$
    select from bespeak.waitlist w
    where w.waitlist_id = (
        select e.waitlist_id from bespeak.waitlist_entry e where e.entry_id = in_entry)
    for update
$$;

-- Ends the entries that wait longer than they wanted to, of so many of them at most the lists that nobody
-- is at; how many.
create or replace function bespeak.end_late_waitlist_entries(in_limit integer) returns integer
language plpgsql as $$
declare
    v_count integer := 0;
    v_list uuid;
    v_entry bespeak.waitlist_entry;
begin
    for v_list in
        select w.waitlist_id from bespeak.waitlist w
        where w.waitlist_id in (select e.waitlist_id from bespeak.waitlist_entry e
            where e.state = 'waiting' and e.until <= bespeak.now() order by e.until limit in_limit)
        order by w.waitlist_id for update skip locked
    loop
        for v_entry in
            update bespeak.waitlist_entry e
            set state = 'over', reason = 'until', ended_at = bespeak.now()
            where e.waitlist_id = v_list and e.state = 'waiting' and e.until <= bespeak.now()
            returning e.*
        loop
            perform bespeak.tell_waitlist('waitlist_left', v_entry, null, null);
            v_count := v_count + 1;
        end loop;
        update bespeak.waitlist w set wakes = w.wakes + 1 where w.waitlist_id = v_list;
    end loop;
    return v_count;
end
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
