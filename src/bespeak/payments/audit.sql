-- name: money_problems
-- Everything in which money and inventory disagree, the first thousand.
select problem, resource_id, payment_id, refund_id, booking_id, details
from bespeak.money_problems(make_interval(secs => $1)) limit 1000
