-- Issuing invoices and credit notes, and what buyers say of themselves before.
--
-- Locks: the booking row, then the row of the series, which nothing else locks.

-- Issues the invoice of a payment (in_refund is null), or the credit note of a refund, once. The number is
-- taken in the transaction that writes the document: whoever dies before the commit leaves no gap, and of
-- two at once the second waits. Without a prefix the series is that of the year, by the clocks of
-- in_zone. Outcomes: issued, replayed, not_paid, not_refunded, not_found.
create or replace function bespeak.issue_invoice(
    home bigint, in_booking uuid, in_payment uuid, in_refund uuid, in_workspace text, in_prefix text,
    in_zone text, in_amount bigint, in_currency text, in_content jsonb, keep_years integer)
returns table (outcome text, invoice bespeak.invoice, buyer jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    booked bespeak.booking;
    found_one bespeak.invoice;
    first_one bespeak.invoice;
    series bespeak.invoice_series;
    v_now timestamptz;
    v_prefix text;
    v_buyer jsonb;
begin
    select b.* into booked from bespeak.booking b
    where b.resource_id = home and b.booking_id = in_booking for no key update;
    if booked.booking_id is null then
        return query select 'not_found', null::bespeak.invoice, null::jsonb;
        return;
    end if;
    select i.* into first_one from bespeak.invoice i
    where i.payment_id = in_payment and i.kind = 'invoice';
    if in_refund is null then
        found_one := first_one;
    else
        select i.* into found_one from bespeak.invoice i where i.refund_id = in_refund;
    end if;
    if found_one.invoice_id is not null then
        return query select 'replayed', found_one, (
            select y.buyer from bespeak.invoice_buyer y where y.invoice_id = found_one.invoice_id);
        return;
    end if;
    if in_refund is null and not exists (
            select from bespeak.payment p
            where p.resource_id = home and p.payment_id = in_payment and p.hold_id = in_booking
                and p.state in ('captured', 'refunded') and p.late is distinct from 'refund') then
        return query select 'not_paid', null::bespeak.invoice, null::jsonb;
        return;
    end if;
    if in_refund is not null and (first_one.invoice_id is null or not exists (
            select from bespeak.refund f
            where f.resource_id = home and f.refund_id = in_refund and f.payment_id = in_payment
                and f.state = 'refunded')) then
        return query select 'not_refunded', null::bespeak.invoice, null::jsonb;
        return;
    end if;
    v_prefix := coalesce(in_prefix, to_char(bespeak.now() at time zone in_zone, 'YYYY-'));
    insert into bespeak.invoice_series as s (workspace, prefix, last, last_at)
    values (in_workspace, v_prefix, 1, bespeak.now())
    on conflict (workspace, prefix) do update
    set last = s.last + 1, last_at = greatest(s.last_at, bespeak.now())
    returning s.* into series;
    v_now := series.last_at;
    insert into bespeak.invoice as i (invoice_id, resource_id, booking_id, workspace, prefix, place, kind,
        payment_id, refund_id, corrects, amount, currency, issued_at, content)
    values (bespeak.new_id(home), home, in_booking, in_workspace, v_prefix, series.last,
        case when in_refund is null then 'invoice' else 'credit_note' end, in_payment, in_refund,
        case when in_refund is not null then first_one.invoice_id end, in_amount, in_currency, v_now,
        in_content)
    returning i.* into found_one;
    if in_refund is null then
        v_buyer := bespeak.buyer_of(home, in_booking);
    else
        select y.buyer into v_buyer from bespeak.invoice_buyer y
        where y.invoice_id = first_one.invoice_id;
    end if;
    if v_buyer is not null then
        -- The term begins when the year of the document is over.
        insert into bespeak.invoice_buyer (invoice_id, buyer, keep_until)
        values (found_one.invoice_id, v_buyer,
            date_trunc('year', v_now, 'UTC') + make_interval(years => keep_years + 1));
    end if;
    return query select 'issued', found_one, v_buyer;
end
$$;

-- Who a booking is invoiced to: what they said for it, with the contact's name and e-mail address. Null
-- where nobody said anything.
create or replace function bespeak.buyer_of(home bigint, in_booking uuid) returns jsonb
language sql stable as $$
    select nullif(jsonb_strip_nulls(jsonb_build_object(
        'name', c.contact ->> 'name', 'email', c.contact ->> 'email',
        'company', d.details ->> 'company', 'address', d.details ->> 'address',
        'tax_number', d.details ->> 'tax_number')), '{}')
    from (select bespeak.contact_of(in_booking, '{}') as contact) c
    left join bespeak.billing d on d.resource_id = home and d.booking_id = in_booking
$$;

-- Keeps what a buyer wants to stand on the invoice, until it is issued. The booking's row is locked, as
-- whoever issues does: so what was kept stands on it. Outcomes: kept, issued, not_found.
create or replace function bespeak.keep_billing(home bigint, in_booking uuid, in_details jsonb)
returns text
language plpgsql
set enable_seqscan = off
as $$
begin
    perform from bespeak.booking b
    where b.resource_id = home and b.booking_id = in_booking for no key update;
    if not found then
        return 'not_found';
    end if;
    if exists (select from bespeak.invoice i where i.booking_id = in_booking) then
        return 'issued';
    end if;
    insert into bespeak.billing (resource_id, booking_id, details, changed_at)
    values (home, in_booking, in_details, bespeak.now())
    on conflict (resource_id, booking_id) do update
    set details = excluded.details, changed_at = excluded.changed_at;
    return 'kept';
end
$$;
