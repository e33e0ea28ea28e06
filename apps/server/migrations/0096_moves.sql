-- Moves of an installation to another database (ADR 309).
alter table installation
  -- Where the data moved, as host:port/database. A database with a value accepts no writes.
  add moved_to text,
  -- Whether this database is the target of a move that is not complete.
  add is_arriving boolean not null default false;

-- For the triggers that a move creates on each table. Writes are refused while a move holds the lock, which ends with
-- its session, and for good once the data has moved.
create function refuse_writes() returns trigger language plpgsql as $$
begin
  if exists (select from public.installation where moved_to is not null)
    or not pg_try_advisory_xact_lock_shared(1397708107, 2) then
    raise exception 'the installation is being moved to another database, or has moved' using errcode = 'SOUKM';
  end if;
  return null;
end
$$;
