-- Releases that a part of the users get beside the published one (ADR 321).
lock table accounts, service_accounts, apps, users, releases in access exclusive mode;

create table canaries (
  canary_id uuid primary key,
  release_id uuid not null references releases on delete cascade,
  appid text not null references apps,
  platform text not null,
  state text not null check (state in ('running', 'paused', 'halted', 'rolledBack', 'published')),
  -- Percentage of the users whom `languages` and `systems` select; an empty list selects all.
  share double precision not null check (share between 0 and 100),
  uids bigint[] not null,
  languages text[] not null,
  systems text[] not null,
  -- It halts when its failures exceed those of the published release by this factor.
  factor double precision not null,
  min_openings integer not null,
  halt_reason text,
  -- Incremented when it is resumed after a halt, which starts its figures again.
  run integer not null default 1,
  -- Figures of its last run, kept when it ended.
  figures jsonb,
  -- Both null for the admin token.
  started_by uuid references accounts,
  service_account_id uuid references service_accounts,
  -- Real time, ms.
  ctime bigint not null,
  mtime bigint not null,
  check ((state = 'halted') = (halt_reason is not null)),
  check ((state in ('rolledBack', 'published')) = (figures is not null))
);
create unique index canaries_open on canaries (appid, platform) where state in ('running', 'paused', 'halted');
create index canaries_of_app on canaries (appid, ctime, canary_id);
create index canaries_of_release on canaries (release_id);

-- Openings of the canary, and of the published release while the canary runs, by user.
create table canary_users (
  canary_id uuid not null references canaries on delete cascade,
  run integer not null,
  uid bigint not null references users,
  is_canary boolean not null,
  openings integer not null,
  failed_launches integer not null default 0,
  errors integer not null default 0,
  primary key (canary_id, run, uid, is_canary),
  check (failed_launches <= openings and errors <= openings)
);
create index canary_users_by_uid on canary_users (uid);
