-- Keys with scopes: what they may do, of which resources, and until when.

alter table bespeak.api_key drop constraint api_key_kind_check;

alter table bespeak.api_key
    add constraint api_key_kind_check check (kind in ('publishable', 'secret', 'admin', 'restricted')),
    -- Of a restricted key. The other kinds are presets, whose scopes the program knows.
    add column scopes text[] not null default '{}',
    -- Where it is bound: to these resources, or to a place of a vertical (its name, a slash, an id).
    add column resources text[],
    add column place text,
    add column expires_at timestamptz,
    add constraint api_key_scopes_known check (scopes <@
        array['read', 'sell', 'check_in', 'refund', 'personal_data', 'manage', 'admin']),
    add constraint api_key_restricted_has_scopes check ((kind = 'restricted') = (scopes <> '{}')),
    add constraint api_key_bound_is_restricted check (
        num_nonnulls(resources, place) = 0 or (kind = 'restricted' and num_nonnulls(resources, place) = 1)),
    add constraint api_key_bound_to_something check (resources <> '{}');
