-- How the payments behind a waiting room go, by which whoever lets people in lets in fewer, or nobody.

alter table bespeak.waiting_room add column payments text not null default 'well'
    constraint waiting_room_payments check (payments in ('well', 'slow', 'stopped'));
