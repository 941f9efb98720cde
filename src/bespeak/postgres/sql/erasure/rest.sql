-- Holds that were never booked, by their owner: for the last phase of an erasure, and for exports.

-- The next holds that were never booked, of an owner, in the order of the keys: at most in_limit of so many
-- rows looked at. There is no index of holds by owner, which each placing would have to pay for; so all
-- holds are gone through, a stretch each turn. The last row is where the turn ended, without an id if
-- there is nothing after it.
create or replace function bespeak.unbooked_holds(
    in_owner text, in_before timestamptz, after_resource bigint, after_hold uuid, in_rows integer,
    in_limit integer)
returns table (resource_id bigint, hold_id uuid, is_owned boolean)
language sql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
as $$
    with looked as materialized (
        select h.resource_id, h.hold_id,
            h.owner = in_owner and h.created_at <= in_before and h.state <> 'confirmed' as is_owned,
            row_number() over (order by h.resource_id, h.hold_id) as place
        from bespeak.hold h
        where (h.resource_id, h.hold_id) > (after_resource, after_hold)
        order by h.resource_id, h.hold_id limit in_rows
    ), found as (
        select l.* from looked l where l.is_owned order by l.place limit in_limit
    ), reached as (
        select case when (select count(*) from found) = in_limit then (select max(f.place) from found f)
            when (select count(*) from looked) = in_rows then in_rows end as place
    )
    select f.resource_id, f.hold_id, true from found f
    union all
    select l.resource_id, l.hold_id, false from (select 1) one
    left join (looked l join reached r on r.place = l.place) on true
$$;
