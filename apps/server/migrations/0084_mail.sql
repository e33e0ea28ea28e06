-- The confirmed address of an account, in lower case.
alter table accounts add column email text unique check (email = lower(email));

-- Addresses that are yet to be confirmed with a link. The link made last counts.
create table email_confirmations (
  account_id uuid primary key references accounts,
  email text not null check (email = lower(email)),
  token_hash bytea not null unique,
  -- ms of real time, like all times here.
  valid_until bigint not null,
  ctime bigint not null
);
create index email_confirmations_by_end on email_confirmations (valid_until);

-- Mails, sent by jobs. They can contain links that sign people in, so their content is encrypted and deleted at the end.
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
