-- The code checks providers, so that a new one needs no migration.
alter table provider_accounts
  drop constraint if exists provider_accounts_processor_check,
  drop constraint if exists provider_accounts_provider_check;
