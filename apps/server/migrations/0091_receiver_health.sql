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

-- failed_time: when the endpoint was disabled because it had acknowledged nothing for days.
alter table event_endpoints add column failed_time bigint check (failed_time is null or not enabled);
-- Failures before it do not count.
alter table event_endpoints add column enabled_time bigint not null default 0;
