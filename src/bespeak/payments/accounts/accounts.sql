-- name: read
-- All accounts with their sealed keys: the one at which buyers pay first, then the latest.
select a.number, a.account_id, a.is_live, a.account_name, a.secret_key, a.webhook_secret, a.key_ends_with,
    a.publishable_key, a.changed_at, a.ended_at,
    bespeak.version_of(to_jsonb(a) - 'ended_at') as version
from bespeak.provider_account a
order by a.ended_at desc nulls first, a.number desc

-- name: lock
-- Lets one transaction after the other change the accounts; who reads them does not wait.
lock table bespeak.provider_account in share row exclusive mode

-- name: end_others
-- Lets no payment begin any more at any account but this one; null: at none.
update bespeak.provider_account set ended_at = bespeak.now()
where ended_at is null and number is distinct from $1

-- name: add
-- Adds an account at which buyers pay from now on.
insert into bespeak.provider_account
    (account_id, is_live, account_name, secret_key, webhook_secret, key_ends_with, publishable_key,
    changed_at)
values ($1, $2, $3, $4, $5, $6, $7, bespeak.now())

-- name: renew
-- Gives an account other keys. Where buyers pay is not changed by that.
update bespeak.provider_account
set account_name = $2, secret_key = $3, webhook_secret = $4, key_ends_with = $5,
    publishable_key = $6, changed_at = bespeak.now()
where number = $1

-- name: resume
-- Lets buyers pay at an account again.
update bespeak.provider_account set ended_at = null where number = $1

-- name: under_way
-- How many payments and refunds of a provider are not at their end, counted up to a bound.
select count(*) from (
    (select from bespeak.payment p where p.step is not null and p.provider = $1 limit $2)
    union all
    (select from bespeak.refund r
        join bespeak.payment p on p.resource_id = r.resource_id and p.payment_id = r.payment_id
        where r.state = 'pending' and p.provider = $1 limit $2)
    limit $2) q

-- name: needing
-- How many payments of a provider have or may have money that can still move, counted up to a bound.
select count(*) from (
    select from bespeak.payment p
    where p.provider = $1 and p.provider like 'stripe%'
        and (p.step is not null or p.state in ('pending', 'authorized', 'captured'))
    limit $2) q

-- name: forget
-- Takes the accounts away that ended a day ago and that no payment on record names.
delete from bespeak.provider_account a
where a.ended_at < bespeak.now() - interval '1 day'
    and not exists (select from bespeak.payment p
        where p.provider = 'stripe-' || a.number and p.provider like 'stripe%')
returning a.number
