-- Accounts are the people of the console: developers and operators. They are not users of the host application (ADR 200).
-- Times in this file are milliseconds of real time: a sandbox's clock does not move the people who watch it.

create table accounts (
  account_id uuid primary key,
  -- In small letters.
  username text not null unique,
  name text not null,
  language text not null,
  -- argon2id, with its parameters and salt.
  password text not null,
  administrator boolean not null,
  last_sign_in bigint,
  ctime bigint not null
);

create table account_sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index account_sessions_by_account on account_sessions (account_id);
create index account_sessions_by_end on account_sessions (valid_until);

-- Tokens for the platform data API.
create table account_tokens (
  token_hash bytea primary key,
  account_id uuid not null references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index account_tokens_by_account on account_tokens (account_id);
create index account_tokens_by_end on account_tokens (valid_until);

-- Links that create the first administrator: valid while there is no account.
create table setup_tokens (
  token_hash bytea primary key,
  ctime bigint not null
);

-- Guesses at passwords. subject is a digest of the user name, or of the address, that they were made at or from.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  blocked_until bigint not null,
  mtime bigint not null
);
create index sign_in_failures_by_age on sign_in_failures (mtime);

create table project_members (
  project_id uuid not null references projects,
  account_id uuid not null references accounts,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  ctime bigint not null,
  primary key (project_id, account_id)
);
create index project_members_by_account on project_members (account_id);

create table invitations (
  invitation_id uuid primary key,
  project_id uuid not null references projects,
  token_hash bytea not null unique,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  note text,
  -- Null where the admin token invited.
  invited_by uuid references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index invitations_by_project on invitations (project_id);

-- The primary key holds an account to one key (open-api §2.1).
create table api_keys (
  account_id uuid primary key references accounts,
  key_hash bytea not null unique,
  last_four text not null,
  -- To the minute.
  last_used_at bigint,
  last_used_from text,
  ctime bigint not null
);

-- Until here, time was that of the domain clock; from here on it is real time.
alter table audit_log
  add column account_id uuid,
  add column project_id uuid,
  add column address text;
create index audit_log_by_project on audit_log (project_id, audit_id);
create index audit_log_by_account on audit_log (account_id, audit_id);
