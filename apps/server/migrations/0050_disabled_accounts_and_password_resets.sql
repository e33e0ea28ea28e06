-- A disabled account opens nothing: no session, no token, no API key (ADR 209).
alter table accounts add column enabled boolean not null default true;

-- Links to a new password. The primary key holds an account to one: the link that was made last counts.
create table password_resets (
  account_id uuid primary key references accounts,
  token_hash bytea not null unique,
  -- Null where the admin token made it.
  made_by uuid references accounts,
  valid_until bigint not null,
  ctime bigint not null
);
create index password_resets_by_end on password_resets (valid_until);
