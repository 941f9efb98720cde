-- The single form that cancels one booking.

-- Cancels one booking, wholly or (with units) in part. Of a booking that shows other lines than its
-- claims, the library knows which claims go with a line; here it can be cancelled wholly.
create or replace function bespeak.cancel_booking(
    id text, reason text, owner text default null, resources text[] default null,
    units text[] default null, quantities integer[] default null, idempotency_key text default null,
    actor text default null)
returns table (booking_id text, state text, cancelled_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    numbers bigint[];
    counts integer[];
    request bespeak.change_request;
    answer record;
begin
    if $2 is null then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "reason"}');
    end if;
    perform bespeak.check_text($2, 'reason', 500);
    if $5 is not null then
        perform bespeak.check_lines($4, $5, $6);
        select array_agg(bespeak.resource_number(
            case when cardinality($4) = 1 then $4[1] else $4[n] end) order by n)
        into numbers from generate_subscripts($5, 1) as n;
        counts := coalesce($6, array_fill(null::integer, array[cardinality($5)]));
    end if;
    request := bespeak.new_change(bespeak.id_uuid($1), $3, $7,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2)
            || bespeak.field_print(bespeak.lines_text(numbers, $5, counts)),
        reason => $2, resources => numbers, units => $5, quantities => counts,
        actor => $8);
    perform bespeak.check_text($7, 'idempotency_key', 200);
    perform bespeak.check_text($8, 'actor', 64);
    if $5 is not null and exists (
            select from bespeak.hold h
            where h.resource_id = request.home and h.hold_id = request.hold_id
                and h.shown is not null and ($3 is null or h.owner = $3)) then
        perform bespeak.refuse('plan_not_in_sql', 'BS008');
    end if;
    select c.* into answer from bespeak.cancel_bookings(request.home, array[request]) c;
    perform bespeak.refuse_outcome(
        case when answer.outcome = 'not_found' then 'booking_not_found' else answer.outcome end,
        answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).cancelled_at;
end
$$;
