create table trades (
  appid text not null references apps,
  trade_no uuid not null,
  merchant_id uuid not null references merchants,
  out_trade_no text not null,
  description text,
  amount bigint not null check (amount between 1 and 99999999999),
  currency text not null,
  open_id uuid not null,
  payer bigint not null,
  notify_url text not null,
  -- What the caller asked for; null where it left the expiry to us. A repeated creation compares this one.
  time_expire_asked bigint,
  time_expire bigint not null,
  transaction_status smallint not null default 1 check (transaction_status between 1 and 6),
  fail_reason_type smallint not null default -1,
  pay_type smallint,
  pay_method smallint,
  pay_no text,
  notify_success boolean,
  -- The attempt that may still bring money; null when none is in flight.
  attempt_in_flight uuid,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, trade_no),
  unique (merchant_id, out_trade_no)
);
-- The payer's side knows a trade by its number alone.
create index trades_by_trade_no on trades (trade_no);
create index trades_to_expire on trades (time_expire) where transaction_status = 1 and attempt_in_flight is null;

create table payment_attempts (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  provider text not null,
  pay_type smallint not null,
  pay_method smallint not null,
  pay_no text,
  state text not null check (state in ('created', 'pending', 'challenge', 'succeeded', 'failed', 'canceled')),
  fail_reason_type smallint not null default -1,
  -- What 3-D Secure asks of the payer, while the state is challenge.
  prompt text,
  -- Whose word the provider was asked to cancel on; it decides whether the trade becomes closed or canceled.
  cancel_for text check (cancel_for in ('merchant', 'payer')),
  ctime bigint not null,
  -- When the provider was last heard or asked.
  mtime bigint not null,
  primary key (appid, trade_no, attempt_id),
  foreign key (appid, trade_no) references trades
);
-- A provider knows an attempt by its id alone.
create unique index payment_attempts_by_id on payment_attempts (attempt_id);
create index payment_attempts_in_flight on payment_attempts (mtime) where state in ('created', 'pending', 'challenge');

-- The story of one trade, oldest first by event_id. Creation is the trade's own ctime and has no row.
create table trade_events (
  appid text not null,
  trade_no uuid not null,
  event_id bigint generated always as identity,
  time bigint not null,
  event text not null,
  detail jsonb not null default '{}',
  primary key (appid, trade_no, event_id)
);

-- Money that arrived when the trade was final already, and goes back (transactionFlow 1).
create table money_returns (
  appid text not null,
  trade_no uuid not null,
  attempt_id uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  state text not null check (state in ('owed', 'returned')),
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, trade_no, attempt_id)
);

-- The ledger of payment result callbacks: outbox and history in one. fields holds what is sent, less timestamp and sign.
create table callbacks (
  appid text not null,
  notify_id uuid not null,
  trade_no uuid not null,
  notify_url text not null,
  fields jsonb not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  -- All attempts: those of the schedule, replays, and what `souk listen` forwarded.
  attempts integer not null default 0,
  -- The attempts of the schedule alone: they decide the next delay.
  scheduled_attempts integer not null default 0,
  -- While an attempt is under way: when it counts as lost.
  next_attempt bigint,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, notify_id),
  unique (appid, trade_no)
);
create index callbacks_by_notify_id on callbacks (notify_id);
create index callbacks_due on callbacks (next_attempt) where state = 'pending';

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
  primary key (appid, notify_id, attempt),
  foreign key (appid, notify_id) references callbacks
);

-- The sandbox processor's own books: what it knows of a payment, whatever Souk has heard.
create table sandbox_payments (
  pay_no text primary key,
  attempt_id uuid not null unique,
  amount bigint not null,
  currency text not null,
  outcome text not null,
  state text not null check (state in ('pending', 'challenge', 'succeeded', 'failed', 'canceled', 'refunded')),
  fail_reason_type smallint not null default -1,
  -- When the processor next decides by itself; null where nothing more will happen.
  decides_at bigint,
  -- Whether Souk has taken what the processor decided after its first answer.
  told boolean not null default true,
  ctime bigint not null,
  mtime bigint not null
);
create index sandbox_payments_due on sandbox_payments (decides_at) where decides_at is not null;
create index sandbox_payments_to_tell on sandbox_payments (pay_no) where not told;
