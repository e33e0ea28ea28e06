-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table accounts, project_members, sign_on_providers in access exclusive mode;

-- An account whose provider has not named a mapped group is suspended: its credentials and roles stay, and cannot be
-- used (ADR 350).
alter table accounts
  add column suspended_time bigint,
  -- claimMissing: the groups claim was absent. groupsLost: it was read, and has no mapped group.
  add column suspension_reason text check (suspension_reason in ('claimMissing', 'groupsLost')),
  add column suspension_claim text,
  -- When credentials and roles are deleted; null if they are not.
  add column suspension_end bigint,
  -- True for the last administrator, who may still sign in with a passkey.
  add column suspension_passkeys boolean not null default false,
  add column active boolean not null generated always as (enabled and suspended_time is null) stored,
  add check ((suspended_time is null) = (suspension_reason is null)),
  add check ((suspended_time is null) = (suspension_claim is null)),
  add check (suspension_end is null or suspension_reason = 'groupsLost');
create index accounts_by_suspension_end on accounts (suspension_end) where suspension_end is not null;

-- Days for which an account that has left all mapped groups is suspended.
alter table sign_on_providers add column suspension_days integer not null default 30 check (suspension_days > 0);

-- The role that a person has given, which groups do not take away. Null if only groups gave the role, or if a version
-- before this column did.
alter table project_members add column given_role text check (given_role in ('owner', 'editor', 'viewer'));
