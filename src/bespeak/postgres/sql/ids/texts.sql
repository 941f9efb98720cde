-- Ids as texts, as everybody outside sees them: TypeIDs, and `res_...` for resources.

-- 'hold_01h2...' from a UUID; the prefix is hold, bkg, blk, pay or ref. Digit by digit, because every
-- event about money has ids in it, and a loop, or arithmetic with numerics, takes ten times as long.
create or replace function bespeak.id_text(prefix text, id uuid) returns text
language plpgsql immutable strict parallel safe as $$
declare
    digits constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    hex constant text := replace(id::text, '-', '');
    high constant bigint := ('x' || substr(hex, 1, 16))::bit(64)::bigint;
    low constant bigint := ('x' || substr(hex, 17, 16))::bit(64)::bigint;
begin
    return prefix || '_'
        || substr(digits, ((high >> 61) & 7)::integer + 1, 1)
        || substr(digits, ((high >> 56) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 51) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 46) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 41) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 36) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 31) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 26) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 21) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 16) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 11) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 6) & 31)::integer + 1, 1)
        || substr(digits, ((high >> 1) & 31)::integer + 1, 1)
        || substr(digits, (((low >> 60) & 15) | ((high & 1) << 4))::integer + 1, 1)
        || substr(digits, ((low >> 55) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 50) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 45) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 40) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 35) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 30) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 25) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 20) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 15) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 10) & 31)::integer + 1, 1)
        || substr(digits, ((low >> 5) & 31)::integer + 1, 1)
        || substr(digits, (low & 31)::integer + 1, 1);
end
$$;

-- The UUID in 'hold_01h2...', whatever its prefix says.
create or replace function bespeak.id_uuid(id text) returns uuid
language plpgsql immutable strict parallel safe as $$
declare
    digits constant text := split_part(id, '_', 2);
    rest numeric;
    hex text := '';
begin
    if length(digits) <> 26 or substr(digits, 1, 1) > '7' then
        raise exception 'invalid_id' using errcode = 'BS001', hint = 'do not retry',
            detail = jsonb_build_object('id', left(id, 60))::text;
    end if;
    rest := bespeak.base32_decode(digits);
    for i in 1 .. 8 loop
        hex := lpad(to_hex(mod(rest, 65536)::int), 4, '0') || hex;
        rest := div(rest, 65536);
    end loop;
    return hex::uuid;
end
$$;

-- 'res_...' from the number of a resource.
create or replace function bespeak.resource_text(resource_id bigint) returns text
language sql immutable strict parallel safe as $$
    select 'res_' || bespeak.base32_encode(resource_id, 8)
$$;

-- The number in 'res_...'. Raises BS001.
create or replace function bespeak.resource_number(id text) returns bigint
language plpgsql immutable strict parallel safe as $$
begin
    if id !~ '^res_[0-9abcdefghjkmnpqrstvwxyz]{8}$' then
        raise exception 'invalid_id' using errcode = 'BS001', hint = 'do not retry',
            detail = jsonb_build_object('id', left(id, 60), 'kind', 'res')::text;
    end if;
    return bespeak.base32_decode(substr(id, 5))::bigint;
end
$$;

-- Crockford's base 32, lower case, most significant digit first: the digits of TypeIDs.
create or replace function bespeak.base32_encode(value numeric, digits int) returns text
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    rest numeric := value;
    result text := '';
begin
    for i in 1 .. digits loop
        result := substr(alphabet, mod(rest, 32)::int + 1, 1) || result;
        rest := div(rest, 32);
    end loop;
    return result;
end
$$;

-- The number that such digits stand for. Raises BS001.
create or replace function bespeak.base32_decode(digits text) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
    alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
    result numeric := 0;
    digit int;
begin
    for i in 1 .. length(digits) loop
        digit := strpos(alphabet, substr(digits, i, 1)) - 1;
        if digit < 0 then
            raise exception 'invalid_id' using errcode = 'BS001', hint = 'do not retry',
                detail = jsonb_build_object('id', left(digits, 60))::text;
        end if;
        result := result * 32 + digit;
    end loop;
    return result;
end
$$;
