-- A refund ends with its payment when no money was taken. Before, it waited for the refunder to see that,
-- and stayed promised.
update bespeak.refund f
set state = 'failed', failure = 'not_captured', due_at = null, ended_at = bespeak.now()
from bespeak.payment p
where f.state = 'pending' and p.resource_id = f.resource_id and p.payment_id = f.payment_id
    and p.state in ('failed', 'voided');

update bespeak.payment set refunding = 0 where state in ('failed', 'voided') and refunding > 0;
