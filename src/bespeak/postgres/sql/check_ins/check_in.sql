-- Check-ins: each ticket of a booking admits once. The primary key is what makes it once; the lock on
-- the booking is what keeps a ticket from being used and given back at the same instant.
--
-- The tickets of a booking are numbered through from 1, line by line, as many for each line as it is
-- of. Of a line of which some was given back, the last of its tickets that nobody has used are the
-- cancelled ones.
--
-- Locks: booking rows, in the order of their ids, then check-ins.

-- Checks tickets in that share a home, each once. The unit is the one that the booking has now: a code that
-- was made before it was moved names the one before. Outcomes: checked_in, replayed, key_reused,
-- already_checked_in (check_in is the first one), cancelled, not_found.
create or replace function bespeak.check_in_tickets(home bigint, requests bespeak.check_in_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, check_in bespeak.check_in)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    r record;
    b bespeak.booking;
    h bespeak.hold;
    found_line record;
    known bespeak.check_in;
    v_now timestamptz;
    v_outcome text;
begin
    for r in
        select q.* from unnest(requests) with ordinality
            as q(booking_id, ticket, admitted_to, unit, gate, scanned_at, key, content, actor, n)
        order by q.booking_id, q.ticket, q.n
    loop
        v_outcome := null;
        known := null;
        -- Shared, so that the gates of one booking need not wait for each other. Whoever cancels does.
        select k.* into b from bespeak.booking k
        where k.resource_id = home and k.booking_id = r.booking_id for share;
        if not found then
            v_outcome := 'not_found';
        end if;
        v_now := bespeak.now();
        select k.* into h from bespeak.hold k
        where k.resource_id = home and k.hold_id = r.booking_id;
        select * into found_line from bespeak.line_of_ticket(h, b, r.ticket);
        if not found then
            v_outcome := 'not_found';
        end if;
        while v_outcome is null loop
            select c.* into known from bespeak.check_in c
            where c.resource_id = home and c.idempotency_key = r.key;
            if found then
                v_outcome := case when known.fingerprint = r.content
                    then 'replayed' else 'key_reused' end;
                exit;
            end if;
            select c.* into known from bespeak.check_in c
            where c.resource_id = home and c.booking_id = r.booking_id and c.ticket = r.ticket;
            if found then
                v_outcome := 'already_checked_in';
                exit;
            end if;
            if found_line.last_ticket - r.ticket - (
                    select count(*) from bespeak.check_in c
                    where c.resource_id = home and c.booking_id = r.booking_id
                        and c.ticket > r.ticket and c.ticket <= found_line.last_ticket)
                    < found_line.cancelled then
                v_outcome := 'cancelled';
                exit;
            end if;
            -- A twin in flight is waited for here; then this goes round again and finds it.
            insert into bespeak.check_in as c (resource_id, booking_id, ticket, admitted_to, unit,
                gate, checked_in_at, recorded_at, idempotency_key, fingerprint)
            values (home, r.booking_id, r.ticket, r.admitted_to,
                bespeak.unit_of_line(h, found_line.line, r.unit), r.gate,
                least(coalesce(r.scanned_at, v_now), v_now), v_now, r.key, r.content)
            on conflict do nothing
            returning c.* into known;
            if found then
                v_outcome := 'checked_in';
                insert into bespeak.event (resource_id, horizon, kind, hold_id, at, actor, data)
                values (r.admitted_to, bespeak.horizon(), 'checked_in', r.booking_id, v_now, r.actor,
                    jsonb_strip_nulls(jsonb_build_object('ticket', r.ticket,
                        'unit', known.unit, 'gate', r.gate, 'checked_in_at', to_char(known.checked_in_at
                            at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))));
            end if;
        end loop;
        return query select r.n::integer, v_outcome, v_now, known;
    end loop;
end
$$;

-- The unit that a line of a hold shows now; what the code of its ticket says, where the line names none (a
-- number that was given out, which nobody moves).
create or replace function bespeak.unit_of_line(h bespeak.hold, line integer, in_code text) returns text
language sql immutable as $$
    select case when in_code is null then null
        when h.shown is null then h.units[line]
        else coalesce(h.shown -> 'lines' -> (line - 1) -> 'line' ->> 'unit', in_code) end
$$;

-- The line that a ticket belongs to, with its first and its last ticket and how many of the line were
-- given back. Zero rows: the booking has no such ticket.
create or replace function bespeak.line_of_ticket(h bespeak.hold, b bespeak.booking, in_ticket integer)
returns table (line integer, first_ticket integer, last_ticket integer, cancelled integer)
language sql stable as $$
    with counted as (
        select s.n, s.count, s.gone
        from unnest(h.shown_quantities, b.cancelled_shown) with ordinality as s(count, gone, n)
        where h.shown is not null
        union all
        select s.n, coalesce(s.quantity, 1), s.gone
        from unnest(h.quantities, b.cancelled) with ordinality as s(quantity, gone, n)
        where h.shown is null and s.n <= cardinality(h.units) - h.limit_lines
    ), placed as (
        select c.n, c.count, c.gone, sum(c.count) over (order by c.n) as last from counted c
    )
    select p.n::integer, (p.last - p.count + 1)::integer, p.last::integer,
        case when b.state = 'cancelled' then p.count else coalesce(p.gone, 0) end
    from placed p
    where in_ticket between p.last - p.count + 1 and p.last
$$;

-- Whether a booking of which so much would be cancelled has lines with more used tickets than would be
-- left. The caller has the booking's row locked, so the check-ins stand.
create or replace function bespeak.takes_used(
    h bespeak.hold, b bespeak.booking, in_cancelled integer[], in_shown integer[]) returns boolean
language plpgsql stable as $$
begin
    b.cancelled := in_cancelled;
    b.cancelled_shown := in_shown;
    return exists (
        select from bespeak.check_in c, bespeak.line_of_ticket(h, b, c.ticket) l
        where c.resource_id = b.resource_id and c.booking_id = b.booking_id
        group by l.line
        having count(*) + max(l.cancelled) > max(l.last_ticket - l.first_ticket + 1));
end
$$;
