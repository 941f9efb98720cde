-- What texts of the catalogue are called in other languages; those of a show stand with its resource.
alter table cinema.city add column translations jsonb not null default '[]'
    constraint city_translations_are_a_list check (jsonb_typeof(translations) = 'array');
alter table cinema.cinema add column translations jsonb not null default '[]'
    constraint cinema_translations_are_a_list check (jsonb_typeof(translations) = 'array');
alter table cinema.screen add column translations jsonb not null default '[]'
    constraint screen_translations_are_a_list check (jsonb_typeof(translations) = 'array');
alter table cinema.film add column translations jsonb not null default '[]'
    constraint film_translations_are_a_list check (jsonb_typeof(translations) = 'array');
