create table notifications (
  appid text not null references apps,
  notification_id uuid not null,
  title text not null,
  text text not null,
  navigate_type text not null,
  url text,
  link text,
  language text not null,
  -- How many openIds were not known under the appid and were passed over.
  skipped integer not null,
  ctime bigint not null,
  primary key (appid, notification_id)
);

create table inbox (
  uid bigint not null references users,
  notification_id uuid not null,
  appid text not null,
  read_at bigint,
  ctime bigint not null,
  primary key (uid, notification_id),
  foreign key (appid, notification_id) references notifications
);
create index inbox_by_age on inbox (uid, ctime, notification_id);

-- The wire has no nonce: within the window a repeated (appid, sign) is the same request. time is real time.
create table notification_requests (
  appid text not null,
  sign bytea not null,
  time bigint not null,
  primary key (appid, sign)
);
create index notification_requests_by_age on notification_requests (time);

create table activities (
  appid text not null references apps,
  activity_id text not null,
  open_id uuid not null,
  uid bigint not null references users,
  color text not null,
  template_id text not null,
  title text not null,
  text text not null,
  icon_url text not null,
  path text,
  language text not null,
  valid_until bigint not null,
  ctime bigint not null,
  mtime bigint not null,
  primary key (appid, activity_id, open_id)
);
create index activities_on_home on activities (uid, valid_until);
create index activities_by_end on activities (valid_until);

create table files (
  file_id uuid primary key,
  appid text not null references apps,
  media_type text not null,
  content bytea not null,
  ctime bigint not null
);

-- One row per open API request; time is real time. Parameters are not kept, except where a sandbox diagnoses a sign.
create table request_log (
  request_no bigint generated always as identity primary key,
  request_id text not null,
  time bigint not null,
  appid text,
  operation text not null,
  status smallint not null,
  code text,
  reason text,
  duration real not null,
  diagnosis jsonb
);
create index request_log_by_app on request_log (appid, request_no);
create index request_log_by_age on request_log (time);
