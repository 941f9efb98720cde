-- What is not published is not found by browsers and guests; what is held or booked of it stays as it is.
alter table bespeak.resource add column published boolean not null default true;

-- Nearly all are published: lists for guests look up the few that are not.
create index resource_unpublished on bespeak.resource (resource_id) where not published;
