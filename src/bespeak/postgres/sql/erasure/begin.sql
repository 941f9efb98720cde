-- The beginning of an erasure: what stands in its way, and its record.

-- The erasure that a request is answered with instead of a new one: by its key, or one of this owner that
-- still runs. Zero rows: there is none. Outcomes: replayed, key_reused.
create or replace function bespeak.recall_erasure(in_owner text, key text, content bytea)
returns table (outcome text, erasure bespeak.erasure)
language sql stable as $$
    select case when e.key_digest = d.digest and e.fingerprint <> content then 'key_reused'
        else 'replayed' end, e
    from (select bespeak.erasure_digest('', key) as digest) d
    join bespeak.erasure e on e.key_digest = d.digest
        or (e.owner_hash = bespeak.erasure_digest(in_owner) and e.state = 'running')
    order by e.key_digest = d.digest desc nulls last
    limit 1
$$;

-- Writes down that an owner is to be erased. Who is second at the same instant is answered with what the
-- first has begun. Outcomes: begun, replayed, key_reused.
create or replace function bespeak.begin_erasure(in_erasure uuid, in_owner text, in_pseudonym text,
    in_upcoming boolean, in_asked_by text, key text, content bytea, in_begun_at timestamptz)
returns table (outcome text, erasure bespeak.erasure)
language plpgsql as $$
#variable_conflict use_column
declare
    made bespeak.erasure;
begin
    -- Round again where the one that stood in the way has ended between the two looks.
    loop
        insert into bespeak.erasure as e (erasure_id, owner_hash, owner, pseudonym,
            including_upcoming, state, due_at, asked_by, key_digest, fingerprint, begun_at)
        values (in_erasure, bespeak.erasure_digest(in_owner), in_owner, in_pseudonym, in_upcoming,
            'running', in_begun_at, in_asked_by,
            case when key is not null then bespeak.erasure_digest('', key) end, content,
            in_begun_at)
        on conflict do nothing
        returning e.* into made;
        if made.erasure_id is not null then
            return query select 'begun', made;
            return;
        end if;
        return query
        select r.outcome, r.erasure from bespeak.recall_erasure(in_owner, key, content) r
        union all
        select 'replayed', e from bespeak.erasure e where e.erasure_id = in_erasure
        limit 1;
        if found then
            return;
        end if;
    end loop;
end
$$;

-- What of an owner's money is moving: payments that are under way or to be looked at once more, and
-- refunds that are not made yet. By the indexes of what is due, which are short; there is none by owner.
create or replace function bespeak.moving_money(in_owner text, in_limit integer)
returns table (payment_id uuid, refund_id uuid, state text, due_at timestamptz)
language sql stable
set enable_seqscan = off
as $$
    (select p.payment_id, null::uuid, p.state, p.due_at from bespeak.payment p
    where p.step is not null and p.owner = in_owner order by p.due_at limit in_limit)
    union all
    (select p.payment_id, f.refund_id, f.state, f.due_at from bespeak.refund f
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    where f.state = 'pending' and p.owner = in_owner order by f.due_at limit in_limit)
$$;
