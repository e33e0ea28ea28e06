-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table accounts, projects, releases, change_requests in access exclusive mode;

-- Programs that act on one project. Removed ones are kept, since the audit log and releases name them.
create table service_accounts (
  service_account_id uuid primary key,
  project_id uuid not null references projects,
  name text not null,
  scopes text[] not null,
  -- SHA-256 in lowercase hex.
  token_hash text not null,
  -- Null for the admin token.
  created_by uuid references accounts,
  -- ms of real time, like all times here.
  expires bigint not null,
  removed_time bigint,
  last_used_at bigint,
  last_used_from text,
  ctime bigint not null
);
create unique index service_accounts_by_name on service_accounts (project_id, name) where removed_time is null;

-- The service account that uploaded a release or requested a change.
alter table releases add column service_account_id uuid references service_accounts;
alter table change_requests add column service_account_id uuid references service_accounts;
