-- name: contact
-- Who a booking is for, with the version of that.
select c.contact, bespeak.version_of(c.contact) as version
from (select bespeak.contact_of($1, null) as contact) c

-- name: set_contact
-- Puts a contact in place of the one that was seen.
select outcome, version from bespeak.set_contact($1, $2, $3::text::jsonb, $4)
