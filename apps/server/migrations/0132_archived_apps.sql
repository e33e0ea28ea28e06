-- Domain clock, ms. Users and its backend cannot use an archived mini app; payments and callbacks go on (ADR 336).
lock table apps in access exclusive mode;

alter table apps add column archived_time bigint;
