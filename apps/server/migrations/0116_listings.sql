-- How hosts list a mini app, set by operators.
lock table apps, releases in access exclusive mode;

alter table apps
  -- Names by language, where they differ from `name`.
  add column names jsonb not null default '{}',
  add column category text,
  add column keywords text[] not null default '{}',
  add column recommended boolean not null default false;

-- The tabs of a release, which users can find: list of objects with path, title, and titles by language.
alter table releases add column tabs jsonb not null default '[]';
