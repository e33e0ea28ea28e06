-- An empty ledger has no entries from before ledger_changes, so that its balances need no job to be complete (ADR 413).
insert into ledger_progress select true where not exists (select from ledger_entries) on conflict do nothing;
