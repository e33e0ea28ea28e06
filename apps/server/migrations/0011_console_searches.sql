-- What the console searches by, so that a page costs the same with a million rows as with ten.

alter table apps
  add column languages text[] not null default '{}',
  -- Hosts that the callbacks of this mini app may reach although they are private.
  add column callback_hosts text[] not null default '{}';
update apps set languages = array[default_language];

-- The columns included let totals be summed without a look at the table.
create index trades_by_time on trades (appid, ctime, trade_no) include (transaction_status, currency, amount);
create index trades_by_status on trades (appid, transaction_status, ctime, trade_no);
create index trades_by_payer on trades (payer, appid, ctime, trade_no);
create index trades_by_amount on trades (appid, amount);
create index trades_by_out_trade_no on trades (appid, out_trade_no text_pattern_ops);

create index callbacks_by_time on callbacks (appid, ctime, notify_id);
create index callbacks_pending on callbacks (appid, ctime, notify_id) where state = 'pending';
-- Failures first: 2 dead, 1 pending with a failed attempt, 0 the rest.
create index callbacks_by_trouble on callbacks (
  appid, (case when state = 'dead' then 2 when state = 'pending' and attempts > 0 then 1 else 0 end), ctime, notify_id
);

-- Replaying a range of callbacks: what is left of it, and how far it is. Times are real time.
create table callback_replays (
  replay_id uuid primary key,
  project_id uuid not null references projects,
  appids text[] not null,
  state text,
  -- Bounds of the callbacks' ctime, domain clock.
  from_time bigint not null,
  to_time bigint not null,
  -- The last callback that was done; null before the first.
  done_time bigint,
  done_notify_id uuid,
  progress text not null check (progress in ('running', 'finished', 'canceled')),
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  ctime bigint not null,
  mtime bigint not null
);

-- What a sandbox does to the next callbacks of a mini app.
create table sandbox_callback_faults (
  appid text primary key references apps,
  fault text not null check (fault in ('drop', 'error500', 'twice')),
  remaining integer not null
);

-- Null for those that were sent before they were counted.
alter table notifications add column recipients integer;
-- One send of an activity message has one mtime on all home pages.
create index activities_by_send on activities (appid, mtime, activity_id);

drop index request_log_by_app;
create index request_log_by_app on request_log (appid, time, request_no);
create index request_log_failed on request_log (appid, time, request_no) where code is not null;
create index request_log_by_code on request_log (appid, code, time, request_no) where code is not null;
create index request_log_by_operation on request_log (appid, operation, time, request_no);
create index request_log_by_id on request_log (request_id);
