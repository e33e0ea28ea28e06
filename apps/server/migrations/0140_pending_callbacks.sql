-- Claims must use callbacks_by_receiver. With statistics from a time without pending callbacks, the planner preferred
-- one of these indexes, and each claim read all pending callbacks.
drop index callbacks_due;
drop index callbacks_pending;
-- For lists of a mini app's pending callbacks. Only a query that repeats this condition can use it.
create index callbacks_waiting on callbacks (appid, ctime, notify_id)
  where case state when 'pending' then true else false end;
