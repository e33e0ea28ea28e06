-- Trades that a payer has opened in the cashier of a host.
create table opened_trades (
  trade_no uuid primary key,
  -- When it was opened first, ms.
  time bigint not null
);
create index opened_trades_by_age on opened_trades (time);

-- Trades per day of creation (UTC, days since 1970): how far they got, and the money of the paid ones in cents.
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
