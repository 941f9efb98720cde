-- How owners are known after they are erased: by salted digests, and by pseudonyms.

-- The salted digest of an owner, or of an owner with an idempotency key. Without the installation's salt
-- nobody can try guesses; with a dump of the database one can, so what stands beside it names no hold.
create or replace function bespeak.erasure_digest(owner text, key text default '') returns bytea
language sql stable as $$
    select bespeak.salted_digest(s.value, owner, key) from bespeak.secret s where s.name = 'erasure'
$$;

-- The same with a salt: one expression, which is planned into the statement that uses it.
create or replace function bespeak.salted_digest(salt bytea, owner text, key text) returns bytea
language sql stable as $$
    select sha256(salt || convert_to(owner, 'UTF8') || '\x00' || convert_to(key, 'UTF8'))
$$;

-- The requests, by their ids, whose key was that of an erased hold of the same owner; null: none.
create or replace function bespeak.erased_keys(requests bespeak.hold_request[]) returns uuid[]
language plpgsql as $$
declare
    salt constant bytea := (select s.value from bespeak.secret s where s.name = 'erasure');
begin
    return (
        select array_agg(q.hold_id) from unnest(requests) as q
        where q.idempotency_key is not null and (
            -- A scalar subquery is a look-up by key whatever the planner knows.
            select true from bespeak.erased_key e
            where e.digest = bespeak.salted_digest(salt, q.owner, q.idempotency_key)));
end
$$;

-- Whether an owner is the pseudonym of one who was erased. Of these nobody can be told anything.
create or replace function bespeak.is_erased(owner text) returns boolean
language sql immutable parallel safe as $$
    select owner ~ '^erased_[0-9a-hjkmnp-tv-z]{26}$'
$$;
