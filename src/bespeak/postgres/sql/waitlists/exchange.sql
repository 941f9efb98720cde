-- Exchanges: the booking of a hold takes the place of another of the same owner's, which is cancelled by the
-- transaction that confirms. So there are never both, and never neither. Such a hold was offered to who
-- waits for something better, or it changes a stay (bookings/change.sql).
--
-- Locks, in the order of all: the hold rows of both by key, the booking rows of what is given back, the
-- payments of both; then the claims of both by key, and their pools. All are taken before anything is
-- written, each kind by one statement, because confirming the one and freeing the other are two passes over
-- the same kinds.

-- The bookings that are given back for what these holds become, at the same places (null: none), with the
-- rows of both locked; null where none is for anything, which is nearly always, and then nothing is locked.
create or replace function bespeak.lock_exchanges(in_holds uuid[]) returns uuid[]
language plpgsql as $$
declare
    v_instead uuid[];
begin
    -- Asked first and alone: it is all that nearly every confirmation needs.
    if not exists (select from bespeak.waitlist_offer o
            where o.hold_id = any(in_holds) and o.instead_of is not null)
        and not exists (select from unnest(in_holds) as u(id) join bespeak.hold h
            on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
            where h.exchange is not null) then
        return null;
    end if;
    select array_agg(coalesce((h.exchange ->> 'instead_of')::uuid, o.instead_of) order by u.n)
    into v_instead
    from unnest(in_holds) with ordinality as u(id, n)
    left join bespeak.hold h on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
    left join bespeak.waitlist_offer o on o.hold_id = u.id;
    perform from unnest(in_holds || v_instead) as u(id)
    join bespeak.hold h on h.resource_id = bespeak.home_of(u.id) and h.hold_id = u.id
    order by h.resource_id, h.hold_id for update of h;
    perform from unnest(v_instead) as u(id)
    join bespeak.booking b on b.resource_id = bespeak.home_of(u.id) and b.booking_id = u.id
    order by b.resource_id, b.booking_id for update of b;
    perform from unnest(in_holds || v_instead) as u(id)
    join bespeak.payment p on p.resource_id = bespeak.home_of(u.id) and p.hold_id = u.id
    order by p.resource_id, p.payment_id for update of p;
    return v_instead;
end
$$;

-- Why a hold cannot become a booking now, because of the one that would be given back for it: `checked_in`
-- (somebody has come in by it), `begun`, or `changed` (it is not as it was, and some of it would be kept).
-- Null where it can, also where that one was cancelled meanwhile and nothing of it would be kept, and of
-- every hold that is for no other. Who decides by it has the booking's row locked, so that the check-ins
-- stand.
create or replace function bespeak.exchange_problem(v_now timestamptz, in_hold uuid) returns text
language sql stable as $$
    select bespeak.booking_over(v_now, b, e.instead_begins_at)
    from bespeak.waitlist_offer o
    join bespeak.waitlist_entry e on e.entry_id = o.entry_id
    join bespeak.booking b
        on b.resource_id = bespeak.home_of(o.instead_of) and b.booking_id = o.instead_of
    where o.hold_id = in_hold and o.instead_of is not null and b.state = 'confirmed'
    union all
    select coalesce(bespeak.stay_change_problem(h), (
        select bespeak.booking_over(v_now, b, (h.exchange ->> 'begins_at')::timestamptz)
        from bespeak.booking b
        where b.resource_id = bespeak.home_of((h.exchange ->> 'instead_of')::uuid)
            and b.booking_id = (h.exchange ->> 'instead_of')::uuid and b.state = 'confirmed'))
    from bespeak.hold h
    where h.resource_id = bespeak.home_of(in_hold) and h.hold_id = in_hold and h.exchange is not null
$$;

-- The same of an entry that waits, for which nothing is held yet.
create or replace function bespeak.entry_problem(e bespeak.waitlist_entry) returns text
language sql stable as $$
    select bespeak.booking_over(bespeak.now(), b, e.instead_begins_at)
    from bespeak.booking b
    where b.resource_id = bespeak.home_of(e.instead_of) and b.booking_id = e.instead_of
        and b.state = 'confirmed'
$$;

-- Whether another booking would be given back for a hold.
create or replace function bespeak.is_exchange(in_hold uuid) returns boolean
language sql stable as $$
    select exists (
        select from bespeak.waitlist_offer o where o.hold_id = in_hold and o.instead_of is not null)
    or exists (
        select from bespeak.hold h
        where h.resource_id = bespeak.home_of(in_hold) and h.hold_id = in_hold
            and h.exchange is not null)
$$;

-- Those of these holds that were offered in place of a booking. Null where none was, which is nearly always:
-- so it is asked once for a batch.
create or replace function bespeak.offered_instead(in_holds uuid[]) returns uuid[]
language plpgsql stable as $$
begin
    return (select array_agg(o.hold_id) from bespeak.waitlist_offer o
        where o.hold_id = any(in_holds) and o.instead_of is not null);
end
$$;

-- The contact that goes along to a hold from the booking that is given back for it: who changes a booking has
-- said already where news of it goes. Null where another one was said with the payment of the hold, and of
-- every hold that is for no other booking.
create or replace function bespeak.kept_contact(in_hold uuid) returns jsonb
language sql stable as $$
    select bespeak.contact_of(i.instead_of, null)
    from (
        select o.instead_of from bespeak.waitlist_offer o
        where o.hold_id = in_hold and o.instead_of is not null
        union all
        select (h.exchange ->> 'instead_of')::uuid from bespeak.hold h
        where h.resource_id = bespeak.home_of(in_hold) and h.hold_id = in_hold and h.exchange is not null
    ) i
    where bespeak.contact_of(in_hold, null) is null
