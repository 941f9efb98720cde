-- A waiting room can be drained: nobody more joins, and all who are in the line are served.

alter table bespeak.waiting_room add column draining boolean not null default false;
