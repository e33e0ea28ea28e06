-- Partitions that were detached and written to files (ADR 313). Rows stay for ever: they say which trades are archived.
create table archives (
  -- Name of the partition.
  partition text primary key,
  table_name text not null,
  -- Real time in ms, as in the keys of the rows: from `from_time` up to, but without, `to_time`.
  from_time bigint not null,
  to_time bigint not null,
  -- Name in the folder of archives.
  file text not null,
  -- Bytes of the file, and its SHA-256.
  size bigint not null,
  sha256 bytea not null,
  rows bigint not null,
  -- Real time, ms.
  archived_at bigint not null,
  -- Set while the partition is attached again.
  restored_at bigint
);
