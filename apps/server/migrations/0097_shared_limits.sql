-- Requests of all server processes per key, in the window that began at start (real time, ms). Unlogged, so that
-- counting neither waits for a disk nor for a standby; a crash of the database starts all windows again.
create unlogged table limit_counts (
  key text primary key,
  start bigint not null,
  count bigint not null
);

-- The first operation of a sign whose parameters would be valid for another one too, by the first 64 bits of the sign.
-- time is real time, ms.
create table bound_signs (
  sign bigint primary key,
  operation text not null,
  time bigint not null
);
create index bound_signs_by_age on bound_signs using brin (time);
