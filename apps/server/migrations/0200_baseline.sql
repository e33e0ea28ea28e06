-- The schema of version 0.2.0, which replaces the migrations of the versions before it (ADR 361).
--
-- Times are milliseconds of the domain clock unless a comment says otherwise. Real time is that of the machines: the
-- clock of a sandbox can be moved, and real time stays.

-- ===== Functions of several tables =====

-- Refuses changes of the ledger and the audit log, whose rows are only added.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- For the triggers that a move creates on each table. Writes are refused while a move holds the lock, which ends with
-- its session, and for good once the data has moved.
create function refuse_writes() returns trigger language plpgsql as $$
begin
  if exists (select from public.installation where moved_to is not null)
    or not pg_try_advisory_xact_lock_shared(1397708107, 2) then
    raise exception 'the installation is being moved to another database, or has moved' using errcode = 'SOUKM';
  end if;
  return null;
end
$$;

-- ===== The installation =====

-- What an installation was at its first start. Servers with another environment do not start.
create table installation (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'live')),
  -- The current master key.
  key_id text not null,
  -- Where the data moved, as host:port/database. A database with a value accepts no writes.
  moved_to text,
  -- Whether this database is the target of a move that is not complete.
  is_arriving boolean not null default false
);

-- Settings of the installation that administrators change while it runs: one row.
create table platform_settings (
  is_only boolean primary key default true check (is_only),
  -- Origins of web pages that may call /host/v1.
  allowed_origins text[] not null default '{}',
  -- Whether accounts may sign in with their passwords.
  password_sign_in boolean not null default true,
  -- Whether accounts need a second factor.
  demand_second_factor boolean not null default false,
  -- Whether the admin token of the data directory is accepted.
  admin_token_enabled boolean not null default true,
  -- SHA-256 of the admin token, which each process accepts. Null until the first process has started.
  admin_token_hash bytea check (length(admin_token_hash) = 32),
  -- Whether a release needs an approved review before its publication.
  require_reviews boolean not null default false
);
insert into platform_settings default values;

-- Master keys of the installation (ADR 297), which themselves are never in the database. A key without the last two
-- times that is not the current one is new, and waits until all processes have it. Real time.
create table master_keys (
  key_id text primary key,
  added_at bigint not null,
  -- When another key became the current one.
  replaced_at bigint,
  -- When it was deleted for ever.
  retired_at bigint
);

-- The master keys of each running process, by the database's clock.
create table key_ring_processes (
  process_id uuid primary key,
  host text not null,
  pid integer not null,
  source text not null check (source in ('file', 'environment')),
  key_ids text[] not null,
  current_key_id text not null,
  seen_at timestamptz not null
);

-- Sealed values that the latest re-sealing could not decrypt.
create table unreadable_values (
  -- The context of the value: its table and row.
  context text primary key,
  key_id text not null,
  reason text not null check (reason in ('missingKey', 'damaged')),
  found_at bigint not null
);

-- The newest backup that was made by souk backup: no row or one row.
create table last_backup (
  is_only boolean primary key default true check (is_only),
  -- Real time of its snapshot, ms.
  time bigint not null,
  -- Bytes of the file.
  size bigint not null
);

-- Partitions that were detached and written to files (ADR 346). Rows stay for ever: they say which trades are archived.
create table archives (
  -- Name of the partition.
  partition text primary key,
  table_name text not null,
  -- Real time in ms, as in the keys of the rows: from `from_time` up to, but without, `to_time`.
  from_time bigint not null,
  to_time bigint not null,
  -- Name in the folder of archives.
  file text not null,
  -- Bytes of the file, and its SHA-256.
  size bigint not null,
  sha256 bytea not null,
  rows bigint not null,
  -- Real time, ms.
  archived_at bigint not null,
  -- Set while the partition is attached again.
  restored_at bigint
);

-- Contents in the object storage, by the SHA-256 of their bytes, which is also their name there. A row is inserted
-- before its object, so that no object is unknown. time is real time, ms: the last change of state, or the end of the
-- last use.
create table stored_objects (
  hash bytea primary key,
  size bigint not null,
  state text not null check (state in ('uploading', 'stored', 'deleting')),
  time bigint not null
);
create index stored_objects_by_age on stored_objects (time);

-- Requests of all server processes per key, in the window that began at start (real time, ms). Unlogged, so that
-- counting neither waits for a disk nor for a standby; a crash of the database starts all windows again.
create unlogged table limit_counts (
  key text primary key,
  start bigint not null,
  count bigint not null
);

-- How far the clock of a sandbox was moved: no row or one row.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);

-- Pools of workers that are alive, by the database's clock. Jobs locked by a pool that stopped are released (ADR 21).
create table worker_heartbeats (
  pool_id text primary key,
  beat_at timestamptz not null
);

-- The latest period of each recurring job that a server has claimed (ADR 21).
create table worker_periods (
  name text primary key,
  began_at timestamptz not null
);

-- Always empty: /readyz inserts a row and rolls it back, to check that the database can add a page to a table (ADR 343).
create table write_probes (filler text not null);
-- Neither compressed nor stored elsewhere, so that a row fills a page.
alter table write_probes alter column filler set storage plain;

-- ===== Accounts of the console =====
-- Developers and operators, who are not users of the host application (ADR 200). Times here are real time.

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
  -- Days for which an account that has left all mapped groups is suspended.
  suspension_days integer not null default 30 check (suspension_days > 0),
  check ((key_id is null) = (ciphertext is null))
);

-- An account of a provider is known by the provider's issuer and its subject, which stay when the provider is removed.
-- One whose provider has not named a mapped group is suspended: its credentials and roles stay, and cannot be used (ADR
-- 350).
create table accounts (
  account_id uuid primary key,
  -- In lower case.
  username text not null unique,
  name text not null,
  language text not null,
  -- argon2id, with its parameters and salt.
  password text not null,
  administrator boolean not null,
  last_sign_in bigint,
  ctime bigint not null,
  -- Sessions, tokens and the API key of a disabled account are not accepted.
  enabled boolean not null default true,
  -- Counts if SOUK_PROJECT_CREATION is allowed.
  may_create_projects boolean not null default false,
  sign_on_issuer text,
  sign_on_subject text,
  -- The confirmed address, in lower case.
  email text unique check (email = lower(email)),
  suspended_time bigint,
  -- claimMissing: the groups claim was absent. groupsLost: it was read, and has no mapped group.
  suspension_reason text check (suspension_reason in ('claimMissing', 'groupsLost')),
  suspension_claim text,
  -- When credentials and roles are deleted; null if they are not.
  suspension_end bigint,
  -- True for the last administrator, who may still sign in with a passkey.
  suspension_passkeys boolean not null default false,
  active boolean not null generated always as (enabled and suspended_time is null) stored,
  constraint accounts_by_sign_on unique (sign_on_issuer, sign_on_subject),
  check ((sign_on_issuer is null) = (sign_on_subject is null)),
  check ((suspended_time is null) = (suspension_reason is null)),
  check ((suspended_time is null) = (suspension_claim is null)),
  check (suspension_end is null or suspension_reason = 'groupsLost')
);
create index accounts_by_suspension_end on accounts (suspension_end) where suspension_end is not null;

create table account_sessions (
  token_hash bytea primary key,
  account_id uuid not null references accounts,
  valid_until bigint not null,
  ctime bigint not null,
  session_id uuid not null unique default gen_random_uuid(),
  -- The device, as lists of sessions show it.
  user_agent text,
  address text,
  last_used bigint,
  sign_on_provider_id uuid references sign_on_providers on delete cascade,
  -- When the account last confirmed its identity.
  confirmed_at bigint,
  -- What a sign-in lacks before its session can be used.
  pending text check (pending in ('secondFactor', 'enrolment'))
);
create index account_sessions_by_account on account_sessions (account_id);
create index account_sessions_by_end on account_sessions (valid_until);
create index account_sessions_by_sign_on on account_sessions (sign_on_provider_id) where sign_on_provider_id is not null;

