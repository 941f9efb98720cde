-- How owners are known after they are erased: by salted digests, and by pseudonyms.

-- The salted digest of an owner, or of an owner with an idempotency key. Without the installation's salt
-- nobody can try guesses; with a dump of the database one can, so what stands beside it names no hold.
create or replace function bespeak.erasure_digest(owner text, key text default '') returns bytea
language sql stable as $$
    select sha256(s.value || convert_to(owner, 'UTF8') || '\x00' || convert_to(key, 'UTF8'))
    from bespeak.secret s where s.name = 'erasure'
$$;

-- Whether a key was that of an erased hold of this owner.
create or replace function bespeak.is_key_erased(owner text, key text) returns boolean
language sql stable as $$
    select exists (
        select from bespeak.erased_key e where e.digest = bespeak.erasure_digest(owner, key))
$$;

-- Whether an owner is the pseudonym of one who was erased. Of these nobody can be told anything.
create or replace function bespeak.is_erased(owner text) returns boolean
language sql immutable parallel safe as $$
    select owner ~ '^erased_[0-9a-hjkmnp-tv-z]{26}$'
$$;
