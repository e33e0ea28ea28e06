-- Domain clock, ms. The row of a deleted mini app stays for its trades, refunds and ledger entries (ADR 317).
lock table apps in access exclusive mode;

alter table apps add column deleted_time bigint;
