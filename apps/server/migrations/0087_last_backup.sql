-- The newest backup that was made by souk backup: no row or one row.
create table last_backup (
  is_only boolean primary key default true check (is_only),
  -- Real time of its snapshot, ms.
  time bigint not null,
  -- Bytes of the file.
  size bigint not null
);
