-- The premiere that visitors of the demo queue for: one show and its waiting room. And what a crowd
-- that queues has to tell beside.

create table demo.premiere (
    is_the_one boolean primary key default true check (is_the_one),
    resource_id bigint not null,
    room_id text not null
);

alter table demo.rush
    add column waiting_room_id text,
    add column joined integer not null default 0,
    add column let_in integer not null default 0,
    add column cancelled integer not null default 0;
