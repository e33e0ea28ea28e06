-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table issuers, host_sessions, host_refresh_tokens in access exclusive mode;

-- Clients at OpenID providers, by which users sign in to the host application.
create table issuer_clients (
  issuer_id uuid primary key references issuers on delete cascade,
  name text not null,
  client_id text not null,
  -- The encrypted client secret; null for a public client.
  key_id text,
  ciphertext bytea,
  scopes text[] not null,
  check ((key_id is null) = (ciphertext is null))
);

-- Who the provider says has signed in: the claims sub and sid. A logout token names one of them or both.
alter table host_sessions
  add column issuer_id uuid references issuers on delete cascade,
  add column provider_subject text,
  add column provider_session text,
  -- Names the session when the user signs out at the provider.
  add column id_token text;
create index host_sessions_by_provider_subject on host_sessions (issuer_id, provider_subject) where issuer_id is not null;
create index host_sessions_by_provider_session on host_sessions (issuer_id, provider_session)
  where provider_session is not null;

alter table host_refresh_tokens add column provider_subject text, add column provider_session text;
create index host_refresh_tokens_by_provider_subject on host_refresh_tokens (issuer_id, provider_subject);
create index host_refresh_tokens_by_provider_session on host_refresh_tokens (issuer_id, provider_session)
  where provider_session is not null;
drop index host_refresh_tokens_by_issuer;