-- Tokens for the platform data API.
create table account_tokens (
  token_hash bytea primary key,
  account_id uuid not null references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index account_tokens_by_account on account_tokens (account_id);
create index account_tokens_by_end on account_tokens (valid_until);

-- The primary key limits an account to one key (open-api §2.1).
create table api_keys (
  account_id uuid primary key references accounts,
  key_hash bytea not null unique,
  last_four text not null,
  -- To the minute.
  last_used_at bigint,
  last_used_from text,
  ctime bigint not null
);

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
  -- Given by the authenticator, base64url.
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

-- Challenges of passkeys that were answered, as SHA-256, until they expire.
create table used_challenges (
  challenge_hash bytea primary key,
  valid_until bigint not null
);

-- Links that create the first administrator, valid while there is no account.
create table setup_tokens (
  token_hash bytea primary key,
  ctime bigint not null
);

-- Links to set a new password. Only the newest of an account counts.
create table password_resets (
  account_id uuid primary key references accounts,
  token_hash bytea not null unique,
  -- Null for the admin token.
  made_by uuid references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index password_resets_by_end on password_resets (valid_until);

-- Addresses that are yet to be confirmed with a link. Only the newest of an account counts.
create table email_confirmations (
  account_id uuid primary key references accounts,
  email text not null check (email = lower(email)),
  token_hash bytea not null unique,
  valid_until bigint not null,
  ctime bigint not null
);
create index email_confirmations_by_end on email_confirmations (valid_until);

-- Failed sign-ins. subject is a digest of the user name or of the client's address.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  blocked_until bigint not null,
  mtime bigint not null
);
create index sign_in_failures_by_age on sign_in_failures (mtime);

-- Mails, sent by jobs. They can contain links that sign people in, so their content is encrypted and deleted at the
-- end.
create table mails (
  mail_id uuid primary key,
  kind text not null,
  recipient text not null,
  language text not null,
  key_id text,
  ciphertext bytea,
  -- The account that had the mail sent to an address of its choice; null for other mails.
  requested_by uuid references accounts,
  -- Mails about the same topic are sent to an address once per hour.
  topic text,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  valid_until bigint not null,
  ctime bigint not null,
  mtime bigint not null,
  check ((ciphertext is null) = (key_id is null)),
  check ((state = 'waiting') = (ciphertext is not null))
);
create index mails_by_state on mails (state, mtime);
create index mails_by_time on mails (ctime);
create index mails_by_requester on mails (requested_by, ctime) where requested_by is not null;
create index mails_by_topic on mails (recipient, topic, ctime) where topic is not null;

-- ===== Projects =====

create table projects (
  project_id uuid primary key,
  name text not null,
  ctime bigint not null,
  -- Requests of a trusted project are approved at once.
  trusted boolean not null default false,
  -- Whether hosts report what happens in its mini apps, and the salt of its users' pseudonyms (ADR 360).
  analytics boolean not null default true,
  analytics_salt uuid not null default gen_random_uuid(),
  archived_time bigint,
  -- The row of a deleted project stays for the money of its mini apps (ADR 319).
  deleted_time bigint
);

-- Real time.
create table project_members (
  project_id uuid not null references projects,
  account_id uuid not null references accounts,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  ctime bigint not null,
  -- The role that a person has given, which groups do not take away. Null if only groups gave the role, or if it
  -- was given before this column existed.
  given_role text check (given_role in ('owner', 'editor', 'viewer')),
  primary key (project_id, account_id)
);
create index project_members_by_account on project_members (account_id);

-- Links to join a project. Real time.
create table invitations (
  invitation_id uuid primary key,
  project_id uuid not null references projects,
  token_hash bytea not null unique,
  role text not null check (role in ('owner', 'editor', 'viewer')),
  note text,
  -- Null for the admin token.
  invited_by uuid references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index invitations_by_project on invitations (project_id);

-- Programs that act on one project. Removed ones are kept, since the audit log and releases name them. Real time.
create table service_accounts (
  service_account_id uuid primary key,
  project_id uuid not null references projects,
  name text not null,
  scopes text[] not null,
  -- SHA-256 in lowercase hex.
  token_hash text not null,
  -- Null for the admin token.
  created_by uuid references accounts,
  expires bigint not null,
  removed_time bigint,
  last_used_at bigint,
  last_used_from text,
  ctime bigint not null
);
create unique index service_accounts_by_name on service_accounts (project_id, name) where removed_time is null;

-- ===== Audit log =====

-- Append-only, and each row is chained to the one committed before it (ADR 287). Real time; in the oldest rows, that of
-- the domain clock.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  time bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  account_id uuid,
  project_id uuid,
  address text
);
create index audit_log_by_project on audit_log (project_id, audit_id);
create index audit_log_by_account on audit_log (account_id, audit_id);

create table audit_chain (
  position bigint primary key,
  audit_id bigint not null unique references audit_log,
  -- SHA-256 of audit_line.
  hash bytea not null
);

-- Returns a row as a line of the export, without its hash. Contains all columns of audit_log.
create function audit_line(previous bytea, chain_position bigint, entry audit_log) returns text language sql stable as $$
  select row_to_json(line)::text
  from (
    select
      encode(previous, 'hex') as "previous", chain_position as "position", entry.audit_id as "auditId", entry.time,
      entry.actor, replace(entry.account_id::text, '-', '') as "accountId", entry.address, entry.action, entry.subject,
      replace(entry.project_id::text, '-', '') as "projectId", entry.detail
  ) as line
$$;

-- Appends a row to the chain. The lock makes the chain follow the order of the commits.
create function append_to_audit_chain(entry audit_log) returns void language plpgsql as $$
declare
  head audit_chain;
  next_position bigint;
  previous bytea;
begin
  perform pg_advisory_xact_lock(hashtext('audit_chain'));
  select * into head from audit_chain order by position desc limit 1;
  next_position := coalesce(head.position, 0) + 1;
  previous := coalesce(head.hash, decode(repeat('00', 32), 'hex'));
  insert into audit_chain (position, audit_id, hash)
  values (next_position, entry.audit_id, sha256(convert_to(audit_line(previous, next_position, entry), 'UTF8')));
end
$$;

create function append_new_audit_row() returns trigger language plpgsql as $$
begin
  perform append_to_audit_chain(new);
  return null;
end
$$;

create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();
-- Deferred to the commit, so that the lock is held only while the transaction commits.
create constraint trigger append_to_chain after insert on audit_log deferrable initially deferred
  for each row execute function append_new_audit_row();

-- ===== Mini apps =====

create table apps (
  appid text primary key,
  project_id uuid not null references projects,
  name text not null,
  enabled boolean not null default true,
  capabilities text[] not null,
  default_language text not null,
  icon_url text,
  ctime bigint not null,
  languages text[] not null default '{}',
  -- Hosts that the callbacks of this mini app may reach although they are private.
  callback_hosts text[] not null default '{}',
  -- Whether host users other than testers may see the mini app.
  publication_approved boolean not null default false,
  -- Hosts that pages of the mini app may reach, by purpose.
  domains jsonb not null default '{"request": [], "upload": [], "download": [], "webView": []}',
  -- Set by operators, for lists of hosts. Names by language, where they differ from `name`.
  names jsonb not null default '{}',
  category text,
  keywords text[] not null default '{}',
  recommended boolean not null default false,
  -- Users and its backend cannot use an archived mini app; payments and callbacks go on (ADR 336).
  archived_time bigint,
  -- The row of a deleted mini app stays for its trades, refunds and ledger entries (ADR 317).
  deleted_time bigint,
  -- Restoring the project restores only the mini apps that were archived with it.
  archived_with_project boolean not null default false
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

-- What a mini app shows to host users and may do is requested by developers and approved by operators (ADR 283). The
-- approved values are in apps and merchants. Real time.
create table change_requests (
  change_id uuid primary key,
  appid text not null references apps (appid),
  kind text not null check (
    kind in ('capabilities', 'publication', 'name', 'iconUrl', 'merchantName', 'merchantLogoUrl', 'domains', 'testers')
  ),
  -- The value in effect when the change was requested; json null if there was none.
  before jsonb not null,
  value jsonb not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'withdrawn')),
  -- Null for the admin token.
  requested_by uuid references accounts (account_id),
  decided_by uuid references accounts (account_id),
  reason text,
  ctime bigint not null,
  decided_time bigint,
  -- The service account that requested the change.
  service_account_id uuid references service_accounts,
  check ((state = 'pending') = (decided_time is null))
);
create unique index change_requests_pending on change_requests (appid, kind) where state = 'pending';
create index change_requests_by_app on change_requests (appid, change_id);
create index change_requests_by_state on change_requests (state, change_id);
-- The queue of reviews is sorted by the time of submission; few of its rows still wait.
create index change_requests_by_time on change_requests (ctime, change_id);
create index change_requests_waiting on change_requests (ctime, change_id) where state = 'pending';

