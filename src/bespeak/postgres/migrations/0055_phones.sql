-- A contact may have a telephone number, by which the desk finds the booking: its digits, from each of them
-- on while three are left, so that it does not matter with which code before it somebody says it. The words
-- of contacts without one are what they were, so the indexes stay good as they are.
create or replace function bespeak.contact_words(contact jsonb) returns tsvector
language sql immutable strict parallel safe as $$
    select to_tsvector('simple', concat_ws(' ', contact ->> 'name', contact ->> 'email'))
        || case when contact ? 'phone' then array_to_tsvector(array(
            select substr(d.digits, n)
            from (select regexp_replace(contact ->> 'phone', '[^0-9]', '', 'g')) as d(digits)
            cross join generate_series(1, greatest(1, length(d.digits) - 2)) as n
            where d.digits <> '')) else '' end
$$;
