-- Balances are kept, since adding up the ledger takes as long as it is (ADR 413). Those of providers are not needed.
-- compatible: ledger_entries.ledger_entries_change: it adds rows to a table that version 0.1.0 does not know

-- What entries that are not in ledger_balances yet have changed. Entries of concurrent payments to a merchant would wait
-- for each other if they changed its balance at once.
create table ledger_changes (
  -- merchant:… or returns:…, as in ledger_entries.
  account text not null,
  currency text not null,
  movement text not null,
  -- Positive for debits.
  amount bigint not null
);
create index ledger_changes_by_account on ledger_changes (account) include (currency, movement, amount);

-- Debits less credits of an account, by movement.
create table ledger_balances (
  account text not null,
  currency text not null,
  movement text not null,
  amount bigint not null,
  primary key (account, currency, movement)
);

-- Has a row once ledger_balances contains the entries from before ledger_changes.
create table ledger_progress (
  is_only boolean primary key default true check (is_only)
);

create function record_ledger_changes() returns trigger language plpgsql as $$
begin
  insert into ledger_changes (account, currency, movement, amount)
  select debit, currency, movement, amount from added where not starts_with(debit, 'provider:')
  union all
  select credit, currency, movement, -amount from added where not starts_with(credit, 'provider:');
  return null;
end
$$;
create trigger ledger_entries_change after insert on ledger_entries
  referencing new table as added for each statement execute function record_ledger_changes();
