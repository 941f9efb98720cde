-- Reads on in the feed and writes down who is to be told.

-- Reads on in the feed and writes down who is to be told, in one transaction with the cursor. Any
-- number may call it: one reads, the others get no row. A failed payment is written about later, when
-- it is sure that no second try has paid.
create or replace function bespeak.announce_events(in_follower text, in_limit integer)
returns table (events integer, deliveries integer, mails integer, last_at timestamptz,
    answered_at timestamptz)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_cursor bespeak.follower;
    v_now timestamptz;
begin
    perform set_config('synchronous_commit', 'off', true);
    select f.* into v_cursor from bespeak.follower f where f.name = in_follower
    for update skip locked;
    if not found then
        return;
    end if;
    v_now := bespeak.now();
    return query
    with batch as materialized (
        select * from bespeak.events_numbered(v_cursor.horizon, v_cursor.position, in_limit)
    ), wanted as (
        insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon, kind,
            due_at, created_at)
        select w.endpoint_id, e.position, e.resource_id, e.horizon, e.kind, v_now, v_now
        from batch e join bespeak.webhook_endpoint w
            on w.enabled and w.deleted_at is null
            and (w.kinds is null or e.kind = any(w.kinds))
            and (w.resources is null or e.resource_id = any(w.resources))
            -- While there is one workspace, nobody looks in which a resource is.
            and ((select count(*) = 1 from bespeak.workspace) or w.workspace = (
                select r.workspace from bespeak.resource r where r.resource_id = e.resource_id))
        on conflict do nothing
        returning 1
    ), written as (
        insert into bespeak.mail (mail_id, kind, hold_id, horizon, position, at, data, due_at,
            created_at)
        select distinct on (e.hold_id, k.mail, e.horizon) gen_random_uuid(), k.mail, e.hold_id,
            e.horizon, e.position, e.at, e.data, v_now + make_interval(secs => k.wait), v_now
        from batch e
        join (values ('confirmed', 'booking_confirmed', 0), ('cancelled', 'booking_cancelled', 0),
            ('moved', 'booking_moved', 0), ('payment_late', 'payment_late', 0),
            ('payment_failed', 'payment_failed', 120), ('refunded', 'refunded', 0)
        ) as k(event, mail, wait) on k.event = e.kind
        -- Asked only of the events that are written about: this is one of five, and asking costs. Who
        -- moved a booking may have said that nobody is to be written to.
        where case when k.mail is not null and e.data -> 'mail' is distinct from 'false'
            then bespeak.contact_of(e.hold_id, e.data) ->> 'email' end is not null
        order by e.hold_id, k.mail, e.horizon, e.position
        on conflict do nothing
        returning 1
    ), last as (
        select e.horizon, e.position, e.at from batch e
        order by e.horizon desc, e.position desc limit 1
    ), moved as (
        update bespeak.follower f set horizon = l.horizon, position = l.position
        from last l where f.name = in_follower
    )
    select (select count(*) from batch)::integer, (select count(*) from wanted)::integer,
        (select count(*) from written)::integer, (select l.at from last l), v_now;
end
$$;

-- Who is to be written to about a hold: the payment that the event is of says so, or the booking, or
-- the payment that is under way or has paid, or that was given back.
create or replace function bespeak.contact_of(in_hold uuid, in_data jsonb) returns jsonb
language sql stable as $$
    select coalesce(
        (select p.contact from bespeak.payment p
         where in_data ? 'payment_id' and p.resource_id = bespeak.home_of(in_hold)
            and p.payment_id = bespeak.id_uuid(in_data ->> 'payment_id')),
        (select b.contact from bespeak.booking b
         where b.resource_id = bespeak.home_of(in_hold) and b.booking_id = in_hold),
        (select p.contact from bespeak.payment p
         where p.hold_id = in_hold and p.state in ('pending', 'authorized', 'captured', 'refunded')
         order by p.created_at desc limit 1))
$$;
