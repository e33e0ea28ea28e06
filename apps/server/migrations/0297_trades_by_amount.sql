-- Trades of the same amount are in the order of their numbers, so that a page need not sort them.
lock table all_trades in share mode;
create index all_trades_in_order_of_amount on all_trades (appid, amount, trade_no);
