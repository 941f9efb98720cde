-- name: contact
-- Who a booking is for, with the version of that.
select c.contact, bespeak.version_of(c.contact) as version
from (select bespeak.contact_of($1, null) as contact) c

-- name: set_contact
-- Puts a contact in place of the one that was seen.
select outcome, version from bespeak.set_contact($1, $2, $3::text::jsonb, $4)

-- name: kept_address
-- To whom news goes of what becomes of a hold for which another booking is given back.
select bespeak.kept_contact($1) ->> 'email'
