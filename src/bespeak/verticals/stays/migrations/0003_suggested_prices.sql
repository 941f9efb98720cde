-- Within which bounds prices of a listing may be suggested, and whether they are applied by this rule, once a
-- day, or by hand. The prices themselves stand in the plan of the listing's resource.
create table stays.price_rule (
    resource_id bigint primary key references stays.listing (resource_id),
    least bigint not null check (least between 1 and 1000000000000),
    most bigint not null check (most between 1 and 1000000000000),
    step integer not null check (step between 1 and 10000),
    multiple bigint not null check (multiple between 1 and 1000000000),
    days_ahead integer not null check (days_ahead between 1 and 366),
    applied text not null check (applied in ('by_hand', 'by_rule')),
    -- The day of the property on which the rule was applied last, and when somebody began to.
    applied_on date not null default '-infinity',
    begun_at timestamptz not null default '-infinity',
    constraint price_rule_least_within_most check (least <= most)
);

-- The worker asks which rules are due, over all listings.
create index price_rule_due on stays.price_rule (applied_on, begun_at) where applied = 'by_rule';

alter table stays.made drop constraint made_kind_check;
alter table stays.made add constraint made_kind_check check (kind in
    ('property', 'listing', 'suggested_prices'));
