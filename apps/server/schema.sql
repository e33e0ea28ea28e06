-- What the migrations lead to. Written by npm run generate; change a migration instead.

create table activities (
  appid text not null,
  activity_id text not null,
  open_id uuid not null,
  uid bigint not null,
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
  PRIMARY KEY (appid, activity_id, open_id),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);
CREATE INDEX activities_by_end ON activities USING btree (valid_until);
CREATE INDEX activities_on_home ON activities USING btree (uid, valid_until);

create table app_secrets (
  appid text not null,
  secret_id uuid not null,
  key_id text not null,
  ciphertext bytea not null,
  valid_until bigint,
  ctime bigint not null,
  PRIMARY KEY (appid, secret_id),
  FOREIGN KEY (appid) REFERENCES apps(appid)
);

create table apps (
  appid text not null,
  project_id uuid not null,
  name text not null,
  enabled boolean not null default true,
  capabilities text[] not null,
  default_language text not null,
  icon_url text,
  ctime bigint not null,
  PRIMARY KEY (appid),
  FOREIGN KEY (project_id) REFERENCES projects(project_id)
);
CREATE INDEX apps_by_project ON apps USING btree (project_id);

create table audit_log (
  audit_id bigint not null generated always as identity,
  time bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}'::jsonb,
  PRIMARY KEY (audit_id)
);

create table callback_attempts (
  appid text not null,
  notify_id uuid not null,
  attempt integer not null,
  via text not null,
  time bigint not null,
  duration integer not null,
  acknowledged boolean not null,
  status smallint,
  reply text,
  error text,
  PRIMARY KEY (appid, notify_id, attempt),
  FOREIGN KEY (appid, notify_id) REFERENCES callbacks(appid, notify_id),
  CHECK ((via = ANY (ARRAY['notifyUrl'::text, 'listen'::text])))
);

create table callbacks (
  appid text not null,
  notify_id uuid not null,
  trade_no uuid not null,
  notify_url text not null,
  fields jsonb not null,
  state text not null,
  attempts integer not null default 0,
  scheduled_attempts integer not null default 0,
  next_attempt bigint,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (appid, notify_id),
  UNIQUE (appid, trade_no),
  CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
CREATE INDEX callbacks_by_notify_id ON callbacks USING btree (notify_id);
CREATE INDEX callbacks_due ON callbacks USING btree (next_attempt) WHERE (state = 'pending'::text);

create table consents (
  appid text not null,
  uid bigint not null,
  scopes text[] not null,
  mtime bigint not null,
  PRIMARY KEY (appid, uid),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);

create table files (
  file_id uuid not null,
  appid text not null,
  media_type text not null,
  content bytea not null,
  ctime bigint not null,
  PRIMARY KEY (file_id),
  FOREIGN KEY (appid) REFERENCES apps(appid)
);

create table host_sessions (
  token_hash bytea not null,
  uid bigint not null,
  valid_until bigint not null,
  ctime bigint not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (uid) REFERENCES users(uid)
);

create table inbox (
  uid bigint not null,
  notification_id uuid not null,
  appid text not null,
  read_at bigint,
  ctime bigint not null,
  PRIMARY KEY (uid, notification_id),
  FOREIGN KEY (appid, notification_id) REFERENCES notifications(appid, notification_id),
  FOREIGN KEY (uid) REFERENCES users(uid)
);
CREATE INDEX inbox_by_age ON inbox USING btree (uid, ctime, notification_id);

create table installation (
  only_row boolean not null default true,
  environment text not null,
  key_id text not null,
  PRIMARY KEY (only_row),
  CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CHECK (only_row)
);

create table login_codes (
  code_hash bytea not null,
  appid text not null,
  uid bigint not null,
  scopes text[] not null,
  token_id uuid not null,
  valid_until bigint not null,
  used_at bigint,
  ctime bigint not null,
  PRIMARY KEY (code_hash),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);
CREATE INDEX login_codes_by_age ON login_codes USING btree (valid_until);
CREATE INDEX login_codes_by_user ON login_codes USING btree (uid, appid);

create table merchants (
  merchant_id uuid not null,
  appid text not null,
  name text,
  logo_url text,
  ctime bigint not null,
  PRIMARY KEY (merchant_id),
  UNIQUE (appid),
  FOREIGN KEY (appid) REFERENCES apps(appid)
);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  PRIMARY KEY (name)
);

create table money_returns (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  state text not null,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (appid, trade_no, attempt_id),
  CHECK ((state = ANY (ARRAY['owed'::text, 'returned'::text])))
);

create table notification_requests (
  appid text not null,
  sign bytea not null,
  time bigint not null,
  PRIMARY KEY (appid, sign)
);
CREATE INDEX notification_requests_by_age ON notification_requests USING btree ("time");

