-- Settings of the installation that administrators change while it runs: one row.
create table platform_settings (
  is_only boolean primary key default true check (is_only),
  -- Origins of web pages that may call /host/v1.
  allowed_origins text[] not null default '{}'
);
insert into platform_settings default values;
