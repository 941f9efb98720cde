-- What is forgotten of entries: of who was erased, and with time.

-- Takes an owner out of its entries, which wait no more; their mails do not leave. The holds of offers are
-- seen to by the erasure itself.
create or replace function bespeak.erase_waitlist_entries(in_owner text, in_pseudonym text) returns void
language plpgsql as $$
begin
    perform from bespeak.waitlist w
    where w.waitlist_id in (
        select e.waitlist_id from bespeak.waitlist_entry e where e.owner = in_owner)
    order by w.waitlist_id for update;
    update bespeak.waitlist w set wakes = w.wakes + 1
    where w.waitlist_id in (
        select e.waitlist_id from bespeak.waitlist_entry e where e.owner = in_owner);
    update bespeak.waitlist_mail m
    set failure = null, state = case m.state when 'pending' then 'dropped' else m.state end,
        due_at = null, ended_at = coalesce(m.ended_at, bespeak.now())
    from bespeak.waitlist_entry e where e.entry_id = m.entry_id and e.owner = in_owner;
    update bespeak.waitlist_entry e
    set owner = in_pseudonym, contact = null, idempotency_key = null, fingerprint = null, note = null,
        state = case when e.state in ('waiting', 'offered') then 'withdrawn' else e.state end,
        ended_at = coalesce(e.ended_at, bespeak.now())
    where e.owner = in_owner;
end
$$;

-- Lets entries go that ended before this, with their offers and mails, so many at most; how many.
create or replace function bespeak.let_go_waitlist_entries(in_limit integer, in_before timestamptz)
returns integer
language sql volatile as $$
    with old as (
        select e.entry_id from bespeak.waitlist_entry e
        where e.ended_at <= in_before and not exists (select from bespeak.waitlist_offer o
            where o.entry_id = e.entry_id and o.state = 'standing')
        order by e.ended_at limit in_limit for update skip locked
    ), mails as (
        delete from bespeak.waitlist_mail m using old o where m.entry_id = o.entry_id
    ), offers as (
        delete from bespeak.waitlist_offer f using old o where f.entry_id = o.entry_id
    ), gone as (
        delete from bespeak.waitlist_entry e using old o where e.entry_id = o.entry_id returning 1
    )
    select count(*)::integer from gone
$$;
