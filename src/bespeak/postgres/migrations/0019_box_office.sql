-- The box office: what its pages and its operators ask of bookings, and the counts that they see.

-- Sessions of operators at the console that were ended before their time. A session is a signed cookie;
-- this is why a copy of it is good for nothing after the logout.
create table bespeak.ended_session (
    session_id text primary key,
    expires_at timestamptz not null
);

-- The bookings of an owner, and those of all, latest first. They are written when a hold is confirmed,
-- not when it is placed; the second one only ever grows at its right edge.
create index booking_of_owner on bespeak.booking (owner, confirmed_at desc, booking_id desc);
create index booking_confirmed on bespeak.booking (confirmed_at, booking_id);

-- The words by which an operator finds the booking of somebody at the door. The contact stands with the
-- booking, or with what it was paid by.
create function bespeak.contact_words(contact jsonb) returns tsvector
language sql immutable strict parallel safe as $$
    select to_tsvector('simple', concat_ws(' ', contact ->> 'name', contact ->> 'email'))
$$;
create index booking_contact on bespeak.booking using gin (bespeak.contact_words(contact))
    where contact is not null;
create index payment_contact on bespeak.payment using gin (bespeak.contact_words(contact))
    where contact is not null;

-- Bookings whose contact has these words, in no order, so many at most. How rare a word is nobody can
-- tell beforehand, least of all the planner: it would walk through all bookings for one that is there
-- once. So the indexes are all that it may use.
create function bespeak.bookings_with_words(in_words tsquery, in_limit integer)
returns table (resource_id bigint, booking_id uuid, confirmed_at timestamptz, state text)
language sql stable
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
    select b.resource_id, b.booking_id, b.confirmed_at, b.state from (
        (select b.resource_id, b.booking_id from bespeak.booking b
            where b.contact is not null and bespeak.contact_words(b.contact) @@ in_words
            limit in_limit)
        union
        (select p.resource_id, p.hold_id from bespeak.payment p
            where p.contact is not null and bespeak.contact_words(p.contact) @@ in_words
            limit in_limit)
    ) f
    join bespeak.booking b on b.resource_id = f.resource_id and b.booking_id = f.booking_id
    limit in_limit
$$;

create index resource_starts on bespeak.resource
    ((coalesce(starts_at, 'infinity'::timestamptz)), resource_id);
create index resource_named on bespeak.resource (name, resource_id);

-- What failed and waits for a person: rare, so these are all but empty.
create index refund_failed on bespeak.refund (created_at) where state = 'failed';
create index mail_failed on bespeak.mail (created_at) where state = 'failed';
create index webhook_delivery_failed on bespeak.webhook_delivery (created_at) where state = 'failed';

-- What happened, by the minute: how many holds or bookings, how many units, how much money. The feed
-- has no index by time, and an operator's day may be a million events; so they are counted once, by a
-- follower that keeps its place with the counts, and a day is some thousand rows. Of `refunded` the
-- holds are counted whose money went back, of all others those to which it happened.
create table bespeak.minute_count (
    minute timestamptz not null,
    what text not null check (what in
        ('held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded')),
    -- Of what has an amount; else empty.
    currency text not null,
    count bigint not null,
    units bigint not null,
    amount bigint not null,
    primary key (minute, what, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

insert into bespeak.follower (name, horizon, position) values ('overview', '0', 0);

-- Requests for holds that were refused. A refusal leaves no other trace; each process counts its own
-- and adds them here every few seconds, so that one that is killed loses some seconds of its counts.
create table bespeak.refusal_count (
    minute timestamptz not null,
    code text not null,
    count bigint not null,
    primary key (minute, code)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- Reads on in the feed and counts, in one transaction with the cursor: each event once. Any number may
-- call it; one counts, the others get no row.
create function bespeak.tally_events(in_limit integer)
returns table (events integer, last_at timestamptz)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_cursor bespeak.follower;
begin
    perform set_config('synchronous_commit', 'off', true);
    select f.* into v_cursor from bespeak.follower f where f.name = 'overview'
    for update skip locked;
    if not found then
        return;
    end if;
    return query
    with batch as materialized (
        select * from bespeak.events_after(v_cursor.horizon, v_cursor.position, null, in_limit)
    ), counted as (
        insert into bespeak.minute_count as m (minute, what, currency, count, units, amount)
        select date_trunc('minute', e.at), e.kind,
            coalesce(b.currency, case e.kind when 'refunded' then e.data ->> 'currency' end, ''),
            count(distinct e.hold_id), coalesce(sum(u.units), 0),
            coalesce(sum(case
                -- A hold over several resources has an event for each; its price is at its home.
                when e.kind = 'confirmed' and e.resource_id = b.resource_id then b.amount
                when e.kind = 'refunded' then (e.data ->> 'amount')::bigint
            end), 0)
        from batch e
        left join bespeak.booking b on e.kind = 'confirmed'
            and b.resource_id = bespeak.home_of(e.hold_id) and b.booking_id = e.hold_id
        cross join lateral (
            select sum(coalesce(q, 1)) as units from unnest(e.quantities) as q
        ) u
        where e.kind in ('held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded')
        group by 1, 2, 3
        on conflict (minute, what, currency) do update
        set count = m.count + excluded.count, units = m.units + excluded.units,
            amount = m.amount + excluded.amount
        returning 1
    ), last as (
        select e.horizon, e.position, e.at from batch e
        order by e.horizon desc, e.position desc limit 1
    ), moved as (
        update bespeak.follower f set horizon = l.horizon, position = l.position
        from last l where f.name = 'overview'
        returning 1
    )
    select (select count(*) from batch)::integer, (select l.at from last l)
    from (select count(*) from counted) c, (select count(*) from moved) m;
end
$$;
