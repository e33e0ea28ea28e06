-- Sums of finished trades are kept, since adding up trades takes as long as there are many of them (ADR 422).
-- compatible: all_trades.trades_change: it adds rows to a table that version 0.1.0 does not know
-- compatible: all_trades.trades_change_by_insert: it adds rows to a table that version 0.1.0 does not know
-- compatible: trades.trades_change: it adds rows to a table that version 0.1.0 does not know
-- compatible: trades.trades_change_by_insert: it adds rows to a table that version 0.1.0 does not know
-- compatible: trades_default.trades_change: it adds rows to a table that version 0.1.0 does not know
-- compatible: trades_default.trades_change_by_insert: it adds rows to a table that version 0.1.0 does not know
-- compatible: refunds.refunds_change: it adds rows to a table that version 0.1.0 does not know
-- compatible: refunds.refunds_change_by_insert: it adds rows to a table that version 0.1.0 does not know
lock table all_trades, refunds in share row exclusive mode;

-- What finished trades and their refunds have changed in trade_sums that is not in it yet. Payments would wait for each
-- other if they changed a sum at once.
create table trade_changes (
  appid text not null,
  -- When the trade was created, ms.
  time bigint not null,
  status smallint not null,
  currency text not null,
  count integer not null,
  amount bigint not null,
  -- By refunds that were not refused, of paid trades.
  refunded bigint not null
);
create index trade_changes_by_app on trade_changes (appid);

-- Sums of finished trades that were created in the `span` ms since `start`: a quarter of an hour, an hour or a day (UTC).
create table trade_sums (
  project_id uuid not null,
  -- Empty for all mini apps of the project.
  appid text not null,
  span integer not null,
  status smallint not null,
  start bigint not null,
  currency text not null,
  count bigint not null,
  amount bigint not null,
  refunded bigint not null,
  primary key (project_id, appid, span, status, start, currency)
);

-- Has a row once trade_sums contains the trades from before trade_changes.
create table trade_progress (
  is_only boolean primary key default true check (is_only)
);
insert into trade_progress select true where not exists (select from all_trades);

-- For each row, since processes of the previous version write to a partition.
create function record_trade_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.transaction_status <> 1 then
    insert into trade_changes (appid, time, status, currency, count, amount, refunded)
    values (old.appid, old.ctime, old.transaction_status, old.currency, -1, -old.amount, 0);
  end if;
  if new.transaction_status <> 1 then
    insert into trade_changes (appid, time, status, currency, count, amount, refunded)
    values (new.appid, new.ctime, new.transaction_status, new.currency, 1, new.amount, 0);
  end if;
  return null;
end
$$;
create trigger trades_change_by_insert after insert on all_trades
  for each row when (new.transaction_status <> 1) execute function record_trade_change();
create trigger trades_change after update of transaction_status on all_trades
  for each row when (old.transaction_status <> new.transaction_status) execute function record_trade_change();

create function record_refund_change() returns trigger language plpgsql as $$
declare
  change bigint := case when new.state = 'refused' then 0 else new.amount end;
begin
  if tg_op = 'UPDATE' and old.state <> 'refused' then
    change := change - old.amount;
  end if;
  if change <> 0 then
    -- A trade that is archived is not in the sums.
    insert into trade_changes (appid, time, status, currency, count, amount, refunded)
    select appid, ctime, transaction_status, currency, 0, 0, change from all_trades
    where appid = new.appid and trade_no = new.trade_no and transaction_status = 2;
  end if;
  return null;
end
$$;
create trigger refunds_change_by_insert after insert on refunds
  for each row when (new.initiator = 'operator') execute function record_refund_change();
create trigger refunds_change after update of state on refunds
  for each row when (new.initiator = 'operator') execute function record_refund_change();