-- What administrators block stays blocked until an administrator lifts it (ADR 355). Real time.
create table blocks (
  block_id uuid primary key,
  state text not null,
  -- The appid, releaseId or other id, without dashes; of a removed capability or list of hosts the appid and its name.
  subject text not null,
  -- The name when it was blocked; the version of a release.
  name text not null,
  appid text references apps,
  project_id uuid references projects,
  -- SHA-256 of the paths and contents of a blocked release, by which its copies are known.
  digest bytea,
  -- Whether its owners had set the state before.
  was_set boolean not null default false,
  reason text,
  -- Null for the admin token.
  blocked_by uuid references accounts,
  ctime bigint not null,
  appeal text,
  appealed_by uuid references accounts,
  appeal_time bigint,
  answer text,
  answered_by uuid references accounts,
  answer_time bigint,
  lifted_time bigint,
  check (state in (
    'appDisabled', 'appArchived', 'capabilityRemoved', 'hostsRemoved', 'projectArchived', 'analyticsOff',
    'releaseWithdrawn', 'releaseRejected', 'canaryPaused', 'accountDisabled', 'providerAccountDisabled', 'userDisabled'
  )),
  check ((appeal is null) = (appeal_time is null)),
  check (lifted_time is null or answer_time is not null)
);
create unique index blocks_in_force on blocks (state, subject) where lifted_time is null;
create index blocks_by_app on blocks (appid);
create index blocks_by_project on blocks (project_id) where lifted_time is null;
create index blocks_by_subject on blocks (subject, ctime);
create index blocks_by_time on blocks (ctime, block_id);
create index blocks_appealed on blocks (appeal_time, block_id) where appeal_time is not null;

-- Images that mini apps upload.
create table files (
  file_id uuid primary key,
  appid text not null references apps,
  media_type text not null,
  -- Null for a content in the object storage.
  content bytea,
  ctime bigint not null,
  object bytea references stored_objects
);
create index files_by_object on files (object) where object is not null;

-- Requests have no nonce: within the window a repeated (appid, sign) is the same request. time is real time.
create table used_signs (
  appid text not null,
  sign bytea not null,
  time bigint not null,
  -- The uploaded file, which is not signed; null for other requests.
  content uuid,
  primary key (appid, sign)
);
create index used_signs_by_age on used_signs (time);

-- The first operation of a sign whose parameters would be valid for another one too, by the first 64 bits of the sign.
-- time is real time, ms.
create table bound_signs (
  sign bigint primary key,
  operation text not null,
  time bigint not null,
  -- Another operation that the sign was used for too, at a process that did not know of the first one yet.
  contested_by text
);
create index bound_signs_by_age on bound_signs using brin (time);

-- ===== Users =====

-- Users of a company are known by their issuer's name and subject, which stay when the issuer is removed.
create table users (
  uid bigint generated always as identity (start with 10001) primary key,
  nickname text not null,
  avatar text,
  email text,
  country text,
  phone text,
  ctime bigint not null,
  issuer text,
  subject text,
  locale text,
  disabled_time bigint,
  -- The row of an erased user stays, because trades name it.
  erased_time bigint,
  constraint users_by_subject unique (issuer, subject),
  check ((issuer is null) = (subject is null))
);
create index users_by_name on users (lower(nickname) text_pattern_ops, uid);
create index users_by_email on users (lower(email)) where email is not null;

-- One user has one openId per mini app.
create table open_ids (
  appid text not null references apps,
  open_id uuid not null,
  uid bigint not null references users,
  primary key (appid, open_id),
  unique (uid, appid)
);
create index open_ids_by_user on open_ids (appid, uid);

-- One user has one unionId per project, so it links the mini apps of one owner.
create table union_ids (
  project_id uuid not null references projects,
  uid bigint not null references users,
  union_id uuid not null unique,
  primary key (project_id, uid)
);

-- Users who get the release in review.
create table app_testers (
  appid text not null references apps,
  uid bigint not null references users,
  primary key (appid, uid)
);
create index app_testers_by_user on app_testers (uid);

-- Issuers whose tokens sign users of a company in to the host application. Real time.
create table issuers (
  issuer_id uuid primary key,
  -- The claims iss and aud.
  issuer text not null,
  audience text not null,
  -- Where the keys come from; without either, the issuer's discovery document says it.
  jwks_url text,
  pem text check (jwks_url is null or pem is null),
  algorithms text[] not null,
  -- The claim that each property of a user comes from.
  claims jsonb not null,
  -- Seconds.
  clock_tolerance integer not null,
  ctime bigint not null,
  unique (issuer, audience)
);

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

-- A family of refresh tokens, each of which replaces the one before.
create table host_refresh_tokens (
  family_id uuid primary key,
  issuer_id uuid not null references issuers on delete cascade,
  uid bigint not null references users,
  -- SHA-256 of the newest token.
  token_hash bytea not null,
  valid_until bigint not null,
  ctime bigint not null,
  -- The claims sub and sid of the sign-in at the provider.
  provider_subject text,
  provider_session text
);
create index host_refresh_tokens_by_user on host_refresh_tokens (uid, ctime);
create index host_refresh_tokens_by_provider_subject on host_refresh_tokens (issuer_id, provider_subject);
create index host_refresh_tokens_by_provider_session on host_refresh_tokens (issuer_id, provider_session)
  where provider_session is not null;

create table host_sessions (
  token_hash bytea primary key,
  uid bigint not null references users,
  valid_until bigint not null,
  ctime bigint not null,
  family_id uuid references host_refresh_tokens on delete cascade,
  issuer_id uuid references issuers on delete cascade,
  -- The claims sub and sid of the sign-in at the provider. A logout token names one of them or both.
  provider_subject text,
  provider_session text,
  -- Names the session when the user signs out at the provider.
  id_token text
);
-- The sessions of a user are limited, and ended ones are deleted at each sign-in.
create index host_sessions_by_user on host_sessions (uid, ctime);
create index host_sessions_by_family on host_sessions (family_id) where family_id is not null;
create index host_sessions_by_provider_subject on host_sessions (issuer_id, provider_subject) where issuer_id is not null;
create index host_sessions_by_provider_session on host_sessions (issuer_id, provider_session)
  where provider_session is not null;

-- Ids of tokens that were exchanged, until they expire by real time.
create table used_token_ids (
  issuer text not null,
  -- SHA-256 of the claim jti.
  token_id bytea not null,
  valid_until bigint not null,
  primary key (issuer, token_id)
);
create index used_token_ids_by_expiry on used_token_ids (valid_until);

-- One row per user and mini app that knows the user's name and picture, whether or not the user has consented to more.
create table consents (
  appid text not null references apps,
  uid bigint not null references users,
  scopes text[] not null,
  mtime bigint not null,
  notice_dismissed_at bigint,
  primary key (appid, uid)
);
create index consents_by_user on consents (uid);

-- token_id becomes the jti of the access token that the code is exchanged for, so that reuse can revoke it. Each code
-- is updated once, when it is exchanged. With half of its page free, this does not change the indexes.
create table login_codes (
  code_hash bytea primary key,
  appid text not null references apps,
  uid bigint not null references users,
  scopes text[] not null,
  token_id uuid not null,
  valid_until bigint not null,
  used_at bigint,
  ctime bigint not null
) with (fillfactor = 50);
create index login_codes_by_age on login_codes (valid_until);
-- For the withdrawal of consent.
create index login_codes_by_user on login_codes (uid, appid);

