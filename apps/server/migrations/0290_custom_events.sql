-- Events that mini apps declare and report (ADR 416). fields: {"<name>": {"type", "values"}}. An event in the analytics
-- has its fields, and its place in the opening of the mini app that reported it.
lock table apps in share row exclusive mode;
lock table analytics_events, alert_rules in access exclusive mode;
create table custom_events (
  appid text not null references apps (appid) on delete cascade,
  name text not null,
  description text not null,
  fields jsonb not null,
  set_by text not null check (set_by in ('console', 'project')),
  version text,
  mtime bigint not null,
  primary key (appid, name)
);
-- counted_day: the first day that can still get counts, in days since 1970; null before it was counted.
create table funnels (
  funnel_id uuid primary key,
  appid text not null references apps (appid) on delete cascade,
  name text not null,
  steps text[] not null,
  counted_day integer,
  ctime bigint not null
);
create index funnels_by_app on funnels (appid, funnel_id);
alter table analytics_events add column fields jsonb, add column opening uuid, add column place integer;
-- The custom event that a rule watches.
alter table alert_rules add column event text;
