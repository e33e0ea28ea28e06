-- Rules that watch figures of a mini app, and the alerts that they raised (ADR 332). Times are ms of real time.
lock table apps in access exclusive mode;

create table alert_rules (
  rule_id uuid primary key,
  appid text not null references apps on delete cascade,
  metric text not null,
  threshold double precision not null,
  window_minutes integer not null,
  min_count integer not null,
  -- Who gets mail: members with one of these roles, and these accounts if they are members.
  roles text[] not null,
  account_ids uuid[] not null,
  muted_until bigint,
  -- Value of the last check; null without enough data.
  value double precision,
  checked_time bigint,
  -- Last check at which the value was beyond the threshold.
  crossed_time bigint,
  raised boolean not null default false,
  ctime bigint not null,
  mtime bigint not null
);
create index alert_rules_by_app on alert_rules (appid, rule_id);

create table alerts (
  alert_id uuid primary key,
  rule_id uuid not null references alert_rules on delete cascade,
  value double precision not null,
  threshold double precision not null,
  raised_time bigint not null,
  resolved_time bigint
);
create unique index alerts_open on alerts (rule_id) where resolved_time is null;
create index alerts_by_rule on alerts (rule_id, alert_id);
