-- Trades and their events are partitioned by the month (UTC) in the trade's number, a UUID v7 (ADR 313).
--
-- The table of all trades has a new name, because `insert … on conflict (merchant_id, out_trade_no)` of processes of the
-- previous version needs a table with that constraint. `trades` becomes the first partition. Its range ends at least a
-- month from now, so both versions see the same trades during an upgrade.
alter table trades validate constraint trades_bound;
alter table trade_events validate constraint trade_events_bound;

-- A trade may have been refused for its outTradeNo after the trigger had claimed it.
insert into out_trade_nos (merchant_id, out_trade_no, trade_no)
select merchant_id, out_trade_no, trade_no from trades
on conflict (merchant_id, out_trade_no) do update set trade_no = excluded.trade_no;

-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table trades, payment_attempts, trade_events, apps, merchants in access exclusive mode;
drop trigger claim_out_trade_no on trades;
-- Payments outlive archived trades. They are written under a lock of the trade, so it exists.
alter table payment_attempts drop constraint payment_attempts_appid_trade_no_fkey;

create table all_trades (
  appid text not null references apps,
  trade_no uuid not null,
  merchant_id uuid not null references merchants,
  out_trade_no text not null,
  description text,
  amount bigint not null constraint trades_amount_check check (amount between 1 and 99999999999),
  currency text not null,
  open_id uuid not null,
  payer bigint not null,
  notify_url text not null,
  time_expire_asked bigint,
  time_expire bigint not null,
  transaction_status smallint not null default 1
    constraint trades_transaction_status_check check (transaction_status between 1 and 6),
  fail_reason_type smallint not null default -1,
  pay_type smallint,
  pay_method smallint,
  pay_no text,
  notify_success boolean,
  attempt_in_flight uuid,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, trade_no)
) partition by range (trade_no);
create index all_trades_by_amount on all_trades (appid, amount);
create index all_trades_by_out_trade_no on all_trades (appid, out_trade_no text_pattern_ops);
create index all_trades_by_payer on all_trades (payer, appid, ctime, trade_no);
create index all_trades_by_status on all_trades (appid, transaction_status, ctime, trade_no);
create index all_trades_by_time on all_trades (appid, ctime, trade_no) include (transaction_status, currency, amount);
create index all_trades_by_trade_no on all_trades (trade_no);
create index all_trades_to_expire on all_trades (time_expire) where transaction_status = 1 and attempt_in_flight is null;
create trigger claim_out_trade_no before insert on all_trades for each row execute function claim_out_trade_no();

alter table trade_events rename to trade_events_first;
alter table trade_events_first rename constraint trade_events_pkey to trade_events_first_pkey;
-- PostgreSQL 15 and 18 treat identity columns of partitions differently.
create sequence trade_event_numbers;
select setval('trade_event_numbers', nextval(pg_get_serial_sequence('trade_events_first', 'event_id')));
alter table trade_events_first alter event_id drop identity;
create table trade_events (
  appid text not null,
  trade_no uuid not null,
  event_id bigint not null default nextval('trade_event_numbers'),
  time bigint not null,
  event text not null,
  detail jsonb not null default '{}',
  primary key (appid, trade_no, event_id)
) partition by range (trade_no);
alter sequence trade_event_numbers owned by trade_events.event_id;

do $$ declare bound bigint :=
  extract(epoch from date_trunc('month', now() at time zone 'UTC') + interval '2 months') * 1000;
begin
  execute format('alter table all_trades attach partition trades for values from (minvalue) to (%L)',
    rpad(lpad(to_hex(bound), 12, '0'), 32, '0'));
  execute format('alter table trade_events attach partition trade_events_first for values from (minvalue) to (%L)',
    rpad(lpad(to_hex(bound), 12, '0'), 32, '0'));
end $$;
alter table trades drop constraint trades_bound;
alter table trade_events_first drop constraint trade_events_bound;

-- Receive rows if no partition was created in time.
create table trades_default partition of all_trades default;
create table trade_events_default partition of trade_events default;
