-- Callbacks and their attempts will be partitioned by month. The next migration checks these constraints without
-- blocking writes, so that attaching the tables does not scan them (ADR 313).
lock table callbacks, callback_attempts in access exclusive mode;
-- Attempts are written under a lock of their callback, and leave the database together with it.
alter table callback_attempts drop constraint callback_attempts_appid_notify_id_fkey;
do $$ declare
  time bigint := extract(epoch from date_trunc('month', now() at time zone 'UTC') + interval '2 months') * 1000;
  bound text := rpad(lpad(to_hex(time), 12, '0'), 32, '0');
begin
  execute format('alter table callbacks add constraint callbacks_bound check (notify_id < %L) not valid', bound);
  execute format(
    'alter table callback_attempts add constraint callback_attempts_bound check (notify_id < %L) not valid', bound);
end $$;
