-- A waiting room says when whoever joins solves a challenge first.

alter table bespeak.waiting_room add column challenge text not null default 'never'
    constraint waiting_room_challenge check (challenge in ('never', 'often', 'always'));
