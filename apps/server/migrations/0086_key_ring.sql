-- Master keys of the installation (ADR 297), which themselves are never in the database. The current one is
-- installation.key_id; a key without times is new and waits until all processes have it. Times are real time, ms.
create table master_keys (
  key_id text primary key,
  added_at bigint not null,
  -- When another key became the current one.
  replaced_at bigint,
  -- When it was deleted for ever.
  retired_at bigint
);
insert into master_keys (key_id, added_at)
select key_id, (extract(epoch from now()) * 1000)::bigint from installation;

-- Which keys each running process has, by the database's clock.
create table key_ring_processes (
  process_id uuid primary key,
  host text not null,
  pid integer not null,
  source text not null check (source in ('file', 'environment')),
  key_ids text[] not null,
  current_key_id text not null,
  seen_at timestamptz not null
);

-- Sealed values that the latest re-sealing could not decrypt.
create table unreadable_values (
  -- The context of the value: its table and row.
  context text primary key,
  key_id text not null,
  reason text not null check (reason in ('missingKey', 'damaged')),
  found_at bigint not null
);

-- Whether the admin token of the data directory is accepted.
alter table platform_settings add admin_token_enabled boolean not null default true;
