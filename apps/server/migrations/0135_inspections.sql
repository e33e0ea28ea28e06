-- Inspections of mini apps on phones, which developers watch from the console (ADR 331). Rows are deleted at the end.
lock table accounts, apps, users in access exclusive mode;

-- Times are real time, ms.
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
