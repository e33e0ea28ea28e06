-- The request log is partitioned by day (UTC), so that old entries are dropped instead of deleted (ADR 313).
alter table request_log validate constraint request_log_bound;

alter table request_log rename to request_log_first;
alter index request_log_by_age rename to request_log_first_by_age;
alter index request_log_by_app rename to request_log_first_by_app;
alter index request_log_by_code rename to request_log_first_by_code;
alter index request_log_by_id rename to request_log_first_by_id;
alter index request_log_by_operation rename to request_log_first_by_operation;
alter index request_log_failed rename to request_log_first_failed;

-- PostgreSQL 15 and 18 treat identity columns of partitions differently.
create sequence request_log_numbers;
select setval('request_log_numbers', nextval(pg_get_serial_sequence('request_log_first', 'request_no')));
alter table request_log_first alter request_no drop identity;

create table request_log (
  request_no bigint not null default nextval('request_log_numbers'),
  request_id text not null,
  time bigint not null,
  appid text,
  operation text not null,
  status smallint not null,
  code text,
  reason text,
  duration real not null,
  diagnosis jsonb
) partition by range (time);
alter sequence request_log_numbers owned by request_log.request_no;
create index request_log_by_age on request_log (time);
create index request_log_by_app on request_log (appid, time, request_no);
create index request_log_by_code on request_log (appid, code, time, request_no) where code is not null;
create index request_log_by_id on request_log (request_id);
create index request_log_by_operation on request_log (appid, operation, time, request_no);
create index request_log_failed on request_log (appid, time, request_no) where code is not null;

do $$ begin
  execute format(
    'alter table request_log attach partition request_log_first for values from (minvalue) to (%s)',
    (extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '2 days') * 1000)::bigint);
end $$;
alter table request_log_first drop constraint request_log_bound;

-- Receives entries if no partition was created in time.
create table request_log_default partition of request_log default;
