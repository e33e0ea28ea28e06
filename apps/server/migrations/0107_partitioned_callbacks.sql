-- Callbacks and their attempts are partitioned by the month (UTC) in the callback's number, a UUID v7 (ADR 313). The
-- existing tables become the first partitions.
--
-- The strongest lock comes first: a statement that holds a weaker one, and waits to write, would deadlock.
lock table callbacks, callback_attempts in access exclusive mode;

alter table callbacks rename to callbacks_first;
alter table callbacks_first rename constraint callbacks_pkey to callbacks_first_pkey;
alter table callbacks_first rename constraint callbacks_appid_trade_no_key to callbacks_first_appid_trade_no_key;
alter index callbacks_by_notify_id rename to callbacks_first_by_notify_id;
alter index callbacks_by_receiver rename to callbacks_first_by_receiver;
alter index callbacks_by_time rename to callbacks_first_by_time;
alter index callbacks_by_trouble rename to callbacks_first_by_trouble;
alter index callbacks_dead rename to callbacks_first_dead;
alter index callbacks_due rename to callbacks_first_due;
alter index callbacks_pending rename to callbacks_first_pending;
alter table callback_attempts rename to callback_attempts_first;
alter table callback_attempts_first rename constraint callback_attempts_pkey to callback_attempts_first_pkey;

create table callbacks (
  appid text not null,
  notify_id uuid not null,
  trade_no uuid not null,
  notify_url text not null,
  fields jsonb not null,
  state text not null constraint callbacks_state_check check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  scheduled_attempts integer not null default 0,
  next_attempt bigint,
  ctime bigint not null,
  mtime bigint not null,
  traceparent text,
  primary key (appid, notify_id)
) partition by range (notify_id);
create index callbacks_by_notify_id on callbacks (notify_id);
create index callbacks_by_receiver on callbacks (
  coalesce(lower(substring(notify_url from '//([^/?#]*)')), ''), least(scheduled_attempts, 1), next_attempt
) where state = 'pending';
create index callbacks_by_time on callbacks (appid, ctime, notify_id);
create index callbacks_by_trouble on callbacks (
  appid, (case when state = 'dead' then 2 when state = 'pending' and attempts > 0 then 1 else 0 end), ctime, notify_id
);
create index callbacks_dead on callbacks (notify_id) where state = 'dead';
create index callbacks_due on callbacks (next_attempt) where state = 'pending';
create index callbacks_pending on callbacks (appid, ctime, notify_id) where state = 'pending';

create table callback_attempts (
  appid text not null,
  notify_id uuid not null,
  attempt integer not null,
  via text not null constraint callback_attempts_via_check check (via in ('notifyUrl', 'listen')),
  time bigint not null,
  duration integer not null,
  acknowledged boolean not null,
  status smallint,
  reply text,
  error text,
  primary key (appid, notify_id, attempt)
) partition by range (notify_id);

do $$ declare bound text;
begin
  select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]+)''') into strict bound
  from pg_constraint where conname = 'callbacks_bound' and connamespace = 'public'::regnamespace;
  execute format('alter table callbacks attach partition callbacks_first for values from (minvalue) to (%L)', bound);
  execute format(
    'alter table callback_attempts attach partition callback_attempts_first for values from (minvalue) to (%L)', bound);
end $$;
alter table callbacks_first drop constraint callbacks_bound;
alter table callback_attempts_first drop constraint callback_attempts_bound;

-- Receive rows if no partition was created in time. A trade has one callback: each partition has this constraint, which
-- cannot cover several.
create table callbacks_default partition of callbacks (unique (appid, trade_no)) default;
create table callback_attempts_default partition of callback_attempts default;

-- Returns the month (UTC) in a UUID v7, which starts with 12 digits of time in ms.
create function month_of(id uuid) returns timestamp language sql immutable as $$
  select date_trunc('month', to_timestamp(
    ('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 1000.0) at time zone 'UTC')
$$;

-- Refuses a second callback of a trade from another month. The caller has locked the trade.
create function refuse_second_callback() returns trigger language plpgsql as $$
begin
  if month_of(new.trade_no) <> month_of(new.notify_id) and exists (
    select from callbacks where appid = new.appid and trade_no = new.trade_no
      and notify_id >= rpad(left(replace(new.trade_no::text, '-', ''), 12), 32, '0')::uuid)
  then
    raise exception 'trade % already has a callback', new.trade_no using errcode = 'unique_violation';
  end if;
  return new;
end
$$;

-- compatible: callbacks.refuse_second_callback: version 0.1.0 has the constraint callbacks_appid_trade_no_key instead
create trigger refuse_second_callback before insert on callbacks for each row execute function refuse_second_callback();
