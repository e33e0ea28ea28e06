-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table accounts, account_sessions, platform_settings in access exclusive mode;

-- OpenID providers at which accounts sign in to the console.
create table sign_on_providers (
  provider_id uuid primary key,
  name text not null,
  issuer text not null unique,
  client_id text not null,
  -- The encrypted client secret; null for a public client.
  key_id text,
  ciphertext bytea,
  scopes text[] not null,
  -- The claim with the groups of an account, and the role of each group.
  groups_claim text not null,
  roles jsonb not null,
  ctime bigint not null,
  check ((key_id is null) = (ciphertext is null))
);

-- Accounts of a provider are known by its name and their subject, which stay when the provider is removed.
alter table accounts
  add column sign_on_issuer text,
  add column sign_on_subject text,
  add constraint accounts_by_sign_on unique (sign_on_issuer, sign_on_subject),
  add check ((sign_on_issuer is null) = (sign_on_subject is null));

alter table account_sessions add column sign_on_provider_id uuid references sign_on_providers on delete cascade;
create index account_sessions_by_sign_on on account_sessions (sign_on_provider_id) where sign_on_provider_id is not null;

alter table platform_settings add column password_sign_in boolean not null default true;
