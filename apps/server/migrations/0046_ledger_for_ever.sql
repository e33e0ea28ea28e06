-- What the ledger says has happened: rows are added, and never changed or taken away, whoever asks.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger ledger_entries_stay before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- A refund that was given back, and whose money has come back to the processor: the payer's bank has not taken it.
alter table ledger_entries
  drop constraint ledger_entries_movement_check,
  add constraint ledger_entries_movement_check
    check (movement in ('captured', 'refundOwed', 'refundReturned', 'refundRefused', 'refundFailed'));

-- Refunds by the day on which they ended.
create index refunds_by_end on refunds (mtime) where state <> 'owed';
