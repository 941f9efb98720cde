-- Answers that are remembered by their idempotency key, for every verb but placing.

-- Looks up what a key was answered with before, and the outcome of repeating it: replayed, or
-- key_reused where the repeat asks for something else. Zero rows: the key is new.
create or replace function bespeak.recall(
    in_verb text, home bigint, in_owner text, key text, content bytea)
returns table (subject uuid, outcome text)
language sql stable as $$
    select a.subject, case when a.fingerprint = content then 'replayed' else 'key_reused' end
    from bespeak.answer a
    where a.resource_id = home and a.owner = in_owner and a.verb = in_verb
        and a.idempotency_key = key
$$;

-- Remembers the answers of a batch. Two requests that use one key at the same instant for
-- different holds meet here; the second fails with 40001, and repeating it finds the key.
create or replace function bespeak.remember(
    in_verb text, v_now timestamptz, homes bigint[], owners text[], keys text[],
    fingerprints bytea[], subjects uuid[]) returns void
language plpgsql as $$
#variable_conflict use_column
declare
    kept integer;
begin
    with kept as (
        insert into bespeak.answer (resource_id, owner, verb, idempotency_key, fingerprint,
            subject, answered_at)
        select k.home, k.owner, in_verb, k.key, k.fingerprint, k.subject, v_now
        from unnest(homes, owners, keys, fingerprints, subjects)
            as k(home, owner, key, fingerprint, subject)
        where k.key is not null
        order by 1, 2, 4
        on conflict do nothing
        returning 1
    )
    select count(*) into kept from kept;
    if kept < cardinality(array_remove(keys, null)) then
        raise exception 'an idempotency key was used by another request at this instant'
            using errcode = '40001';
    end if;
end
$$;

-- Remembers the answers of those changes of holds that were made: without an outcome so far.
create or replace function bespeak.remember_changes(
    in_verb text, v_now timestamptz, requests bespeak.change_request[], holds bespeak.hold[],
    outcomes text[]) returns void
language plpgsql as $$
begin
    perform bespeak.remember(in_verb, v_now, array_agg(q.home),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;
end
$$;
