-- An operator takes a party off a waitlist, and says why.

alter table bespeak.waitlist_entry
    add column note text,
    drop constraint waitlist_entry_reason_check,
    add constraint waitlist_entry_reason_check
        check (reason in ('declined', 'lapsed', 'until', 'list_ended', 'removed')),
    add constraint waitlist_entry_removed_with_a_note
        check (note is null or reason is not distinct from 'removed');
