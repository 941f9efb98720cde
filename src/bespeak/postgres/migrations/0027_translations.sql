-- What the texts of a resource are called in other languages. With a default that is a constant, no row
-- is written anew.
alter table bespeak.resource add column translations jsonb not null default '[]'
    constraint resource_translations_are_a_list check (jsonb_typeof(translations) = 'array');