create table notifications (
  appid text not null,
  notification_id uuid not null,
  title text not null,
  text text not null,
  navigate_type text not null,
  url text,
  link text,
  language text not null,
  skipped integer not null,
  ctime bigint not null,
  PRIMARY KEY (appid, notification_id),
  FOREIGN KEY (appid) REFERENCES apps(appid)
);

create table open_ids (
  appid text not null,
  open_id uuid not null,
  uid bigint not null,
  PRIMARY KEY (appid, open_id),
  UNIQUE (uid, appid),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);

create table payment_attempts (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  provider text not null,
  pay_type smallint not null,
  pay_method smallint not null,
  pay_no text,
  state text not null,
  fail_reason_type smallint not null default '-1'::integer,
  prompt text,
  cancel_for text,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (appid, trade_no, attempt_id),
  FOREIGN KEY (appid, trade_no) REFERENCES trades(appid, trade_no),
  CHECK ((cancel_for = ANY (ARRAY['merchant'::text, 'payer'::text]))),
  CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'challenge'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text])))
);
CREATE UNIQUE INDEX payment_attempts_by_id ON payment_attempts USING btree (attempt_id);
CREATE INDEX payment_attempts_in_flight ON payment_attempts USING btree (mtime) WHERE (state = ANY (ARRAY['created'::text, 'pending'::text, 'challenge'::text]));

create table projects (
  project_id uuid not null,
  name text not null,
  ctime bigint not null,
  PRIMARY KEY (project_id)
);

create table request_log (
  request_no bigint not null generated always as identity,
  request_id text not null,
  time bigint not null,
  appid text,
  operation text not null,
  status smallint not null,
  code text,
  reason text,
  duration real not null,
  diagnosis jsonb,
  PRIMARY KEY (request_no)
);
CREATE INDEX request_log_by_age ON request_log USING btree ("time");
CREATE INDEX request_log_by_app ON request_log USING btree (appid, request_no);

create table revoked_tokens (
  token_id uuid not null,
  valid_until bigint not null,
  PRIMARY KEY (token_id)
);

create table sandbox_clock (
  only_row boolean not null default true,
  offset_ms bigint not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table sandbox_payments (
  pay_no text not null,
  attempt_id uuid not null,
  amount bigint not null,
  currency text not null,
  outcome text not null,
  state text not null,
  fail_reason_type smallint not null default '-1'::integer,
  decides_at bigint,
  told boolean not null default true,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (pay_no),
  UNIQUE (attempt_id),
  CHECK ((state = ANY (ARRAY['pending'::text, 'challenge'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'refunded'::text])))
);
CREATE INDEX sandbox_payments_due ON sandbox_payments USING btree (decides_at) WHERE (decides_at IS NOT NULL);
CREATE INDEX sandbox_payments_to_tell ON sandbox_payments USING btree (pay_no) WHERE (NOT told);

create table trade_events (
  appid text not null,
  trade_no uuid not null,
  event_id bigint not null generated always as identity,
  time bigint not null,
  event text not null,
  detail jsonb not null default '{}'::jsonb,
  PRIMARY KEY (appid, trade_no, event_id)
);

create table trades (
  appid text not null,
  trade_no uuid not null,
  merchant_id uuid not null,
  out_trade_no text not null,
  description text,
  amount bigint not null,
  currency text not null,
  open_id uuid not null,
  payer bigint not null,
  notify_url text not null,
  time_expire_asked bigint,
  time_expire bigint not null,
  transaction_status smallint not null default 1,
  fail_reason_type smallint not null default '-1'::integer,
  pay_type smallint,
  pay_method smallint,
  pay_no text,
  notify_success boolean,
  attempt_in_flight uuid,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (appid, trade_no),
  UNIQUE (merchant_id, out_trade_no),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CHECK (((amount >= 1) AND (amount <= '99999999999'::bigint))),
  CHECK (((transaction_status >= 1) AND (transaction_status <= 6)))
);
CREATE INDEX trades_by_trade_no ON trades USING btree (trade_no);
CREATE INDEX trades_to_expire ON trades USING btree (time_expire) WHERE ((transaction_status = 1) AND (attempt_in_flight IS NULL));

create table union_ids (
  project_id uuid not null,
  uid bigint not null,
  union_id uuid not null,
  PRIMARY KEY (project_id, uid),
  UNIQUE (union_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id),
  FOREIGN KEY (uid) REFERENCES users(uid)
);

create table users (
  uid bigint not null generated always as identity (start with 10001),
  nickname text not null,
  avatar text,
  email text,
  country text,
  phone text,
  ctime bigint not null,
  PRIMARY KEY (uid)
);

create table worker_heartbeats (
  pool_id text not null,
  beat_at timestamp with time zone not null,
  PRIMARY KEY (pool_id)
);

create table worker_periods (
  name text not null,
  began_at timestamp with time zone not null,
  PRIMARY KEY (name)
);
