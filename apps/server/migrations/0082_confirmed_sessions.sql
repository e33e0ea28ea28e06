-- When the account of a session last confirmed its identity, ms of real time; null in sessions from before the upgrade.
alter table account_sessions add column confirmed_at bigint;
