-- Builds of mini apps, and who gets them. Times are milliseconds of the domain clock.

create table releases (
  -- Chance, not time: whoever knows the address of a release can read its files.
  release_id uuid primary key,
  appid text not null references apps,
  platform text not null check (platform in ('H5', 'App', 'Mini App')),
  version text not null,
  note text,
  stage text not null check (stage in ('development', 'review', 'published')),
  -- Of the published ones of its platform, the one that users get.
  current boolean not null default false check (not current or stage = 'published'),
  -- The paths of its pages, as souk-app.json lists them.
  pages text[] not null,
  -- Digests of the scripts within index.html, as its content security policy names them.
  inline_scripts text[] not null,
  files integer not null,
  size bigint not null,
  -- Null where the admin token uploaded it.
  uploaded_by uuid references accounts,
  ctime bigint not null,
  -- When it last became the current one.
  published_time bigint
);
create index releases_by_app on releases (appid, ctime);
create unique index releases_current on releases (appid, platform) where current;

-- Files by content, so that releases share what is equal. content is gzip where gzipped.
create table release_contents (
  content_hash bytea primary key,
  gzipped boolean not null,
  content bytea not null
);

create table release_files (
  release_id uuid not null references releases,
  path text not null,
  content_hash bytea not null references release_contents,
  primary key (release_id, path)
);
create index release_files_by_content on release_files (content_hash);

create table app_testers (
  appid text not null references apps,
  uid bigint not null references users,
  primary key (appid, uid)
);
create index app_testers_by_user on app_testers (uid);
