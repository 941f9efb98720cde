-- The single forms that change one hold.

-- Confirms one hold; no owner means a trusted caller.
create or replace function bespeak.confirm_hold(
    id text, owner text default null, idempotency_key text default null,
    actor text default null)
returns table (booking_id text, state text, amount bigint, currency text, confirmed_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.new_change(bespeak.id_uuid($1), $2, $3,
        bespeak.field_print(bespeak.id_uuid($1)::text), actor => $4);
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    perform bespeak.check_text($4, 'actor', 64);
    select c.* into answer from bespeak.confirm_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select bespeak.id_text('bkg', (answer.booking).booking_id),
        (answer.booking).state, (answer.booking).amount, (answer.booking).currency,
        (answer.booking).confirmed_at;
end
$$;

-- Extends one hold to `seconds` from now.
create or replace function bespeak.extend_hold(
    id text, seconds integer, owner text default null, idempotency_key text default null,
    actor text default null)
returns table (hold_id text, state text, expires_at timestamptz, extends_until timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.new_change(bespeak.id_uuid($1), $3, $4,
        bespeak.field_print(bespeak.id_uuid($1)::text) || bespeak.field_print($2::text),
        seconds => $2, actor => $5);
    answer record;
begin
    if $2 is null or $2 < 1 then
        perform bespeak.refuse('invalid_request', 'BS004', '{"field": "seconds"}');
    end if;
    perform bespeak.check_text($4, 'idempotency_key', 200);
    perform bespeak.check_text($5, 'actor', 64);
    select c.* into answer from bespeak.extend_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, case when answer.outcome = 'beyond_cap' then
        jsonb_build_object('extends_until', (answer.hold).extends_until) end);
    return query select $1, (answer.hold).state, (answer.hold).expires_at,
        (answer.hold).extends_until;
end
$$;

-- Releases one hold.
create or replace function bespeak.release_hold(
    id text, owner text default null, idempotency_key text default null,
    actor text default null)
returns table (hold_id text, state text, ended_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    request bespeak.change_request := bespeak.new_change(bespeak.id_uuid($1), $2, $3,
        bespeak.field_print(bespeak.id_uuid($1)::text), actor => $4);
    answer record;
begin
    perform bespeak.check_text($3, 'idempotency_key', 200);
    perform bespeak.check_text($4, 'actor', 64);
    select c.* into answer from bespeak.release_holds(request.home, array[request]) c;
    perform bespeak.refuse_outcome(answer.outcome, answer.details);
    return query select $1, (answer.hold).state, (answer.hold).ended_at;
end
$$;
