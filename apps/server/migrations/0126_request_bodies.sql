-- Parameters and response of logged requests, with secrets and personal data masked, and the trade that they concern.
alter table request_log
  -- Object of texts by name.
  add column parameters jsonb,
  -- JSON of the envelope, cut if it is long.
  add column response text,
  add column trade_no uuid;
create index request_log_by_trade on request_log (trade_no, time) where trade_no is not null;
