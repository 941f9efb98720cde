-- Walks through tables, block by block, by which answers and mails past their time are let go.

-- The next blocks of a table's walk: from the first up to before the last. No row while it rests: a walk
-- begins a day after the one before.
create or replace function bespeak.next_blocks(in_table text, in_blocks integer)
returns table (first_block bigint, last_block bigint)
language sql stable as $$
    select w.next_block, w.next_block + in_blocks
    from bespeak.table_walk w
    where w.name = in_table
        and (w.next_block > 0 or w.begun_at <= bespeak.now() - interval '1 day')
$$;

-- Begins a turn: keeps the walk to the caller, and says whether these blocks are the next ones still and
-- nobody else is at them. Nobody waits until what goes is gone from the disk too.
create or replace function bespeak.begin_blocks(in_table text, in_first bigint) returns boolean
language plpgsql as $$
begin
    perform set_config('synchronous_commit', 'off', true);
    perform from bespeak.table_walk w where w.name = in_table and w.next_block = in_first
    for update skip locked;
    return found;
end
$$;

-- Ends a turn: the walk goes on after these blocks, or rests when the table has no more.
create or replace function bespeak.end_blocks(in_table text, in_first bigint, in_last bigint)
returns void
language sql as $$
    update bespeak.table_walk w
    set begun_at = case when in_first = 0 then bespeak.now() else w.begun_at end,
        next_block = case
            when in_last < pg_relation_size(format('bespeak.%I', in_table)::regclass)
                / current_setting('block_size')::bigint then in_last
            else 0
        end
    where w.name = in_table
$$;

-- Where a block of a table begins.
create or replace function bespeak.block_start(block bigint) returns tid
language sql immutable as $$
    select format('(%s,0)', least(block, 4294967294))::tid
$$;

-- Lets the answers go that are past their time in some blocks, whose turn it is. Answers how many, and
-- no row where the turn is not the next any more. The primary key keeps one answer of a key for good,
-- so the table is one, and not parted by time.
create or replace function bespeak.let_go_answers(
    in_first bigint, in_last bigint, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off
as $$
begin
    if not bespeak.begin_blocks('answer', in_first) then
        return;
    end if;
    delete from bespeak.answer a
    where a.ctid = any(array(
        select o.ctid from bespeak.answer o
        where o.ctid >= bespeak.block_start(in_first) and o.ctid < bespeak.block_start(in_last)
            and o.answered_at <= in_before
        for update skip locked));
    get diagnostics gone = row_count;
    perform bespeak.end_blocks('answer', in_first, in_last);
    return next;
end
$$;

-- Lets the entries of the audit log go that are past their time in some blocks, whose turn it is, and says
-- so to the trigger that keeps them. Answers as for answers.
create or replace function bespeak.let_go_audit_entries(
    in_first bigint, in_last bigint, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off
set bespeak.lets_audit_entries_go = 'yes'
as $$
begin
    if not bespeak.begin_blocks('audit_entry', in_first) then
        return;
    end if;
    delete from bespeak.audit_entry a
    where a.ctid = any(array(
        select o.ctid from bespeak.audit_entry o
        where o.ctid >= bespeak.block_start(in_first) and o.ctid < bespeak.block_start(in_last)
            and o.at <= in_before
        for update skip locked));
    get diagnostics gone = row_count;
    perform bespeak.end_blocks('audit_entry', in_first, in_last);
    return next;
end
$$;

-- Lets the digests of erased keys go that are past their time in some blocks, whose turn it is. Answers as
-- for answers.
create or replace function bespeak.let_go_erased_keys(
    in_first bigint, in_last bigint, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off
as $$
begin
    if not bespeak.begin_blocks('erased_key', in_first) then
        return;
    end if;
    delete from bespeak.erased_key k
    where k.ctid >= bespeak.block_start(in_first) and k.ctid < bespeak.block_start(in_last)
        and k.erased_at <= in_before;
    get diagnostics gone = row_count;
    perform bespeak.end_blocks('erased_key', in_first, in_last);
    return next;
end
$$;

-- The mails past their time in some blocks: those that ended, sent or not.
create or replace function bespeak.ended_mails(
    in_first bigint, in_last bigint, in_before timestamptz)
returns setof bespeak.mail
language sql stable
set enable_seqscan = off
as $$
    select m.* from bespeak.mail m
    where m.ctid >= bespeak.block_start(in_first) and m.ctid < bespeak.block_start(in_last)
        and m.ended_at <= in_before
$$;

-- Lets the mails go that are past their time in some blocks, whose turn it is. Answers as for answers.
create or replace function bespeak.let_go_mails(
    in_first bigint, in_last bigint, in_before timestamptz)
returns table (gone integer)
language plpgsql
set enable_seqscan = off
as $$
begin
    if not bespeak.begin_blocks('mail', in_first) then
        return;
    end if;
    delete from bespeak.mail m
    where m.mail_id = any(array(
        select o.mail_id from bespeak.mail o
        where o.mail_id = any(array(
            select e.mail_id from bespeak.ended_mails(in_first, in_last, in_before) e))
        for update skip locked));
    get diagnostics gone = row_count;
    perform bespeak.end_blocks('mail', in_first, in_last);
    return next;
end
$$;
