-- Recordings of testers' sessions that ended with a JavaScript error (ADR 426). content: the file, gzipped; size: its
-- bytes uncompressed. The fingerprint groups errors like analytics_errors, which may get its row later, or lose it
-- earlier.
lock table apps, users in share row exclusive mode;
create table error_recordings (
  recording_id uuid primary key,
  appid text not null references apps (appid),
  uid bigint not null references users (uid),
  fingerprint text not null,
  release_id uuid not null,
  opening uuid not null,
  size integer not null,
  content bytea not null,
  ctime bigint not null
);
create unique index error_recordings_by_opening on error_recordings (appid, opening);
create index error_recordings_by_user on error_recordings (uid, recording_id);
create index error_recordings_by_time on error_recordings (ctime);
