-- What the migrations lead to. Written by npm run generate; change a migration instead.

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end
$function$;

create table account_sessions (
  token_hash bytea not null,
  account_id uuid not null,
  valid_until bigint not null,
  ctime bigint not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX account_sessions_by_account ON account_sessions USING btree (account_id);
CREATE INDEX account_sessions_by_end ON account_sessions USING btree (valid_until);

create table account_tokens (
  token_hash bytea not null,
  account_id uuid not null,
  valid_until bigint not null,
  ctime bigint not null,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX account_tokens_by_account ON account_tokens USING btree (account_id);
CREATE INDEX account_tokens_by_end ON account_tokens USING btree (valid_until);

create table accounts (
  account_id uuid not null,
  username text not null,
  name text not null,
  language text not null,
  password text not null,
  administrator boolean not null,
  last_sign_in bigint,
  ctime bigint not null,
  enabled boolean not null default true,
  PRIMARY KEY (account_id),
  UNIQUE (username)
);

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
CREATE INDEX activities_by_creation ON activities USING btree (appid, ctime, activity_id, open_id);
CREATE INDEX activities_by_end ON activities USING btree (valid_until);
CREATE INDEX activities_by_send ON activities USING btree (appid, mtime, activity_id);
CREATE INDEX activities_on_home ON activities USING btree (uid, valid_until);

create table api_keys (
  account_id uuid not null,
  key_hash bytea not null,
  last_four text not null,
  last_used_at bigint,
  last_used_from text,
  ctime bigint not null,
  PRIMARY KEY (account_id),
  UNIQUE (key_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);

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

create table app_testers (
  appid text not null,
  uid bigint not null,
  PRIMARY KEY (appid, uid),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);
CREATE INDEX app_testers_by_user ON app_testers USING btree (uid);

create table apps (
  appid text not null,
  project_id uuid not null,
  name text not null,
  enabled boolean not null default true,
  capabilities text[] not null,
  default_language text not null,
  icon_url text,
  ctime bigint not null,
  languages text[] not null default '{}'::text[],
  callback_hosts text[] not null default '{}'::text[],
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
  account_id uuid,
  project_id uuid,
  address text,
  PRIMARY KEY (audit_id)
);
CREATE INDEX audit_log_by_account ON audit_log USING btree (account_id, audit_id);
CREATE INDEX audit_log_by_project ON audit_log USING btree (project_id, audit_id);

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

create table callback_replays (
  replay_id uuid not null,
  project_id uuid not null,
  appids text[] not null,
  state text,
  from_time bigint not null,
  to_time bigint not null,
  done_time bigint,
  done_notify_id uuid,
  progress text not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (replay_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id),
  CHECK ((progress = ANY (ARRAY['running'::text, 'finished'::text, 'canceled'::text])))
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
CREATE INDEX callbacks_by_time ON callbacks USING btree (appid, ctime, notify_id);
CREATE INDEX callbacks_by_trouble ON callbacks USING btree (appid, (
CASE
    WHEN (state = 'dead'::text) THEN 2
    WHEN ((state = 'pending'::text) AND (attempts > 0)) THEN 1
    ELSE 0
END), ctime, notify_id);
CREATE INDEX callbacks_due ON callbacks USING btree (next_attempt) WHERE (state = 'pending'::text);
CREATE INDEX callbacks_pending ON callbacks USING btree (appid, ctime, notify_id) WHERE (state = 'pending'::text);

create table consents (
  appid text not null,
  uid bigint not null,
  scopes text[] not null,
  mtime bigint not null,
  PRIMARY KEY (appid, uid),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uid) REFERENCES users(uid)
);

create table dataset_batches (
  dataset_id uuid not null,
  batch_id text not null,
  digest bytea not null,
  records integer not null,
  time bigint not null,
  PRIMARY KEY (dataset_id, batch_id)
);
CREATE INDEX dataset_batches_by_age ON dataset_batches USING btree ("time");

create table dataset_records (
  dataset_id uuid not null,
  record_id uuid not null,
  ctime bigint not null,
  record jsonb not null,
  PRIMARY KEY (dataset_id, record_id)
);

create table datasets (
  dataset_id uuid not null,
  project_id uuid not null,
  name text not null,
  description text,
  fields jsonb not null,
  ctime bigint not null,
  PRIMARY KEY (dataset_id),
  UNIQUE (project_id, name),
  FOREIGN KEY (project_id) REFERENCES projects(project_id)
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

create table invitations (
  invitation_id uuid not null,
  project_id uuid not null,
  token_hash bytea not null,
  role text not null,
  note text,
  invited_by uuid,
  valid_until bigint not null,
  ctime bigint not null,
  PRIMARY KEY (invitation_id),
  UNIQUE (token_hash),
  FOREIGN KEY (invited_by) REFERENCES accounts(account_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);
CREATE INDEX invitations_by_project ON invitations USING btree (project_id);

create table ledger_entries (
  reference uuid not null,
  movement text not null,
  debit text not null,
  credit text not null,
  amount bigint not null,
  currency text not null,
  appid text not null,
  trade_no uuid not null,
  time bigint not null,
  PRIMARY KEY (reference, movement),
  CHECK ((amount > 0)),
  CHECK ((credit <> debit)),
  CHECK ((movement = ANY (ARRAY['captured'::text, 'refundOwed'::text, 'refundReturned'::text, 'refundRefused'::text, 'refundFailed'::text])))
);
CREATE INDEX ledger_entries_by_credit ON ledger_entries USING btree (credit) INCLUDE (currency, movement, amount);
CREATE INDEX ledger_entries_by_debit ON ledger_entries USING btree (debit) INCLUDE (currency, movement, amount);
CREATE TRIGGER ledger_entries_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  recipients integer,
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
CREATE INDEX open_ids_by_user ON open_ids USING btree (appid, uid);

create table password_resets (
  account_id uuid not null,
  token_hash bytea not null,
  made_by uuid,
  valid_until bigint not null,
  ctime bigint not null,
  PRIMARY KEY (account_id),
  UNIQUE (token_hash),
  FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  FOREIGN KEY (made_by) REFERENCES accounts(account_id)
);
CREATE INDEX password_resets_by_end ON password_resets USING btree (valid_until);

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
  provider_account_id uuid,
  redirect_url text,
  PRIMARY KEY (appid, trade_no, attempt_id),
  FOREIGN KEY (appid, trade_no) REFERENCES trades(appid, trade_no),
  FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(provider_account_id),
  CHECK ((cancel_for = ANY (ARRAY['merchant'::text, 'payer'::text, 'expiry'::text, 'retry'::text]))),
  CHECK ((state = ANY (ARRAY['created'::text, 'pending'::text, 'challenge'::text, 'redirect'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'expired'::text])))
);
CREATE INDEX payment_attempts_by_day ON payment_attempts USING brin (ctime);
CREATE UNIQUE INDEX payment_attempts_by_id ON payment_attempts USING btree (attempt_id);
CREATE INDEX payment_attempts_in_flight ON payment_attempts USING btree (mtime) WHERE (state = ANY (ARRAY['created'::text, 'pending'::text, 'challenge'::text, 'redirect'::text]));

create table project_members (
  project_id uuid not null,
  account_id uuid not null,
  role text not null,
  ctime bigint not null,
  PRIMARY KEY (project_id, account_id),
  FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  FOREIGN KEY (project_id) REFERENCES projects(project_id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);
CREATE INDEX project_members_by_account ON project_members USING btree (account_id);

create table projects (
  project_id uuid not null,
  name text not null,
  ctime bigint not null,
  PRIMARY KEY (project_id)
);

create table provider_accounts (
  provider_account_id uuid not null,
  merchant_id uuid,
  name text not null,
  provider text not null,
  settings jsonb not null,
  key_id text not null,
  ciphertext bytea not null,
  enabled boolean not null default true,
  failures integer not null default 0,
  out_until bigint,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (provider_account_id),
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CHECK ((provider = ANY (ARRAY['sandbox'::text, 'checkout'::text, 'stripe'::text, 'paytabs'::text])))
);
CREATE INDEX provider_accounts_by_merchant ON provider_accounts USING btree (merchant_id);

create table reconciliation_differences (
  reconciliation_id uuid not null,
  attempt_id uuid not null,
  appid text not null,
  trade_no uuid not null,
  difference text not null,
  booked bigint,
  booked_currency text,
  told bigint,
  told_currency text,
  repaired boolean not null,
  detail text,
  PRIMARY KEY (reconciliation_id, attempt_id, difference),
  FOREIGN KEY (reconciliation_id) REFERENCES reconciliations(reconciliation_id),
  CHECK ((difference = ANY (ARRAY['notBooked'::text, 'notThere'::text, 'amount'::text, 'refunded'::text, 'unanswered'::text])))
);

create table reconciliations (
  reconciliation_id uuid not null,
  merchant_id uuid not null,
  account text not null,
  day bigint not null,
  state text not null,
  attempts integer not null default 0,
  differences integer not null default 0,
  ctime bigint not null,
  mtime bigint not null,
  PRIMARY KEY (reconciliation_id),
  UNIQUE (merchant_id, account, day),
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text])))
);
CREATE INDEX reconciliations_by_day ON reconciliations USING btree (merchant_id, day, reconciliation_id);

create table refunds (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  state text not null,
  ctime bigint not null,
  mtime bigint not null,
  refund_no uuid not null,
  cause text not null,
  merchant_id uuid not null,
  out_trade_no text not null,
  open_id uuid not null,
  payer bigint not null,
  pay_type smallint not null,
  pay_method smallint not null,
  refusal text,
  PRIMARY KEY (appid, trade_no, refund_no),
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  CHECK ((cause = ANY (ARRAY['notTaken'::text, 'operator'::text]))),
  CHECK ((state = ANY (ARRAY['owed'::text, 'returned'::text, 'refused'::text])))
);
CREATE INDEX refunds_by_end ON refunds USING btree (mtime) WHERE (state <> 'owed'::text);
CREATE UNIQUE INDEX refunds_by_refund_no ON refunds USING btree (refund_no);
CREATE INDEX refunds_by_time ON refunds USING btree (appid, ctime, refund_no);
CREATE UNIQUE INDEX refunds_not_taken ON refunds USING btree (attempt_id) WHERE (cause = 'notTaken'::text);
CREATE INDEX refunds_of_operators ON refunds USING btree (appid, ctime, refund_no) WHERE (cause = 'operator'::text);
CREATE INDEX refunds_owed ON refunds USING btree (ctime, refund_no) WHERE (state = 'owed'::text);

create table release_contents (
  content_hash bytea not null,
  gzipped boolean not null,
  content bytea not null,
  PRIMARY KEY (content_hash)
);

create table release_files (
  release_id uuid not null,
  path text not null,
  content_hash bytea not null,
  PRIMARY KEY (release_id, path),
  FOREIGN KEY (content_hash) REFERENCES release_contents(content_hash),
  FOREIGN KEY (release_id) REFERENCES releases(release_id)
);
CREATE INDEX release_files_by_content ON release_files USING btree (content_hash);

create table releases (
  release_id uuid not null,
  appid text not null,
  platform text not null,
  version text not null,
  note text,
  stage text not null,
  current boolean not null default false,
  pages text[] not null,
  inline_scripts text[] not null,
  files integer not null,
  size bigint not null,
  uploaded_by uuid,
  ctime bigint not null,
  published_time bigint,
  PRIMARY KEY (release_id),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (uploaded_by) REFERENCES accounts(account_id),
  CHECK (((NOT current) OR (stage = 'published'::text))),
  CHECK ((platform = ANY (ARRAY['H5'::text, 'App'::text, 'Mini App'::text]))),
  CHECK ((stage = ANY (ARRAY['development'::text, 'review'::text, 'published'::text])))
);
CREATE INDEX releases_by_app ON releases USING btree (appid, ctime);
CREATE UNIQUE INDEX releases_current ON releases USING btree (appid, platform) WHERE current;

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
CREATE INDEX request_log_by_app ON request_log USING btree (appid, "time", request_no);
CREATE INDEX request_log_by_code ON request_log USING btree (appid, code, "time", request_no) WHERE (code IS NOT NULL);
CREATE INDEX request_log_by_id ON request_log USING btree (request_id);
CREATE INDEX request_log_by_operation ON request_log USING btree (appid, operation, "time", request_no);
CREATE INDEX request_log_failed ON request_log USING btree (appid, "time", request_no) WHERE (code IS NOT NULL);

create table revoked_tokens (
  token_id uuid not null,
  valid_until bigint not null,
  PRIMARY KEY (token_id)
);

create table routing_rules (
  rule_id uuid not null,
  merchant_id uuid,
  place integer not null,
  currency text,
  amount_from bigint,
  amount_to bigint,
  pay_method smallint,
  share smallint not null,
  provider_account_ids uuid[] not null,
  shadow_account_id uuid,
  PRIMARY KEY (rule_id),
  FOREIGN KEY (merchant_id) REFERENCES merchants(merchant_id),
  FOREIGN KEY (shadow_account_id) REFERENCES provider_accounts(provider_account_id),
  CHECK (((share >= 1) AND (share <= 100)))
);
CREATE INDEX routing_rules_by_merchant ON routing_rules USING btree (merchant_id, place);

create table sandbox_callback_faults (
  appid text not null,
  fault text not null,
  remaining integer not null,
  PRIMARY KEY (appid),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  CHECK ((fault = ANY (ARRAY['drop'::text, 'error500'::text, 'twice'::text])))
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
  refunds jsonb not null default '{}'::jsonb,
  PRIMARY KEY (pay_no),
  UNIQUE (attempt_id),
  CHECK ((state = ANY (ARRAY['pending'::text, 'challenge'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text, 'refunded'::text])))
);
CREATE INDEX sandbox_payments_due ON sandbox_payments USING btree (decides_at) WHERE (decides_at IS NOT NULL);
CREATE INDEX sandbox_payments_to_tell ON sandbox_payments USING btree (pay_no) WHERE (NOT told);

create table setup_tokens (
  token_hash bytea not null,
  ctime bigint not null,
  PRIMARY KEY (token_hash)
);

create table shadow_answers (
  attempt_id uuid not null,
  appid text not null,
  trade_no uuid not null,
  provider_account_id uuid not null,
  shadow_id uuid not null,
  kind text,
  detail text,
  duration integer not null,
  ctime bigint not null,
  PRIMARY KEY (attempt_id),
  FOREIGN KEY (appid) REFERENCES apps(appid),
  FOREIGN KEY (provider_account_id) REFERENCES provider_accounts(provider_account_id)
);
CREATE INDEX shadow_answers_by_account ON shadow_answers USING btree (provider_account_id, ctime);

create table sign_in_failures (
  subject bytea not null,
  failures integer not null,
  blocked_until bigint not null,
  mtime bigint not null,
  PRIMARY KEY (subject)
);
CREATE INDEX sign_in_failures_by_age ON sign_in_failures USING btree (mtime);

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
CREATE INDEX trades_by_amount ON trades USING btree (appid, amount);
CREATE INDEX trades_by_out_trade_no ON trades USING btree (appid, out_trade_no text_pattern_ops);
CREATE INDEX trades_by_payer ON trades USING btree (payer, appid, ctime, trade_no);
CREATE INDEX trades_by_status ON trades USING btree (appid, transaction_status, ctime, trade_no);
CREATE INDEX trades_by_time ON trades USING btree (appid, ctime, trade_no) INCLUDE (transaction_status, currency, amount);
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
