-- Which pools of workers are alive, by the database's clock. What a pool that fell silent has locked is set free (ADR 21).
create table worker_heartbeats (
  pool_id text primary key,
  beat_at timestamptz not null
);

-- The latest period of each recurring job that some server took for itself (ADR 21).
create table worker_periods (
  name text primary key,
  began_at timestamptz not null
);
