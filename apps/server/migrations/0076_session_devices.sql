-- What a session list shows: sessions from before the upgrade have no device and address.
alter table account_sessions
  add column session_id uuid not null unique default gen_random_uuid(),
  add column user_agent text,
  add column address text,
  add column last_used bigint;
