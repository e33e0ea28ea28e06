-- What happens in mini apps (ADR 324). Users are pseudonyms.
-- As reported by hosts, kept for days. Times are ms of real time.
create table analytics_events (
  time bigint not null,
  appid text not null,
  release_id uuid not null,
  user_id uuid not null,
  kind text not null,
  -- Path of a page, fingerprint of an error, request that failed, reason of a failed launch.
  name text not null,
  -- Launch time in ms.
  value integer
) partition by range (time);
create index analytics_events_by_app on analytics_events (appid, time);
create index analytics_events_by_age on analytics_events (time);
create table analytics_events_default partition of analytics_events default;

-- Events per hour and per day (UTC), counted from the events.
create table analytics_counts (
  appid text not null references apps on delete cascade,
  span text not null check (span in ('hour', 'day')),
  kind text not null,
  -- Start of the hour or day, ms.
  start bigint not null,
  release_id uuid not null,
  -- As in analytics_events; for launches the number of the bucket of launch times. Empty above the limit of names.
  name text not null,
  count bigint not null,
  primary key (appid, span, kind, start, release_id, name)
);
create index analytics_counts_by_age on analytics_counts (span, start);

-- Days are days since 1970 (UTC).
create table analytics_users (
  appid text not null references apps on delete cascade,
  user_id uuid not null,
  first_day integer not null,
  last_day integer not null,
  primary key (appid, user_id)
);
create index analytics_users_by_age on analytics_users (last_day);

create table analytics_user_days (
  appid text not null references apps on delete cascade,
  day integer not null,
  user_id uuid not null,
  -- Events of the day, which are limited.
  events integer not null,
  primary key (appid, day, user_id)
);
create index analytics_user_days_by_age on analytics_user_days (day);

create table analytics_days (
  appid text not null references apps on delete cascade,
  day integer not null,
  users integer not null,
  new_users integer not null,
  -- Users of the 7 and the 30 days that end with it.
  week_users integer not null,
  month_users integer not null,
  primary key (appid, day)
);

-- Users whose first week is `week` that came back `age` weeks later. Weeks start on Monday; 0 is that of 1970-01-01.
create table analytics_cohorts (
  appid text not null references apps on delete cascade,
  week integer not null,
  age integer not null,
  users integer not null,
  primary key (appid, week, age)
);

-- One row per group of alike errors, with its newest occurrence.
create table analytics_errors (
  appid text not null references apps on delete cascade,
  fingerprint text not null,
  message text not null,
  stack text not null,
  page text not null,
  release_id uuid not null,
  first_time bigint not null,
  last_time bigint not null,
  primary key (appid, fingerprint)
);

-- Start of the first hour whose events may not be counted yet.
create table analytics_progress (
  singleton boolean primary key default true check (singleton),
  counted_to bigint not null
);
insert into analytics_progress (counted_to) values (0);
