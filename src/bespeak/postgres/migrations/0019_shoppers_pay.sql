-- Where a shopper asks by itself that a hold become a booking, it is not taken at its word that it paid:
-- only what is paid elsewhere, as the resource says, needs no payment here.
alter type bespeak.change_request add attribute of_shopper boolean;

alter table bespeak.resource drop constraint resource_payment_check;
alter table bespeak.resource
    add constraint resource_payment_check check (payment in ('none', 'required', 'at_venue'));
