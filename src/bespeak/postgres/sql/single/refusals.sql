-- The refusals of the single forms, and what they check of any request.

-- Raises a refusal. The message is the stable code, the detail is what a program needs of it.
create or replace function bespeak.refuse(
    code text, state text, detail jsonb default null, hint text default null)
returns void language plpgsql as $$
begin
    raise exception '%', code using errcode = state,
        detail = coalesce(detail::text, ''), hint = coalesce(hint, 'do not retry');
end
$$;

-- The refusal that an outcome of the change verbs stands for; nothing for a success.
create or replace function bespeak.refuse_outcome(outcome text, details jsonb) returns void
language plpgsql as $$
declare
    states constant jsonb := '{
        "not_found": ["hold_not_found", "BS020"], "not_owner": ["not_owner", "BS021"],
        "hold_expired": ["hold_expired", "BS022"], "hold_released": ["hold_released", "BS023"],
        "hold_confirmed": ["hold_confirmed", "BS024"], "beyond_cap": ["extension_beyond_cap", "BS025"],
        "payment_required": ["payment_required", "BS026"],
        "booking_not_found": ["booking_not_found", "BS030"],
        "booking_cancelled": ["booking_cancelled", "BS031"], "ticket_used": ["ticket_used", "BS033"],
        "exchange_checked_in": ["booking_not_exchangeable", "BS034"],
        "exchange_begun": ["booking_not_exchangeable", "BS034"],
        "exchange_changed": ["booking_not_exchangeable", "BS034"],
        "not_in_booking": ["not_in_booking", "BS032"], "block_not_found": ["block_not_found", "BS040"],
        "not_blocked": ["not_blocked", "BS041"], "taken": ["unit_taken", "BS010"],
        "key_reused": ["idempotency_key_reused", "BS050"]}';
begin
    if states ? outcome then
        perform bespeak.refuse(states->outcome->>0, states->outcome->>1, case
            when jsonb_typeof(details) = 'array' then bespeak.shown_details(details)
            else details end);
    end if;
end
$$;

-- The lines or conflicts in the details of a refusal as they are shown outside: with resource ids and
-- times as text, without owners, and without the limits that only the engine knows as pools.
create or replace function bespeak.shown_details(details jsonb) returns jsonb
language sql stable as $$
    select coalesce(jsonb_agg((d - 'owner') || jsonb_strip_nulls(jsonb_build_object(
        'resource_id', bespeak.resource_text((d->>'resource_id')::bigint),
        'until', to_timestamp((d->>'until')::float8)))), '[]')
    from jsonb_array_elements(details) d where d->>'unit' not like 'owner:%'
$$;

-- Refuses a text that is empty, too long, or has control characters; null is no text.
create or replace function bespeak.check_text(content text, field text, length_max integer) returns void
language plpgsql as $$
begin
    if length(content) > length_max or content !~ '^[[:print:]]+$' then
        perform bespeak.refuse('invalid_request', 'BS004', jsonb_build_object('field', field));
    end if;
end
$$;

-- Refuses lines that make no sense: none, nulls, arrays of other lengths, quantities below 1.
create or replace function bespeak.check_lines(in_resources text[], in_units text[], in_quantities integer[])
returns void language plpgsql as $$
begin
    if coalesce(cardinality(in_units), 0) not between 1 and 10000
        or coalesce(cardinality(in_resources), 0) not in (1, cardinality(in_units))
        or cardinality(in_quantities) <> cardinality(in_units)
        or array_position(in_units, null) is not null
        or array_position(in_resources, null) is not null
        or 0 >= any(in_quantities) then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "lines"}');
    end if;
end
$$;

-- Refuses the same unit of one resource twice.
create or replace function bespeak.check_units(in_units text[]) returns void
language plpgsql as $$
declare
    twice jsonb;
begin
    select jsonb_agg(t.unit) into twice
    from (select u.unit from unnest(in_units) as u(unit) group by u.unit having count(*) > 1) t;
    if twice is not null then
        perform bespeak.refuse('duplicate_line', 'BS007', twice);
    end if;
end
$$;

-- Refuses a plan whose rules SQL does not know: all but seats and pools. A room that forbids to leave
-- single seats is refused to holds, because who is beside whom is not known here either.
create or replace function bespeak.check_plan(in_resource bigint, plan jsonb, is_hold boolean) returns void
language plpgsql as $$
begin
    if coalesce(plan->>'type', 'seats') <> 'seats'
        or (is_hold and coalesce(plan->>'orphans', 'off') <> 'off') then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;

-- Refuses a resource whose prices have rules that SQL does not know: fees, taxes, steps, terms.
create or replace function bespeak.check_pricing(in_resource bigint, pricing jsonb) returns void
language plpgsql as $$
begin
    if pricing <> '{}' then
        perform bespeak.refuse('plan_not_in_sql', 'BS008',
            jsonb_build_object('resource_id', bespeak.resource_text(in_resource)));
    end if;
end
$$;