create table revoked_tokens (
  token_id uuid primary key,
  valid_until bigint not null
);

-- ===== Trades =====

-- A unique constraint cannot cover the partitions of trades. Each outTradeNo is therefore also in this table, which is
-- never partitioned or archived (ADR 314).
create table out_trade_nos (
  merchant_id uuid not null,
  out_trade_no text not null,
  trade_no uuid not null,
  primary key (merchant_id, out_trade_no)
);

-- Skips a trade whose outTradeNo is in use, like `on conflict do nothing`.
create function claim_out_trade_no() returns trigger language plpgsql as $$
begin
  insert into out_trade_nos (merchant_id, out_trade_no, trade_no)
  values (new.merchant_id, new.out_trade_no, new.trade_no)
  on conflict do nothing;
  if found then
    return new;
  end if;
  return null;
end
$$;

-- Partitioned by the month (UTC) in trade_no, a UUID v7 (ADR 314).
create table all_trades (
  appid text not null references apps,
  trade_no uuid not null,
  merchant_id uuid not null references merchants,
  out_trade_no text not null,
  description text,
  amount bigint not null constraint trades_amount_check check (amount between 1 and 99999999999),
  currency text not null,
  open_id uuid not null,
  payer bigint not null,
  notify_url text not null,
  -- As the caller asked for; null if it left the expiry to us. A repeated creation compares this one.
  time_expire_asked bigint,
  time_expire bigint not null,
  transaction_status smallint not null default 1
    constraint trades_transaction_status_check check (transaction_status between 1 and 6),
  fail_reason_type smallint not null default -1,
  pay_type smallint,
  pay_method smallint,
  pay_no text,
  notify_success boolean,
  -- The attempt that may still bring money; null when none is in flight.
  attempt_in_flight uuid,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, trade_no)
) partition by range (trade_no);
create index all_trades_by_amount on all_trades (appid, amount);
create index all_trades_by_out_trade_no on all_trades (appid, out_trade_no text_pattern_ops);
create index all_trades_by_payer on all_trades (payer, appid, ctime, trade_no);
create index all_trades_by_status on all_trades (appid, transaction_status, ctime, trade_no);
-- The included columns let totals be summed from the index alone.
create index all_trades_by_time on all_trades (appid, ctime, trade_no) include (transaction_status, currency, amount);
-- The payer's side knows a trade by its number alone.
create index all_trades_by_trade_no on all_trades (trade_no);
create index all_trades_to_expire on all_trades (time_expire) where transaction_status = 1 and attempt_in_flight is null;
create trigger claim_out_trade_no before insert on all_trades for each row execute function claim_out_trade_no();

-- PostgreSQL 15 and 18 treat identity columns of partitions differently, so partitioned tables use sequences.
create sequence trade_event_numbers;
-- Events of a trade, oldest first by event_id, in the same partitions. Its creation is its ctime, and has no row.
create table trade_events (
  appid text not null,
  trade_no uuid not null,
  event_id bigint not null default nextval('trade_event_numbers'),
  time bigint not null,
  event text not null,
  detail jsonb not null default '{}',
  primary key (appid, trade_no, event_id)
) partition by range (trade_no);
alter sequence trade_event_numbers owned by trade_events.event_id;

-- Trades that a payer has opened in the cashier of a host.
create table opened_trades (
  trade_no uuid primary key,
  -- When it was opened first, ms.
  time bigint not null
);
create index opened_trades_by_age on opened_trades (time);

-- ===== Payments =====
-- Amounts are cents.

-- Accounts at payment providers.
create table provider_accounts (
  provider_account_id uuid primary key,
  -- Null: takes payments of all merchants.
  merchant_id uuid constraint processor_accounts_merchant_id_fkey references merchants,
  name text not null,
  provider text not null check (provider in ('sandbox', 'checkout', 'stripe', 'paytabs')),
  settings jsonb not null,
  key_id text not null,
  ciphertext bytea not null,
  -- Whether it gets new payments. Existing ones continue.
  enabled boolean not null default true,
  -- Failures in a row, and until when (real time) the account is taken out for them.
  failures integer not null default 0,
  out_until bigint,
  ctime bigint not null,
  mtime bigint not null
);
create index provider_accounts_by_merchant on provider_accounts (merchant_id);

-- The account of a payment: that of the first rule, by place, that matches it and whose share it falls into.
create table routing_rules (
  rule_id uuid primary key,
  -- Null: for payments that no rule of their merchant matches.
  merchant_id uuid references merchants,
  place integer not null,
  currency text,
  amount_from bigint,
  amount_to bigint,
  pay_method smallint,
  -- Percentage of the trades that match.
  share smallint not null check (share between 1 and 100),
  -- In the order in which they are tried.
  provider_account_ids uuid[] not null,
  -- Gets the payment too, and its answer is not used.
  shadow_account_id uuid references provider_accounts
);
create index routing_rules_by_merchant on routing_rules (merchant_id, place);

-- Attempts outlive archived trades. They are written under a lock of the trade, so it exists.
create table payment_attempts (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  provider text not null,
  pay_type smallint not null,
  pay_method smallint not null,
  pay_no text,
  -- `redirect` while the payer pays on the provider's page; `expired` if the page lapsed.
  state text not null
    check (state in ('created', 'pending', 'challenge', 'redirect', 'succeeded', 'failed', 'canceled', 'expired')),
  fail_reason_type smallint not null default -1,
  -- The question of 3-D Secure to the payer, while the state is `challenge`.
  prompt text,
  -- Who or what asked the provider to cancel; it decides whether the trade becomes closed or canceled.
  cancel_for text check (cancel_for in ('merchant', 'payer', 'expiry', 'retry')),
  ctime bigint not null,
  -- When the provider last answered or was asked.
  mtime bigint not null,
  -- Null for the sandbox's own provider.
  provider_account_id uuid constraint payment_attempts_processor_account_id_fkey references provider_accounts,
  redirect_url text,
  primary key (appid, trade_no, attempt_id)
);
-- A provider knows an attempt by its id alone.
create unique index payment_attempts_by_id on payment_attempts (attempt_id);
create index payment_attempts_by_day on payment_attempts using brin (ctime);
create index payment_attempts_in_flight on payment_attempts (mtime)
  where state in ('created', 'pending', 'challenge', 'redirect');

-- Answers of a second provider to payments of another one.
create table shadow_answers (
  attempt_id uuid primary key,
  appid text not null references apps,
  trade_no uuid not null,
  provider_account_id uuid not null
    constraint shadow_answers_processor_account_id_fkey references provider_accounts,
  -- The payment's id at the second provider.
  shadow_id uuid not null,
  -- A kind of ProviderResult; null without an answer.
  kind text,
  detail text,
  -- Real time, ms.
  duration integer not null,
  ctime bigint not null
);
create index shadow_answers_by_account on shadow_answers (provider_account_id, ctime);

-- Payments as the sandbox's own provider knows them, independent of what Souk knows.
create table sandbox_payments (
  pay_no text primary key,
  attempt_id uuid not null unique,
  amount bigint not null,
  currency text not null,
  outcome text not null,
  state text not null check (state in ('pending', 'challenge', 'succeeded', 'failed', 'canceled', 'refunded')),
  fail_reason_type smallint not null default -1,
  -- When the provider decides next; null if nothing more happens.
  decides_at bigint,
  -- Whether Souk knows what the provider decided after its first answer.
  told boolean not null default true,
  ctime bigint not null,
  mtime bigint not null,
  -- Cents by refundNo.
  refunds jsonb not null default '{}'
);
create index sandbox_payments_due on sandbox_payments (decides_at) where decides_at is not null;
create index sandbox_payments_to_tell on sandbox_payments (pay_no) where not told;

-- ===== Refunds and ledger =====

