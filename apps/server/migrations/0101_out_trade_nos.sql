-- Trades will be partitioned by month, and a unique constraint cannot cover several partitions. Each outTradeNo is
-- therefore also in this table, which is never partitioned or archived (ADR 313).
create table out_trade_nos (
  merchant_id uuid not null,
  out_trade_no text not null,
  trade_no uuid not null,
  primary key (merchant_id, out_trade_no)
);

-- Skips a trade whose outTradeNo is in use, like `on conflict do nothing`.
create function claim_out_trade_no() returns trigger language plpgsql as $$
begin
  insert into out_trade_nos (merchant_id, out_trade_no, trade_no)
  values (new.merchant_id, new.out_trade_no, new.trade_no)
  on conflict do nothing;
  if found then
    return new;
  end if;
  return null;
end
$$;

-- At once, since a migration that waits with a lock can deadlock with requests (ADR 299).
lock table trades, trade_events in access exclusive mode;
-- compatible: trades.claim_out_trade_no: it skips the rows that `on conflict do nothing` of version 0.1.0 skips
create trigger claim_out_trade_no before insert on trades for each row execute function claim_out_trade_no();

-- The next migration checks these without blocking writes, so that attaching the tables does not scan them.
do $$ declare bound bigint :=
  extract(epoch from date_trunc('month', now() at time zone 'UTC') + interval '2 months') * 1000;
begin
  execute format('alter table trades add constraint trades_bound check (trade_no < %L) not valid',
    rpad(lpad(to_hex(bound), 12, '0'), 32, '0'));
  execute format('alter table trade_events add constraint trade_events_bound check (trade_no < %L) not valid',
    rpad(lpad(to_hex(bound), 12, '0'), 32, '0'));
end $$;
