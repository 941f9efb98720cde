-- Joining a waitlist.

-- Puts a party on a list, at its end. The list's row is locked, so places are dense and limits hold whoever
-- joins at once. Outcomes: joined, replayed, key_reused, not_found, closed, party_too_large, until_over,
-- owner_full, full; of a booking that would be given back: no_exchange, booking_not_found, not_owner,
-- booking_cancelled, exchange_checked_in, exchange_begun, booking_waits.
create or replace function bespeak.join_waitlist(
    in_waitlist uuid, in_workspace text, in_entry bespeak.waitlist_entry, in_actor text)
returns table (outcome text, entry bespeak.waitlist_entry, bound integer)
language plpgsql as $$
declare
    v_list bespeak.waitlist;
    v_entry bespeak.waitlist_entry := in_entry;
    v_known bespeak.waitlist_entry;
begin
    select w.* into v_list from bespeak.waitlist w
    where w.waitlist_id = in_waitlist and (in_workspace is null or w.workspace = in_workspace)
    for update;
    if not found then
        return query select 'not_found', null::bespeak.waitlist_entry, null::integer;
        return;
    end if;
    select e.* into v_known from bespeak.waitlist_entry e
    where e.waitlist_id = in_waitlist and e.owner = in_entry.owner
        and e.idempotency_key = in_entry.idempotency_key;
    if found then
        return query select
            case when v_known.fingerprint = in_entry.fingerprint then 'replayed' else 'key_reused' end,
            v_known, null::integer;
        return;
    end if;
    outcome := bespeak.waitlist_refusal(v_list, in_entry);
    if outcome is not null then
        return query select outcome, null::bespeak.waitlist_entry, case outcome
            when 'party_too_large' then v_list.party_max when 'owner_full' then v_list.owner_entries_max
            when 'full' then v_list.entries_max end;
        return;
    end if;
    v_entry.waitlist_id := in_waitlist;
    v_entry.place := v_list.next_place;
    v_entry.draw := random();
    v_entry.created_at := bespeak.now();
    insert into bespeak.waitlist_entry select v_entry.*
    on conflict (instead_of) where instead_of is not null and state in ('waiting', 'offered') do nothing;
    if not found then
        return query select 'booking_waits', null::bespeak.waitlist_entry, null::integer;
        return;
    end if;
    update bespeak.waitlist w set next_place = w.next_place + 1, wakes = w.wakes + 1
    where w.waitlist_id = in_waitlist;
    perform bespeak.tell_waitlist('waitlist_joined', v_entry, null, in_actor);
    return query select 'joined', v_entry, null::integer;
end
$$;

-- Why somebody may not join, if so.
create or replace function bespeak.waitlist_refusal(
    in_list bespeak.waitlist, in_entry bespeak.waitlist_entry) returns text
language sql stable as $$
    select case
        when in_list.state <> 'open' then 'closed'
        when in_entry.party > in_list.party_max then 'party_too_large'
        when in_entry.until <= bespeak.now() then 'until_over'
        when (select count(*) from bespeak.waitlist_entry e where e.owner = in_entry.owner
                and e.waitlist_id = in_list.waitlist_id and e.state in ('waiting', 'offered'))
            >= in_list.owner_entries_max then 'owner_full'
        when (select count(*) from (select from bespeak.waitlist_entry e
                where e.waitlist_id = in_list.waitlist_id and e.state = 'waiting'
                limit in_list.entries_max) e)
            >= in_list.entries_max then 'full'
        when in_entry.instead_of is not null then bespeak.exchange_refusal(in_list, in_entry)
    end
$$;

-- Why an entry may not name the booking that it would give back, if so.
create or replace function bespeak.exchange_refusal(
    in_list bespeak.waitlist, in_entry bespeak.waitlist_entry) returns text
language sql stable as $$
    select case
        when in_list.exchange = 'none' then 'no_exchange'
        when b.booking_id is null or r.workspace is distinct from in_list.workspace
            then 'booking_not_found'
        when b.owner <> in_entry.owner then 'not_owner'
        when b.state <> 'confirmed' then 'booking_cancelled'
        else 'exchange_' || bespeak.booking_over(bespeak.now(), b, in_entry.instead_begins_at)
    end
    from (select 1) one
    left join bespeak.booking b on b.resource_id = bespeak.home_of(in_entry.instead_of)
        and b.booking_id = in_entry.instead_of
    left join bespeak.resource r on r.resource_id = b.resource_id
$$;

-- Tells the feed what became of an entry, as an event of the resource that it wants first, or of its offer's;
-- and writes down the mail about it, where there is one and an address. Who declined or left knows it.
create or replace function bespeak.tell_waitlist(
    in_kind text, in_entry bespeak.waitlist_entry, in_hold uuid, in_actor text) returns void
language sql volatile as $$
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select coalesce(bespeak.home_of(in_hold), in_entry.resources[1]), bespeak.horizon(), in_kind,
        in_hold, bespeak.now(), jsonb_strip_nulls(jsonb_build_object(
            'waitlist_id', bespeak.id_text('wtl', in_entry.waitlist_id),
            'entry_id', bespeak.id_text('wle', in_entry.entry_id), 'party', in_entry.party,
            'reason', in_entry.reason,
            'instead_of_booking', bespeak.id_text('bkg', in_entry.instead_of))),
        in_actor;
    insert into bespeak.waitlist_mail (mail_id, entry_id, kind, number, due_at, created_at)
    select gen_random_uuid(), in_entry.entry_id, m.kind, in_entry.offers, bespeak.now(), bespeak.now()
    from (select case
        when in_kind = 'waitlist_joined' then 'joined'
        when in_kind = 'waitlist_offered' then 'offered'
        when in_entry.reason in ('lapsed', 'until', 'list_ended', 'removed') then 'over' end as kind) m
    where m.kind is not null and in_entry.contact ->> 'email' is not null
    on conflict do nothing
$$;
