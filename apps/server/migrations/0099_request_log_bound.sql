-- The request log becomes the first partition of a partitioned table. The next migration checks this constraint without
-- blocking writes, so that attaching the partition does not scan it.
do $$ begin
  execute format(
    'alter table request_log add constraint request_log_bound check ("time" < %s) not valid',
    (extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '2 days') * 1000)::bigint);
end $$;
