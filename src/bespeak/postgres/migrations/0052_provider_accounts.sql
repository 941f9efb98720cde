-- The accounts with the payment provider that operators set at the console, of the whole installation. A
-- payment names the account that it began with as its provider (`stripe-1`), and ends with the keys of that
-- account: so one that buyers pay at no more stays for as long as a payment of it is on record.
create table bespeak.provider_account (
    -- Never given again: another account has another name.
    number integer generated always as identity primary key,
    account_id text not null check (length(account_id) between 1 and 255),
    is_live boolean not null,
    account_name text not null check (length(account_name) <= 200),
    -- Sealed by a key of the installation's signing secret, each for this account and mode alone.
    secret_key bytea not null check (length(secret_key) <= 4096),
    webhook_secret bytea not null check (length(webhook_secret) <= 4096),
    key_ends_with text not null check (length(key_ends_with) = 4),
    changed_at timestamptz not null,
    -- Since when no payment begins here; null: buyers pay at this one.
    ended_at timestamptz,
    constraint provider_account_once unique (account_id, is_live)
);

-- Buyers pay at one account, or none.
create unique index provider_account_current on bespeak.provider_account ((true)) where ended_at is null;

-- Whether a payment needs an account still is asked without a look at all payments. Each step of a payment
-- writes all indexes of it anew: those of other providers, which have no accounts, do not pay for this one.
create index payment_of_provider on bespeak.payment (provider) where provider like 'stripe%';
