-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table accounts, account_sessions, platform_settings in access exclusive mode;

-- Secrets of authenticator apps (RFC 6238).
create table account_totp (
  account_id uuid primary key references accounts,
  key_id text not null,
  ciphertext bytea not null,
  -- False until the account has entered a code.
  enabled boolean not null,
  -- The time step of the last accepted code: earlier ones are refused.
  last_step bigint not null,
  last_used bigint,
  ctime bigint not null
);

create table account_passkeys (
  passkey_id uuid primary key,
  account_id uuid not null references accounts,
  -- What the authenticator calls it, base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- The authenticator's count of signatures; 0 if it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  last_used bigint,
  ctime bigint not null
);
create index account_passkeys_by_account on account_passkeys (account_id);

-- Unused recovery codes, as SHA-256.
create table account_recovery_codes (
  account_id uuid not null references accounts,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Challenges of passkeys that were answered, as SHA-256, until they expire by real time.
create table used_challenges (
  challenge_hash bytea primary key,
  valid_until bigint not null
);

-- What a sign-in lacks before its session can be used.
alter table account_sessions add column pending text check (pending in ('secondFactor', 'enrolment'));

alter table platform_settings add column demand_second_factor boolean not null default false;
