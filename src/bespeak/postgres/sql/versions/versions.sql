-- The version of what is saved whole and has no counter: a number of what stands there. Whoever saves names
-- the version that they saw, and the statement that writes looks whether it is still that one.

-- The version of a row, as `to_jsonb` gives it; 0: there is none. Of two rows that say the same it is the
-- same, also after one was taken away and said anew: when it was changed does not count. It is below 2^53,
-- so that a browser reads it as it is.
create or replace function bespeak.version_of(said jsonb) returns bigint
language sql immutable parallel safe as $$
    select case when said is null then 0
        else 1 + ('x' || left(encode(sha256(convert_to((said - 'changed_at')::text, 'UTF8')), 'hex'), 13))
            ::bit(52)::bigint end
$$;

-- Whether a row is of the version that was seen; null: any will do.
create or replace function bespeak.is_seen(seen bigint, said jsonb) returns boolean
language sql immutable parallel safe as $$
    select seen is null or seen = bespeak.version_of(said)
$$;
