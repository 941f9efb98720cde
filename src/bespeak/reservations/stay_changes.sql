-- name: booking_over
-- Why a booking is not one to give back, if so, and the time by which that is judged.
select bespeak.booking_over(bespeak.now(), b, $3) as problem, bespeak.now() as now
from bespeak.booking b
where b.resource_id = $1 and b.booking_id = $2

-- name: note_stay_change
-- Notes of a hold, placed by this transaction, what it is in place of.
select bespeak.note_stay_change($1, $2, $3::text::jsonb)

-- name: under_way
-- The hold that is in place of a booking already: it draws the mark of that.
select h.hold_id, h.expires_at from bespeak.draw d
join bespeak.hold h on h.resource_id = bespeak.home_of(d.hold_id) and h.hold_id = d.hold_id
where d.resource_id = $1 and d.unit = $2 and h.state = 'held'
