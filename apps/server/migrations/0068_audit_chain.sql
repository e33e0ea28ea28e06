-- The audit log is append-only, and each row is chained to the one committed before it (ADR 287).
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create table audit_chain (
  position bigint primary key,
  audit_id bigint not null unique references audit_log,
  -- SHA-256 of audit_line.
  hash bytea not null
);
create trigger append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();

-- Returns a row as a line of the export, without its hash. Contains all columns of audit_log.
create function audit_line(previous bytea, chain_position bigint, entry audit_log) returns text language sql stable as $$
  select row_to_json(line)::text
  from (
    select
      encode(previous, 'hex') as "previous", chain_position as "position", entry.audit_id as "auditId", entry.time,
      entry.actor, replace(entry.account_id::text, '-', '') as "accountId", entry.address, entry.action, entry.subject,
      replace(entry.project_id::text, '-', '') as "projectId", entry.detail
  ) as line
$$;

-- Appends a row to the chain. The lock makes the chain follow the order of the commits.
create function append_to_audit_chain(entry audit_log) returns void language plpgsql as $$
declare
  head audit_chain;
  next_position bigint;
  previous bytea;
begin
  perform pg_advisory_xact_lock(hashtext('audit_chain'));
  select * into head from audit_chain order by position desc limit 1;
  next_position := coalesce(head.position, 0) + 1;
  previous := coalesce(head.hash, decode(repeat('00', 32), 'hex'));
  insert into audit_chain (position, audit_id, hash)
  values (next_position, entry.audit_id, sha256(convert_to(audit_line(previous, next_position, entry), 'UTF8')));
end
$$;

create function append_new_audit_row() returns trigger language plpgsql as $$
begin
  perform append_to_audit_chain(new);
  return null;
end
$$;

do $$
declare
  entry audit_log;
begin
  for entry in select * from audit_log order by audit_id loop
    perform append_to_audit_chain(entry);
  end loop;
end
$$;

-- Deferred to the commit, so that the lock is held only while the transaction commits.
create constraint trigger append_to_chain after insert on audit_log deferrable initially deferred
  for each row execute function append_new_audit_row();
