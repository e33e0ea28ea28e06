-- Functions of the application around mini apps that the operator declares, the mini apps that may call them, and the
-- functions that a release asks for. question: {"en", "zh-Hans", "ar"} or null, examples: [{"input", "result"}],
-- failures: [{"reason", "description"}].
lock table releases, apps in access exclusive mode;
create table host_functions (
  name text primary key,
  input jsonb not null,
  result jsonb not null,
  question jsonb,
  examples jsonb not null,
  failures jsonb not null,
  ctime bigint not null
);
create table host_function_grants (
  appid text not null references apps (appid),
  name text not null references host_functions (name) on delete cascade,
  ctime bigint not null,
  primary key (appid, name)
);
create index host_function_grants_by_function on host_function_grants (name);
alter table releases add column host_functions text[] not null default '{}';
