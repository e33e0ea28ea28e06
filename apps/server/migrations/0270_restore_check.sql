-- The last check that a backup can be restored, and the time of the newest backup that passed one. Null: none did.
create table last_restore_check (
  is_only boolean primary key default true check (is_only),
  time bigint not null,
  -- Code of the error; null if the check passed.
  failure text,
  backup_time bigint
);
