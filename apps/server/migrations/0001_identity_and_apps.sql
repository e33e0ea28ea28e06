-- Times are milliseconds of the domain clock unless a column says otherwise.

create table projects (
  project_id uuid primary key,
  name text not null,
  ctime bigint not null
);

create table apps (
  appid text primary key,
  project_id uuid not null references projects,
  name text not null,
  enabled boolean not null default true,
  capabilities text[] not null,
  default_language text not null,
  icon_url text,
  ctime bigint not null
);
create index apps_by_project on apps (project_id);

-- Encrypted, not hashed: checking a sign needs the plain secret. valid_until is set while a rotation overlaps.
create table app_secrets (
  appid text not null references apps,
  secret_id uuid not null,
  key_id text not null,
  ciphertext bytea not null,
  valid_until bigint,
  ctime bigint not null,
  primary key (appid, secret_id)
);

create table merchants (
  merchant_id uuid primary key,
  appid text not null unique references apps,
  name text,
  logo_url text,
  ctime bigint not null
);

create table users (
  uid bigint generated always as identity (start with 10001) primary key,
  nickname text not null,
  avatar text,
  email text,
  country text,
  phone text,
  ctime bigint not null
);

-- One user has one openId per mini app.
create table open_ids (
  appid text not null references apps,
  open_id uuid not null,
  uid bigint not null references users,
  primary key (appid, open_id),
  unique (uid, appid)
);

-- One user has one unionId per project, so it links the mini apps of one owner.
create table union_ids (
  project_id uuid not null references projects,
  uid bigint not null references users,
  union_id uuid not null unique,
  primary key (project_id, uid)
);

create table host_sessions (
  token_hash bytea primary key,
  uid bigint not null references users,
  valid_until bigint not null,
  ctime bigint not null
);

create table consents (
  appid text not null references apps,
  uid bigint not null references users,
  scopes text[] not null,
  mtime bigint not null,
  primary key (appid, uid)
);

-- token_id becomes the jti of the access token that the code is exchanged for, so that reuse can revoke it.
create table login_codes (
  code_hash bytea primary key,
  appid text not null references apps,
  uid bigint not null references users,
  scopes text[] not null,
  token_id uuid not null,
  valid_until bigint not null,
  used_at bigint,
  ctime bigint not null
);
create index login_codes_by_age on login_codes (valid_until);
-- For the withdrawal of consent.
create index login_codes_by_user on login_codes (uid, appid);

create table revoked_tokens (
  token_id uuid primary key,
  valid_until bigint not null
);

create table audit_log (
  audit_id bigint generated always as identity primary key,
  time bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'
);

create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);
