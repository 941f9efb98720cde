-- Giving money back: what is to be given back is written down first.

-- Writes down that money is to be given back; the caller has raised `refunding` by the amount, whose
-- CHECK is what keeps all refunds of a payment within it.
create or replace function bespeak.begin_refund(
    v_now timestamptz, p bespeak.payment, in_amount bigint, in_cause text, in_actor text)
returns uuid
language plpgsql as $$
declare
    made bespeak.refund;
begin
    insert into bespeak.refund (resource_id, refund_id, payment_id, hold_id, amount, currency, cause,
        state, due_at, created_at, begun_by)
    values (p.resource_id, bespeak.new_id(p.resource_id), p.payment_id, p.hold_id, in_amount,
        coalesce(p.captured_currency, p.currency), in_cause, 'pending', v_now, v_now,
        in_actor)
    returning * into made;
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    values (p.resource_id, bespeak.horizon(), 'refund_begun', p.hold_id, v_now,
        bespeak.refund_data(made), in_actor);
    return made.refund_id;
end
$$;

-- Writes down what cancellations give back of the payments of bookings. A CHECK keeps all refunds of
-- a payment within it. Where nothing was paid, nothing is given back.
create or replace function bespeak.give_back(v_now timestamptz, homes bigint[], holds uuid[],
    amounts bigint[], resources_called_off bigint[], actors text[]) returns void
language plpgsql as $$
#variable_conflict use_column
begin
    perform from unnest(homes, holds) as g(home, hold_id)
    join bespeak.payment p on p.resource_id = g.home and p.hold_id = g.hold_id
    where p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
    order by p.resource_id, p.payment_id for update of p;
    with paid as (
        update bespeak.payment p set refunding = p.refunding + g.amount
        from unnest(homes, holds, amounts, resources_called_off, actors)
            as g(home, hold_id, amount, called_off, actor)
        where p.resource_id = g.home and p.hold_id = g.hold_id
            and p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
        returning p.resource_id, p.payment_id, p.hold_id, p.currency, g.amount, g.called_off,
            g.actor
    ), made as (
        insert into bespeak.refund as f (resource_id, refund_id, payment_id, hold_id, amount,
            currency, cause, state, due_at, called_off, created_at, begun_by)
        select p.resource_id, bespeak.new_id(p.resource_id), p.payment_id, p.hold_id, p.amount,
            p.currency, case when p.called_off is null then 'cancelled' else 'called_off' end,
            'pending', v_now, p.called_off, v_now, p.actor
        from paid p
        returning f
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (m.f).resource_id, bespeak.horizon(), 'refund_begun', (m.f).hold_id, v_now,
        bespeak.refund_data(m.f), (m.f).begun_by
    from made m;
end
$$;

-- The data of an event about a refund.
create or replace function bespeak.refund_data(f bespeak.refund) returns jsonb
language sql stable parallel safe as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'payment_id', bespeak.id_text('pay', f.payment_id),
        'refund_id', bespeak.id_text('ref', f.refund_id),
        'amount', f.amount, 'currency', f.currency, 'cause', f.cause, 'failure', f.failure))
$$;
