-- Giving a hold for nothing, at the desk.

-- Makes a hold cost nothing, and writes down why. A hold that somebody pays for, or tried to, keeps its
-- price. Repeated, it changes the reason; of a hold that was booked so, the same reason is answered the
-- same. Outcomes: free, replayed, not_found, hold_confirmed, hold_released, hold_expired,
-- payment_in_progress.
create or replace function bespeak.give_free(home bigint, in_hold uuid, in_reason text, in_actor text)
returns table (outcome text, answered_at timestamptz, hold bespeak.hold)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    h bespeak.hold;
    v_now timestamptz;
    known text;
    problem text;
begin
    select x.* into h from bespeak.hold x
    where x.resource_id = home and x.hold_id = in_hold for update;
    v_now := bespeak.now();
    select f.reason into known from bespeak.free_sale f
    where f.resource_id = home and f.hold_id = in_hold;
    problem := case
        when h.hold_id is null then 'not_found'
        when known = in_reason and h.state in ('held', 'confirmed') then 'replayed'
        when h.state <> 'held' then 'hold_' || h.state
        when h.expires_at <= v_now then 'hold_expired'
        when exists (select from bespeak.payment p
            where p.resource_id = home and p.hold_id = in_hold) then 'payment_in_progress' end;
    if problem is null then
        insert into bespeak.free_sale as f (resource_id, hold_id, reason, units, worth, currency,
            given_at, given_by)
        values (home, in_hold, in_reason, bespeak.shown_units(h), h.amount, h.currency, v_now,
            in_actor)
        on conflict (resource_id, hold_id) do update
        set reason = excluded.reason, given_at = excluded.given_at, given_by = excluded.given_by;
        update bespeak.hold x set amount = 0, amounts = null, quote = null
        where x.resource_id = home and x.hold_id = in_hold and x.state = 'held'
        returning x.* into h;
    end if;
    return query select coalesce(problem, 'free'), v_now, h;
end
$$;

-- How many units a hold shows outside: those of its lines, or of its claims without the owner's limits.
create or replace function bespeak.shown_units(h bespeak.hold) returns integer
language sql immutable parallel safe as $$
    select coalesce(sum(coalesce(l.quantity, 1)), 1)::integer
    from unnest(coalesce(h.shown_quantities,
        trim_array(h.quantities, h.limit_lines))) as l(quantity)
$$;