$$;

-- The requests to confirm, with the contact that goes along in those that name none.
create or replace function bespeak.keep_contacts(
    requests bespeak.change_request[], in_instead uuid[], outcomes text[])
returns bespeak.change_request[]
language plpgsql as $$
begin
    for i in 1 .. cardinality(requests) loop
        if outcomes[i] is null and in_instead[i] is not null and requests[i].contact is null then
            requests[i].contact := bespeak.kept_contact(requests[i].hold_id);
        end if;
    end loop;
    return requests;
end
$$;

-- Why a booking is not one to give back for something better: `checked_in`, `begun`; null where it is. Its
-- first night, hour or stop begins then (null: it has none, and begins when the first of its resources
-- does).
create or replace function bespeak.booking_over(
    v_now timestamptz, b bespeak.booking, in_begins_at timestamptz) returns text
language sql stable as $$
    select case
        when exists (select from bespeak.check_in c
            where c.resource_id = b.resource_id and c.booking_id = b.booking_id) then 'checked_in'
        when coalesce(in_begins_at, (
            select min(r.starts_at) from bespeak.hold h
            join bespeak.resource r on r.resource_id = any(h.resources)
            where h.resource_id = b.resource_id and h.hold_id = b.booking_id)) <= v_now then 'begun'
    end
$$;

-- The outcomes, with `exchange_checked_in` or `exchange_begun` for holds that cannot take the place of what
-- would be given back for them.
create or replace function bespeak.refuse_exchanges(
    v_now timestamptz, in_holds uuid[], in_instead uuid[], outcomes text[]) returns text[]
language plpgsql as $$
begin
    for i in 1 .. cardinality(in_holds) loop
        if outcomes[i] is null and in_instead[i] is not null then
            outcomes[i] := 'exchange_' || bespeak.exchange_problem(v_now, in_holds[i]);
        end if;
    end loop;
    return outcomes;
end
$$;

-- Cancels what is given back for the holds that have no outcome, which are confirmed by this transaction:
-- all that is left of it, with all of the money for that. What was cancelled before stays so: then the hold
-- is bought as any.
create or replace function bespeak.give_back_exchanged(
    requests bespeak.change_request[], in_instead uuid[], outcomes text[]) returns void
language plpgsql as $$
declare
    r record;
    v_request bespeak.change_request;
    v_outcome text;
begin
    for r in
        select distinct on (b.resource_id, b.booking_id) b as booking, h as hold, i.n
        from unnest(in_instead) with ordinality as i(id, n)
        join bespeak.booking b on b.resource_id = bespeak.home_of(i.id) and b.booking_id = i.id
        join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
        where outcomes[i.n] is null and b.state = 'confirmed'
        order by b.resource_id, b.booking_id, i.n
    loop
        v_request := bespeak.new_change((r.hold).hold_id, reason => 'exchanged',
            actor => requests[r.n].actor);
        v_request.refund_amount := bespeak.refund_in_full(r.hold, r.booking);
        v_request.expected_cancelled := (r.booking).cancelled;
        select c.outcome into v_outcome
        from bespeak.cancel_bookings(v_request.home, array[v_request]) c;
        if v_outcome is distinct from 'cancelled' then
            raise exception 'a booking that is exchanged was not cancelled: %', v_outcome;
        end if;
    end loop;
end
$$;

-- What is still to be given back of all that a booking has left, whatever its terms say: what the library
-- computes where it cancels `in_full`, and in the same parts. Null where nothing was paid that could be.
create or replace function bespeak.refund_in_full(h bespeak.hold, b bespeak.booking) returns bigint
language sql stable as $$
    with paid as (
        select p.amount, p.refunding from bespeak.payment p
        where p.resource_id = h.resource_id and p.hold_id = h.hold_id
            and p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
    ), line as (
        select l.n, coalesce(l.quantity, 1) as of, coalesce(l.gone, 0) as gone
        from unnest(coalesce(h.shown_quantities, trim_array(h.quantities, h.limit_lines)),
            case when h.shown is null then trim_array(b.cancelled, h.limit_lines)
                else b.cancelled_shown end) with ordinality as l(quantity, gone, n)
    ), priced as (
        -- A hold from elsewhere may not know the price of each line: then all units cost the same.
        select l.*, case when cardinality(h.amounts) = count(*) over () then h.amounts[l.n]
            else div(p.amount * (sum(l.of) over upto)::numeric, sum(l.of) over ())
                - div(p.amount * ((sum(l.of) over upto) - l.of)::numeric, sum(l.of) over ())
            end as amount
        from line l, paid p
        window upto as (order by l.n)
    ), with_fees as (
        -- What the order costs beside its lines goes to each as they cost.
        select l.*, l.amount + case
            when sum(l.amount) over () = 0 then case when l.n = 1 then p.amount else 0 end
            else div((p.amount - sum(l.amount) over ()) * (sum(l.amount) over upto),
                    sum(l.amount) over ())
                - div((p.amount - sum(l.amount) over ()) * ((sum(l.amount) over upto) - l.amount),
                    sum(l.amount) over ()) end as costs
        from priced l, paid p
        window upto as (order by l.n)
    )
    select greatest(0, least(min(p.amount - p.refunding),
        sum(f.costs - div(f.costs * f.gone, f.of))))::bigint
    from with_fees f, paid p
    having count(*) > 0
$$;