-- Money that goes back to the payer (transactionFlow 1): of succeeded trades, as operators decide, and of payments that
-- a trade could not accept. Columns of the trade are repeated, so that both are read as one list.
create table refunds (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  amount bigint not null,
  currency text not null,
  note text not null,
  state text not null check (state in ('owed', 'returned', 'refused')),
  ctime bigint not null,
  mtime bigint not null,
  refund_no uuid not null,
  merchant_id uuid not null references merchants,
  out_trade_no text not null,
  open_id uuid not null,
  payer bigint not null,
  pay_type smallint not null,
  pay_method smallint not null,
  -- Why the provider refused.
  refusal text,
  initiator text not null check (initiator in ('operator', 'system')),
  reason text not null check (reason in ('requested', 'tradeFinal', 'amountMismatch')),
  primary key (appid, trade_no, refund_no)
);
create unique index refunds_by_refund_no on refunds (refund_no);
create index refunds_by_time on refunds (appid, ctime, refund_no);
create index refunds_owed on refunds (ctime, refund_no) where state = 'owed';
-- Refunds by the day on which they ended.
create index refunds_by_end on refunds (mtime) where state <> 'owed';
create index refunds_by_operators on refunds (appid, ctime, refund_no) where initiator = 'operator';
-- A refund of an unapplied payment that was rejected for a day is replaced by another one, and stays as refused.
create index refunds_by_system on refunds (attempt_id) where initiator = 'system';
create unique index refunds_open_by_system on refunds (attempt_id) where initiator = 'system' and state <> 'refused';

-- Double entry: each row moves an amount from one account to another, so that the sum of all accounts is always zero.
-- Rows are never changed or deleted.
create table ledger_entries (
  -- The attempt that brought the money, or the refund.
  reference uuid not null,
  -- `refundFailed`: a returned refund whose money has come back, since the payer's bank has not accepted it.
  movement text not null
    check (movement in ('captured', 'refundOwed', 'refundReturned', 'refundRefused', 'refundFailed')),
  -- provider:…, merchant:… or returns:…: who holds money, and whom it belongs to.
  debit text not null,
  credit text not null check (credit <> debit),
  amount bigint not null check (amount > 0),
  currency text not null,
  appid text not null,
  trade_no uuid not null,
  time bigint not null,
  primary key (reference, movement)
);
create index ledger_entries_by_debit on ledger_entries (debit) include (currency, movement, amount);
create index ledger_entries_by_credit on ledger_entries (credit) include (currency, movement, amount);
create trigger ledger_entries_stay before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

-- One day of a merchant's payments at a provider, compared with the ledger.
create table reconciliations (
  reconciliation_id uuid primary key,
  merchant_id uuid not null references merchants,
  -- The provider's account in the ledger.
  account text not null,
  -- Start of the day, UTC.
  day bigint not null,
  state text not null check (state in ('running', 'finished')),
  attempts integer not null default 0,
  differences integer not null default 0,
  ctime bigint not null,
  mtime bigint not null,
  unique (merchant_id, account, day)
);
create index reconciliations_by_day on reconciliations (merchant_id, day, reconciliation_id);

create table reconciliation_differences (
  reconciliation_id uuid not null references reconciliations,
  attempt_id uuid not null,
  appid text not null,
  trade_no uuid not null,
  -- `lost`: the provider has a payment that Souk does not know, for example after a backup was restored.
  difference text not null
    check (difference in ('notBooked', 'notThere', 'amount', 'refunded', 'unanswered', 'lost')),
  -- The values that differ, in the ledger and at the provider; null if there is none.
  booked bigint,
  booked_currency text,
  told bigint,
  told_currency text,
  -- Whether the provider's result was applied since.
  repaired boolean not null,
  detail text,
  primary key (reconciliation_id, attempt_id, difference)
);

-- ===== Callbacks =====

-- Payment result callbacks: outbox and history. Partitioned by the month (UTC) in notify_id, a UUID v7 (ADR 315).
create table callbacks (
  appid text not null,
  notify_id uuid not null,
  trade_no uuid not null,
  notify_url text not null,
  -- The parameters without timestamp and sign.
  fields jsonb not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  -- All attempts: those of the schedule, replays, and those forwarded by `souk listen`.
  attempts integer not null default 0,
  -- The attempts of the schedule, which decide the next delay.
  scheduled_attempts integer not null default 0,
  -- When the next one is due, or when the one in progress counts as lost.
  next_attempt bigint,
  ctime bigint not null,
  mtime bigint not null,
  -- The trace that a message belongs to (W3C Trace Context); null unless traces are exported.
  traceparent text,
  primary key (appid, notify_id)
) partition by range (notify_id);
create index callbacks_by_notify_id on callbacks (notify_id);
create index callbacks_by_time on callbacks (appid, ctime, notify_id);
-- Failures first: 2 dead, 1 pending with a failed attempt, 0 others.
create index callbacks_by_trouble on callbacks (
  appid, (case when state = 'dead' then 2 when state = 'pending' and attempts > 0 then 1 else 0 end), ctime, notify_id
);
-- Due callbacks of a receiver, first attempts before retries. money/callbacks/store.ts has the same expressions.
create index callbacks_by_receiver on callbacks (
  coalesce(lower(substring(notify_url from '//([^/?#]*)')), ''), least(scheduled_attempts, 1), next_attempt
) where state = 'pending';
create index callbacks_dead on callbacks (notify_id) where state = 'dead';
-- For lists of a mini app's pending callbacks. Only a query that repeats this condition can use it.
create index callbacks_waiting on callbacks (appid, ctime, notify_id)
  where case state when 'pending' then true else false end;

