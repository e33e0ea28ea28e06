-- A payment company and our adapter for it are called provider, as in payment_attempts.
alter table processor_accounts rename to provider_accounts;
alter table provider_accounts rename column processor_account_id to provider_account_id;
alter table provider_accounts rename column processor to provider;
alter table provider_accounts rename constraint processor_accounts_processor_check to provider_accounts_provider_check;
alter index processor_accounts_pkey rename to provider_accounts_pkey;
alter index processor_accounts_by_merchant rename to provider_accounts_by_merchant;
alter table routing_rules rename column processor_account_ids to provider_account_ids;
alter table payment_attempts rename column processor_account_id to provider_account_id;
alter table shadow_answers rename column processor_account_id to provider_account_id;

-- Ledger accounts of providers. The one change of ledger rows there is: of a name, in every row.
alter table ledger_entries disable trigger ledger_entries_stay;
update ledger_entries
set
  debit = regexp_replace(debit, '^processor:', 'provider:'),
  credit = regexp_replace(credit, '^processor:', 'provider:')
where debit like 'processor:%' or credit like 'processor:%';
alter table ledger_entries enable trigger ledger_entries_stay;
update reconciliations set account = regexp_replace(account, '^processor:', 'provider:');
