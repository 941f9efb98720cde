-- Who a booking is for, said anew.

-- Puts a contact in place of the one that a booking has, with its payments: news of each goes to who stands
-- there, and a booking is found by either. The rows are locked as by all that changes a booking, so that who
-- erases its owner comes before or after. Outcomes: kept, version_mismatch (it is not the one that was seen,
-- null: any), not_found (it is nobody's, or not this owner's any more); with the version that stands then.
create or replace function bespeak.set_contact(
    in_booking uuid, in_owner text, in_contact jsonb, in_seen bigint)
returns table (outcome text, version bigint)
language plpgsql
set enable_seqscan = off
as $$
declare
    v_home constant bigint := bespeak.home_of(in_booking);
    v_before jsonb;
begin
    perform from bespeak.hold h where h.resource_id = v_home and h.hold_id = in_booking for update;
    perform from bespeak.booking b
    where b.resource_id = v_home and b.booking_id = in_booking and b.owner = in_owner for update;
    if not found then
        return query select 'not_found', null::bigint;
        return;
    end if;
    perform from bespeak.payment p where p.hold_id = in_booking
    order by p.resource_id, p.payment_id for update;
    v_before := bespeak.contact_of(in_booking, null);
    -- What stands there already is nobody's loss: so a call whose answer was lost may be repeated.
    if not bespeak.is_seen(in_seen, v_before) and v_before is distinct from in_contact then
        return query select 'version_mismatch', bespeak.version_of(v_before);
        return;
    end if;
    update bespeak.booking b set contact = in_contact
    where b.resource_id = v_home and b.booking_id = in_booking;
    update bespeak.payment p set contact = in_contact where p.hold_id = in_booking;
    return query select 'kept', bespeak.version_of(in_contact);
end
$$;
