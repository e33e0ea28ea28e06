-- Which messages of a mini app a user wants, and how many each user has received from it on a day. day: days since 1970
-- in UTC. Messages that were sent before have reached all their recipients.
lock table apps, users in share row exclusive mode;
lock table notifications, platform_settings in access exclusive mode;
create table message_levels (
  uid bigint not null references users (uid),
  appid text not null references apps (appid),
  level text not null check (level in ('on', 'silent', 'off')),
  mtime bigint not null,
  primary key (uid, appid)
);
create index message_levels_by_app on message_levels (appid, uid);
create table message_counts (
  uid bigint not null references users (uid),
  appid text not null references apps (appid),
  day integer not null,
  messages integer not null,
  primary key (uid, appid)
);
create index message_counts_by_app on message_counts (appid, uid);
alter table platform_settings add column max_daily_messages integer check (max_daily_messages > 0);
alter table notifications
  add column users_off integer not null default 0,
  add column users_over_limit integer not null default 0;
