-- Fingerprints of requests, the same in every language that makes them.

-- Eight bytes that stand for one field of a request; a fingerprint is one for each field.
create or replace function bespeak.field_print(content text) returns bytea
language sql immutable parallel safe as $$
    select substr(sha256(convert_to(coalesce(content, ''), 'UTF8')), 1, 8)
$$;

-- Lines as one text, the same in every language that makes fingerprints.
create or replace function bespeak.lines_text(in_resources bigint[], in_units text[], in_quantities integer[])
returns text language sql immutable as $$
    select string_agg(bespeak.resource_text(l.resource_id) || ' ' || l.unit || ' '
        || coalesce(l.quantity::text, ''), E'\n' order by l.n)
    from unnest(in_resources, in_units, in_quantities)
        with ordinality as l(resource_id, unit, quantity, n)
$$;
