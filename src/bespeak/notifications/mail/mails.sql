-- name: claim
-- Takes mails that are due, with what they tell of.
select mail, hold, booking, contact, refunding from bespeak.claim_mails($1, $2)

-- name: resources
-- What the lines of a mail are of, as people call it.
select resource_id, name, time_zone, starts_at, attributes ->> 'starts_at' as said_to_start_at,
    coalesce(nullif(attributes ->> 'location', ''), nullif(attributes ->> 'venue', ''),
        attributes ->> 'address') as said_to_be_at,
    workspace, translations, plan -> 'translations' as plan_translations, plan -> 'stops' as stops
from bespeak.resource where resource_id = any($1::bigint[])

-- name: settle
-- Records what became of a mail: sent, failed for good, or to be sent after so many seconds; only by
-- whom it was lent to.
update bespeak.mail
set state = $3, tries = tries + $4, failure = $5,
    due_at = case when $3 = 'pending' then bespeak.now() + make_interval(secs => $6) end,
    ended_at = case when $3 <> 'pending' then bespeak.now() end
where mail_id = $1 and state = 'pending' and due_at = $2
