-- all_trades_in_order_of_amount serves what this index did. Removing it only takes a moment, but a stronger lock.
lock table all_trades in access exclusive mode;
drop index all_trades_by_amount;
