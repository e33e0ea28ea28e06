-- Who published or rolled back to a release last: kind of the caller, and the account or service account.
lock table releases, accounts, service_accounts in access exclusive mode;
alter table releases add column publisher text;
alter table releases add column published_by uuid references accounts (account_id);
alter table releases add column publishing_service_account_id uuid references service_accounts (service_account_id);