-- Returns the month (UTC) in a UUID v7, which starts with 12 digits of time in ms.
create function month_of(id uuid) returns timestamp language sql immutable as $$
  select date_trunc('month', to_timestamp(
    ('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 1000.0) at time zone 'UTC')
$$;

-- Refuses a second callback of a trade from another month. The caller has locked the trade.
create function refuse_second_callback() returns trigger language plpgsql as $$
begin
  if month_of(new.trade_no) <> month_of(new.notify_id) and exists (
    select from callbacks where appid = new.appid and trade_no = new.trade_no
      and notify_id >= rpad(left(replace(new.trade_no::text, '-', ''), 12), 32, '0')::uuid)
  then
    raise exception 'trade % already has a callback', new.trade_no using errcode = 'unique_violation';
  end if;
  return new;
end
$$;

create trigger refuse_second_callback before insert on callbacks for each row execute function refuse_second_callback();

-- Written under a lock of the callback, and in the same partitions.
create table callback_attempts (
  appid text not null,
  notify_id uuid not null,
  attempt integer not null,
  via text not null check (via in ('notifyUrl', 'listen')),
  time bigint not null,
  duration integer not null,
  acknowledged boolean not null,
  status smallint,
  reply text,
  error text,
  primary key (appid, notify_id, attempt)
) partition by range (notify_id);

-- Receivers of callbacks that have acknowledged nothing since a failure: a mini app and a host. Times in ms of the
-- domain clock. A row is deleted by an acknowledgement, unless the receiver is disabled.
create table callback_receivers (
  appid text not null references apps (appid),
  -- Host and port as in the notifyUrl, lower case.
  host text not null,
  failing_since bigint not null,
  -- Updated at most once an hour.
  last_failed bigint not null,
  -- When it was disabled: its callbacks are stored, but not sent.
  disabled_at bigint,
  primary key (appid, host)
);

-- Replays of ranges of callbacks, and their progress. Real time.
create table callback_replays (
  replay_id uuid primary key,
  project_id uuid not null references projects,
  appids text[] not null,
  state text,
  -- Bounds of the callbacks' ctime, domain clock.
  from_time bigint not null,
  to_time bigint not null,
  -- The last replayed callback; null before the first.
  done_time bigint,
  done_notify_id uuid,
  progress text not null check (progress in ('running', 'finished', 'canceled')),
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  ctime bigint not null,
  mtime bigint not null
);

-- Faults that a sandbox injects into the next callbacks of a mini app.
create table sandbox_callback_faults (
  appid text primary key references apps,
  fault text not null check (fault in ('drop', 'error500', 'twice')),
  remaining integer not null
);

-- ===== Events =====

-- Endpoints of the company's backend, which get events.
create table event_endpoints (
  endpoint_id uuid primary key,
  url text not null,
  description text,
  -- The event types it gets.
  types text[] not null,
  enabled boolean not null default true,
  -- When a response 410 disabled it, ms.
  gone_time bigint check (gone_time is null or not enabled),
  ctime bigint not null,
  -- When it was disabled because it had acknowledged nothing for days.
  failed_time bigint check (failed_time is null or not enabled),
  -- Failures before it do not count.
  enabled_time bigint not null default 0
);

-- Secrets of endpoints, like those of mini apps: the current one has no end.
create table event_secrets (
  endpoint_id uuid not null references event_endpoints on delete cascade,
  secret_id uuid not null,
  key_id text not null,
  ciphertext bytea not null,
  valid_until bigint,
  ctime bigint not null,
  primary key (endpoint_id, secret_id)
);

-- Events that an endpoint subscribed to when they happened.
create table events (
  event_id uuid primary key,
  type text not null,
  -- What is sent, without users.
  data jsonb not null,
  -- Users that the event is about: uid, issuer, subject. Apart from data, so that an erased user can be removed.
  users jsonb not null,
  -- ms of the domain clock.
  time bigint not null
);
create index events_by_time on events (time);
create index events_by_user on events using gin (users jsonb_path_ops);

-- The outbox and history of each endpoint, with the columns of callbacks.
create table event_deliveries (
  delivery_id uuid primary key,
  event_id uuid not null references events on delete cascade,
  endpoint_id uuid not null references event_endpoints on delete cascade,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  scheduled_attempts integer not null default 0,
  next_attempt bigint,
  ctime bigint not null,
  -- When the last attempt began.
  mtime bigint not null,
  traceparent text,
  unique (event_id, endpoint_id)
);
create index event_deliveries_due on event_deliveries (next_attempt) where state = 'pending';
create index event_deliveries_by_endpoint on event_deliveries (endpoint_id, delivery_id);
create index event_deliveries_by_state on event_deliveries (endpoint_id, state, mtime);
create index event_deliveries_by_receiver on event_deliveries (endpoint_id, least(scheduled_attempts, 1), next_attempt)
  where state = 'pending';
create index event_deliveries_dead on event_deliveries (delivery_id) where state = 'dead';

create table event_attempts (
  delivery_id uuid not null references event_deliveries on delete cascade,
  attempt integer not null,
  time bigint not null,
  duration integer not null,
  acknowledged boolean not null,
  status smallint,
  reply text,
  error text,
  primary key (delivery_id, attempt)
);

-- Receivers whose last attempt was not acknowledged: hosts of callbacks, endpoints of events. They are deleted when
-- they acknowledge again. Times in ms of the domain clock.
create table delivery_receivers (
  queue text not null check (queue in ('callback', 'event')),
  receiver text not null,
  -- The first failure since the last acknowledgement.
  failing_since bigint not null,
  -- Attempts in a row that got no response. From a limit on, nothing is sent until `paused_until`.
  failures integer not null,
  -- When the next probe is due, or when the one in progress counts as lost.
  paused_until bigint not null,
  -- Whether a process has claimed the probe.
  probing boolean not null,
  primary key (queue, receiver)
);

-- ===== Releases =====

-- Ed25519 public keys that sign releases. Those without an account were first used with the admin token. Real time.
create table signing_keys (
  -- The first 16 bytes of the SHA-256 of the public key.
  key_id uuid primary key,
  public_key bytea not null unique check (octet_length(public_key) = 32),
  account_id uuid references accounts,
  state text not null check (state in ('pending', 'approved', 'revoked')),
  ctime bigint not null,
  last_used_at bigint
);
create index signing_keys_by_account on signing_keys (account_id);

-- Builds of mini apps, and who gets them.
create table releases (
  -- Random, without a time: anyone who knows the address of a release can read its files.
  release_id uuid primary key,
  appid text not null references apps,
  platform text not null check (platform in ('H5', 'App', 'Mini App')),
  version text not null,
  note text,
  stage text not null check (stage in ('development', 'review', 'published')),
  -- Of the published ones of its platform, the one that users get.
  current boolean not null default false check (not current or stage = 'published'),
  -- The paths of its pages, as souk-app.json lists them.
  pages text[] not null,
  -- Digests of the scripts within index.html, as its content security policy names them.
  inline_scripts text[] not null,
  files integer not null,
  size bigint not null,
  -- Null for the admin token.
  uploaded_by uuid references accounts,
  ctime bigint not null,
  -- When it last became the current one.
  published_time bigint,
  -- What was signed, so that the signature can be verified again: the SHA-256 of the archive, with appid and version.
  archive_hash bytea,
  signature bytea,
  signed_by uuid references signing_keys,
  -- The service account that uploaded it.
  service_account_id uuid references service_accounts,
  -- Notes for users by language tag. `note` is for reviewers.
  notes jsonb not null default '{}',
  -- Minimum version of the runtime in hosts, from the manifest; null if every version will do.
  min_runtime text,
  -- Its tabs, which users can find: list of objects with path, title, and titles by language.
  tabs jsonb not null default '[]',
  check ((signature is null) = (signed_by is null))
);
create index releases_by_app on releases (appid, ctime);
create unique index releases_current on releases (appid, platform) where current;

-- Files by content, so that releases share equal ones.
create table release_contents (
  content_hash bytea primary key,
  gzipped boolean not null,
  size integer not null,
  -- Null for a content in the database. Otherwise there are no parts.
  object bytea references stored_objects
);
create index release_contents_by_object on release_contents (object) where object is not null;

-- Contents of release files are stored in parts, so that neither an upload nor a download holds a whole file in memory.
create table release_content_parts (
  content_hash bytea not null references release_contents on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (content_hash, part)
);

create table release_files (
  release_id uuid not null references releases,
  path text not null,
  content_hash bytea not null references release_contents,
  primary key (release_id, path)
);
create index release_files_by_content on release_files (content_hash);

-- Source maps of scripts, which only members of the project can use.
create table release_source_maps (
  release_id uuid not null references releases on delete cascade,
  -- Path of the script in the release.
  path text not null,
  content_hash bytea not null references release_contents,
  primary key (release_id, path)
);
create index release_source_maps_by_content on release_source_maps (content_hash);

-- Reviews of releases (ADR 320). Earlier ones of a release stay as its history.
create table release_reviews (
  review_id uuid primary key,
  release_id uuid not null references releases on delete cascade,
  appid text not null references apps,
  state text not null check (
    state in ('submitted', 'inReview', 'approved', 'scheduled', 'rejected', 'published', 'withdrawn')
  ),
  note text,
  -- How the reviewer signs in to the mini app.
  test_account text,
  -- List of objects with item and text, after a rejection.
  reasons jsonb not null default '[]',
  -- Domain clock, ms; set while scheduled.
  publish_time bigint,
  -- Both null for the admin token.
  submitted_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  ctime bigint not null,
  mtime bigint not null,
  -- Images that show the release to its reviewer.
  screenshots uuid[] not null default '{}',
  check ((state = 'scheduled') = (publish_time is not null))
);
create unique index release_reviews_open on release_reviews (release_id)
  where state in ('submitted', 'inReview', 'approved', 'scheduled');
create index release_reviews_of_release on release_reviews (release_id, ctime, review_id);
create index release_reviews_of_app on release_reviews (appid, ctime, review_id);
create index release_reviews_by_time on release_reviews (ctime, review_id);
create index release_reviews_due on release_reviews (publish_time) where state = 'scheduled';
create index release_reviews_waiting on release_reviews (ctime, review_id) where state in ('submitted', 'inReview');

-- Changes of the state of a review.
create table release_review_events (
  event_id uuid primary key,
  review_id uuid not null references release_reviews on delete cascade,
  state text not null,
  reasons jsonb not null default '[]',
  -- Who changed it: admin, system, or one of the next two.
  actor text not null check (actor in ('account', 'serviceAccount', 'admin', 'system')),
  account_id uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  time bigint not null
);
create index release_review_events_of_review on release_review_events (review_id, event_id);

-- Releases that a part of the users get beside the published one (ADR 321).
create table canaries (
  canary_id uuid primary key,
  release_id uuid not null references releases on delete cascade,
  appid text not null references apps,
  platform text not null,
  state text not null check (state in ('running', 'paused', 'halted', 'rolledBack', 'published')),
  -- Percentage of the users whom `languages` and `systems` select; an empty list selects all.
  share double precision not null check (share between 0 and 100),
  uids bigint[] not null,
  languages text[] not null,
  systems text[] not null,
  -- It halts when its failures exceed those of the published release by this factor.
  factor double precision not null,
  min_openings integer not null,
  halt_reason text,
  -- Incremented when it is resumed after a halt, which starts its figures again.
  run integer not null default 1,
  -- Figures of its last run, kept when it ended.
  figures jsonb,
  -- Both null for the admin token.
  started_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  ctime bigint not null,
  mtime bigint not null,
  check ((state = 'halted') = (halt_reason is not null)),
  check ((state in ('rolledBack', 'published')) = (figures is not null))
);
create unique index canaries_open on canaries (appid, platform) where state in ('running', 'paused', 'halted');
create index canaries_of_app on canaries (appid, ctime, canary_id);
create index canaries_of_release on canaries (release_id);

-- Openings of the canary, and of the published release while the canary runs, by user.
create table canary_users (
  canary_id uuid not null references canaries on delete cascade,
  run integer not null,
  uid bigint not null references users,
  is_canary boolean not null,
  openings integer not null,
  failed_launches integer not null default 0,
  errors integer not null default 0,
  primary key (canary_id, run, uid, is_canary),
  check (failed_launches <= openings and errors <= openings)
);
create index canary_users_by_uid on canary_users (uid);

-- ===== Messages to users =====

create table notifications (
  appid text not null references apps,
  notification_id uuid not null,
  title text not null,
  text text not null,
  navigate_type text not null,
  url text,
  link text,
  language text not null,
  -- Number of openIds that the mini app does not have.
  skipped integer not null,
  ctime bigint not null,
  -- Null for those that were sent before they were counted.
  recipients integer,
  primary key (appid, notification_id)
);

-- Written together with the notification. There is no reference, since deleting notifications would search all inboxes.
create table inbox (
  uid bigint not null references users,
  notification_id uuid not null,
  appid text not null,
  read_at bigint,
  ctime bigint not null,
  primary key (uid, notification_id)
);
create index inbox_by_age on inbox (uid, ctime, notification_id);

create table activities (
  appid text not null references apps,
  activity_id text not null,
  open_id uuid not null,
  uid bigint not null references users,
  color text not null,
  template_id text not null,
  title text not null,
  text text not null,
  icon_url text not null,
  path text,
  language text not null,
  valid_until bigint not null,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, activity_id, open_id)
);
create index activities_on_home on activities (uid, valid_until);
create index activities_by_end on activities (valid_until);
-- One send of an activity message has one mtime on all home pages.
create index activities_by_send on activities (appid, mtime, activity_id);
create index activities_by_creation on activities (appid, ctime, activity_id, open_id);

-- Messages of users about mini apps: feedback for the project, reports for the operator (ADR 328).
create table feedback (
  feedback_id uuid primary key,
  appid text not null references apps on delete cascade,
  uid bigint not null references users,
  kind text not null check (kind in ('problem', 'idea', 'praise', 'report')),
  -- Of a report.
  reason text,
  text text,
  state text not null check (state in ('open', 'answered', 'closed')),
  release_id uuid references releases on delete set null,
  -- Kept when the release is deleted.
  platform text,
  version text,
  page text,
  device jsonb not null,
  answer text,
  -- Both null for the admin token.
  answered_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Domain clock, ms.
  answer_time bigint,
  answer_read boolean not null default false,
  ctime bigint not null,
  mtime bigint not null,
  check ((kind = 'report') = (reason is not null)),
  check (kind = 'report' or text is not null),
  check ((answer is null) = (answer_time is null))
);
create index feedback_of_app on feedback (appid, feedback_id) where kind <> 'report';
create index feedback_reports on feedback (feedback_id) where kind = 'report';
create index feedback_of_user on feedback (uid, feedback_id);
create index feedback_of_release on feedback (release_id) where release_id is not null;
create index feedback_by_time on feedback (mtime);

-- ===== Datasets =====

-- Datasets that members fill. The built-in ones of a project are queries of other tables, and have no rows here.
create table datasets (
  dataset_id uuid primary key,
  project_id uuid not null references projects,
  name text not null,
  description text,
  -- [{name, type, required, description}], in the order of the columns. It never changes.
  fields jsonb not null,
  ctime bigint not null,
  unique (project_id, name)
);

-- A missing value is a missing name in record, never null. record_id starts with the time.
create table dataset_records (
  dataset_id uuid not null,
  record_id uuid not null,
  ctime bigint not null,
  record jsonb not null,
  primary key (dataset_id, record_id)
);

-- Appends with a batchId, so that a repeated one is recognised. time is real time.
create table dataset_batches (
  dataset_id uuid not null,
  batch_id text not null,
  digest bytea not null,
  records integer not null,
  time bigint not null,
  primary key (dataset_id, batch_id)
);
create index dataset_batches_by_age on dataset_batches (time);

-- ===== Analytics =====
-- What happens in mini apps (ADR 324). Users are pseudonyms. Times are real time, and days are days since 1970 (UTC).

-- As reported by hosts, kept for days.
create table analytics_events (
  time bigint not null,
  appid text not null,
  release_id uuid not null,
  user_id uuid not null,
  kind text not null,
  -- Path of a page, fingerprint of an error, request that failed, reason of a failed launch.
  name text not null,
  -- Launch time in ms.
  value integer
) partition by range (time);
create index analytics_events_by_app on analytics_events (appid, time);
create index analytics_events_by_age on analytics_events (time);

-- Events per hour and per day (UTC), per day without names ('dayTotal') and of names per week ('week'), counted from
-- the events.
create table analytics_counts (
  appid text not null references apps on delete cascade,
  span text not null check (span in ('hour', 'day', 'dayTotal', 'week')),
  kind text not null,
  -- Start of the span, ms. Weeks start on Monday.
  start bigint not null,
  release_id uuid not null,
  -- As in analytics_events; for launches the number of the bucket of launch times. Empty above the limit of names.
  name text not null,
  count bigint not null,
  -- Users with events of this name in the hours of a count.
  users integer not null default 0,
  primary key (appid, span, kind, start, release_id, name)
);
create index analytics_counts_by_age on analytics_counts (span, start);

create table analytics_users (
  appid text not null references apps on delete cascade,
  user_id uuid not null,
  first_day integer not null,
  last_day integer not null,
  primary key (appid, user_id)
);
create index analytics_users_by_age on analytics_users (last_day);

create table analytics_user_days (
  appid text not null references apps on delete cascade,
  day integer not null,
  user_id uuid not null,
  -- Events and groups of errors of the day, which are limited.
  events integer not null,
  error_groups integer not null default 0,
  primary key (appid, day, user_id)
);
create index analytics_user_days_by_age on analytics_user_days (day);

create table analytics_days (
  appid text not null references apps on delete cascade,
  day integer not null,
  users integer not null,
  new_users integer not null,
  -- Users of the 7 and the 30 days that end with it.
  week_users integer not null,
  month_users integer not null,
  primary key (appid, day)
);

-- Users whose first week is `week` that came back `age` weeks later. Weeks start on Monday; 0 is that of 1970-01-01.
create table analytics_cohorts (
  appid text not null references apps on delete cascade,
  week integer not null,
  age integer not null,
  users integer not null,
  primary key (appid, week, age)
);

-- One row per group of alike errors, with its newest occurrence.
create table analytics_errors (
  appid text not null references apps on delete cascade,
  fingerprint text not null,
  message text not null,
  stack text not null,
  page text not null,
  release_id uuid not null,
  first_time bigint not null,
  last_time bigint not null,
  -- Groups of one user are removed before those of many.
  users integer not null default 0,
  primary key (appid, fingerprint)
);

create table analytics_error_users (
  appid text not null,
  fingerprint text not null,
  user_id uuid not null,
  primary key (appid, fingerprint, user_id),
  foreign key (appid, fingerprint) references analytics_errors on delete cascade
);

-- Trades per day of creation: how far they got, and the money of the paid ones in cents.
create table analytics_trades (
  appid text not null references apps on delete cascade,
  day integer not null,
  currency text not null,
  created integer not null,
  opened integer not null,
  tried integer not null,
  paid integer not null,
  amount bigint not null,
  primary key (appid, day, currency)
);

-- Start of the first hour whose events may not be counted yet.
create table analytics_progress (
  singleton boolean primary key default true check (singleton),
  counted_to bigint not null
);
insert into analytics_progress (counted_to) values (0);

-- Rules that watch figures of a mini app, and the alerts that they raised (ADR 332).
create table alert_rules (
  rule_id uuid primary key,
  appid text not null references apps on delete cascade,
  metric text not null,
  threshold double precision not null,
  window_minutes integer not null,
  min_count integer not null,
  -- Who gets mail: members with one of these roles, and these accounts if they are members.
  roles text[] not null,
  account_ids uuid[] not null,
  muted_until bigint,
  -- Value of the last check; null without enough data.
  value double precision,
  checked_time bigint,
  -- Last check at which the value was beyond the threshold.
  crossed_time bigint,
  raised boolean not null default false,
  ctime bigint not null,
  mtime bigint not null
);
create index alert_rules_by_app on alert_rules (appid, rule_id);

create table alerts (
  alert_id uuid primary key,
  rule_id uuid not null references alert_rules on delete cascade,
  value double precision not null,
  threshold double precision not null,
  raised_time bigint not null,
  resolved_time bigint
);
create unique index alerts_open on alerts (rule_id) where resolved_time is null;
create index alerts_by_rule on alerts (rule_id, alert_id);

-- ===== Inspections =====

-- Inspections of mini apps on phones, which developers watch from the console (ADR 331). Rows are deleted at the end.
-- Real time.
create table inspections (
  inspection_id uuid primary key,
  appid text not null references apps on delete cascade,
  -- The developer; null for the admin token.
  account_id uuid references accounts on delete cascade,
  -- SHA-256 of the pairing code; null once it has been used.
  code_hash bytea unique,
  code_valid_until bigint not null,
  -- The phone that consented, by the SHA-256 of its host session.
  uid bigint references users,
  session_hash bytea,
  -- The open stream of each side, and when it was last known to be open.
  console_stream uuid,
  console_joined bigint,
  console_seen bigint,
  phone_stream uuid,
  phone_joined bigint,
  phone_seen bigint,
  last_used bigint not null,
  check ((uid is null) = (session_hash is null)),
  check ((code_hash is null) = (uid is not null))
);
create index inspections_of_app on inspections (appid);
create index inspections_of_account on inspections (account_id) where account_id is not null;
create index inspections_of_user on inspections (uid) where uid is not null;

-- Messages of the last minute, for the receiver and its next connection. Unlogged, so that neither a standby nor an
-- archive of the write-ahead log gets what a user did. Not in backups, which is why no table may be referenced here.
create unlogged table inspection_messages (
  message_id bigint generated always as identity primary key,
  inspection_id uuid not null,
  recipient text not null check (recipient in ('console', 'phone')),
  message text not null,
  time bigint not null
);
create index inspection_messages_in_order on inspection_messages (inspection_id, message_id);

-- ===== Request log =====

create sequence request_log_numbers;
-- One row per open API request, partitioned by day (UTC), so that old entries are dropped instead of deleted (ADR 313).
-- time is real time.
create table request_log (
  request_no bigint not null default nextval('request_log_numbers'),
  request_id text not null,
  time bigint not null,
  appid text,
  operation text not null,
  status smallint not null,
  code text,
  reason text,
  duration real not null,
  -- Why a sign does not match, in a sandbox.
  diagnosis jsonb,
  -- Object of texts by name, with secrets and personal data masked, like the response.
  parameters jsonb,
  -- JSON of the envelope, cut if it is long.
  response text,
  trade_no uuid
) partition by range (time);
alter sequence request_log_numbers owned by request_log.request_no;
create index request_log_by_age on request_log (time);
create index request_log_by_app on request_log (appid, time, request_no);
create index request_log_failed on request_log (appid, time, request_no) where code is not null;
create index request_log_by_code on request_log (appid, code, time, request_no) where code is not null;
create index request_log_by_operation on request_log (appid, operation, time, request_no);
create index request_log_by_id on request_log (request_id);
create index request_log_by_trade on request_log (trade_no, time) where trade_no is not null;

-- ===== Partitions =====
-- The server creates a partition for each period in advance. The first ones start with the first row, so that rows of
-- any time have a place, and the default ones receive rows if no partition was created in time.

do $$ declare
  now timestamp := now() at time zone 'UTC';
  next_days bigint := extract(epoch from date_trunc('day', now) + interval '2 days') * 1000;
  next_months bigint := extract(epoch from date_trunc('month', now) + interval '2 months') * 1000;
  -- The first UUID v7 of that time.
  next_numbers text := rpad(lpad(to_hex(next_months), 12, '0'), 32, '0');
begin
  execute format('create table trades partition of all_trades (unique (merchant_id, out_trade_no))
    for values from (minvalue) to (%L)', next_numbers);
  execute format('create table trade_events_first partition of trade_events
    for values from (minvalue) to (%L)', next_numbers);
  execute format('create table callbacks_first partition of callbacks (unique (appid, trade_no))
    for values from (minvalue) to (%L)', next_numbers);
  execute format('create table callback_attempts_first partition of callback_attempts
    for values from (minvalue) to (%L)', next_numbers);
  execute format('create table request_log_first partition of request_log (
    constraint request_log_pkey primary key (request_no)) for values from (minvalue) to (%L)', next_days);
end $$;
create table trades_default partition of all_trades default;
create table trade_events_default partition of trade_events default;
-- A trade has one callback: each partition has this constraint, which cannot cover several.
create table callbacks_default partition of callbacks (unique (appid, trade_no)) default;
create table callback_attempts_default partition of callback_attempts default;
create table request_log_default partition of request_log default;
create table analytics_events_default partition of analytics_events default;

-- Names as in databases of 0.1.0, where these partitions were tables.
alter table trades rename constraint all_trades_appid_fkey to trades_appid_fkey;
alter table trades rename constraint all_trades_merchant_id_fkey to trades_merchant_id_fkey;
alter index trades_appid_amount_idx rename to trades_by_amount;
alter index trades_appid_out_trade_no_idx rename to trades_by_out_trade_no;
alter index trades_payer_appid_ctime_trade_no_idx rename to trades_by_payer;
alter index trades_appid_transaction_status_ctime_trade_no_idx rename to trades_by_status;
alter index trades_appid_ctime_trade_no_transaction_status_currency_amo_idx rename to trades_by_time;
alter index trades_trade_no_idx rename to trades_by_trade_no;
alter index trades_time_expire_idx rename to trades_to_expire;
alter index callbacks_first_notify_id_idx1 rename to callbacks_first_dead;
alter index callbacks_first_notify_id_idx rename to callbacks_first_by_notify_id;
alter index callbacks_first_coalesce_least_next_attempt_idx rename to callbacks_first_by_receiver;
alter index callbacks_first_appid_ctime_notify_id_idx rename to callbacks_first_by_time;
alter index callbacks_first_appid_ctime_notify_id_idx1 rename to callbacks_first_appid_ctime_notify_id_idx;
alter index callbacks_first_appid_case_ctime_notify_id_idx rename to callbacks_first_by_trouble;
alter index request_log_first_time_idx rename to request_log_first_by_age;
alter index request_log_first_appid_time_request_no_idx rename to request_log_first_by_app;
alter index request_log_first_appid_time_request_no_idx1 rename to request_log_first_failed;
alter index request_log_first_appid_code_time_request_no_idx rename to request_log_first_by_code;
alter index request_log_first_appid_operation_time_request_no_idx rename to request_log_first_by_operation;
alter index request_log_first_request_id_idx rename to request_log_first_by_id;
