-- A request to change a hold or booking, made by naming what it has.

-- One change of a hold or booking, whose home its id tells, if it is not named. Without an owner it is
-- the operator's.
create or replace function bespeak.new_change(
    hold_id uuid, owner text default null, key text default null, content bytea default null,
    seconds integer default null, reason text default null, resources bigint[] default null,
    units text[] default null, quantities integer[] default null, home bigint default null,
    actor text default null)
returns bespeak.change_request
language plpgsql immutable as $$
declare
    made bespeak.change_request;
begin
    made.hold_id := $1;
    made.home := coalesce($10, bespeak.home_of($1));
    made.owner := $2;
    made.idempotency_key := $3;
    made.fingerprint := $4;
    made.seconds := $5;
    made.reason := $6;
    made.resources := $7;
    made.units := $8;
    made.quantities := $9;
    made.actor := $11;
    return made;
end
$$;
