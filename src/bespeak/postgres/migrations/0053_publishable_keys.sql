-- The key with which a buyer's browser opens Stripe's form for an account. It is no secret: each page has it.

alter table bespeak.provider_account add column publishable_key text
    constraint provider_account_publishable_key check (
        publishable_key ~ '^pk_(live|test)_[A-Za-z0-9_]{1,250}$'
        and (publishable_key like 'pk\_live\_%') = is_live);
