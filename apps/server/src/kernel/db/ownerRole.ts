import { quoteLiteral } from './identifiers.ts'

/** The id of the superuser that `initdb` creates. PostgreSQL refuses to make it an ordinary role. */
const superuserId = 10

/**
 * Returns the statements that create the role of the server in a new cluster, and its database. It owns that and can do
 * nothing else; the superuser has no password, so that no connection can be its (ADR 9).
 */
export function createOwner(password: string): string[] {
  return [
    'alter role postgres password null',
    `create role souk login password ${quoteLiteral(password)}`,
    'create database souk owner souk',
  ]
}

/**
 * Returns the statement that makes `souk` an ordinary role in a cluster of a version that ran its server as superuser.
 * The superuser becomes `postgres`, without a password, and all objects go to a new `souk`. Can be repeated.
 */
export function demoteOwner(password: string): string {
  const isOwn = (owner: string) => `${owner} = ${superuserId} and nspname !~ '^pg_' and nspname <> 'information_schema'`
  // SQL: the names of columns are those below.
  return `
    do $do$
    declare statement text;
    begin
      if exists (select from pg_roles where oid = ${superuserId} and rolname = 'souk') then
        create role souk_renaming superuser;
        set session authorization souk_renaming;
        alter role souk rename to postgres;
        set session authorization postgres;
        drop role souk_renaming;
        alter role postgres password null;
        create role souk login password ${quoteLiteral(password)};
      end if;
      alter database souk owner to souk;
      for statement in
        select format('alter schema %I owner to souk', nspname) from pg_namespace where ${isOwn('nspowner')}
        union all
        select format('alter table %I.%I owner to souk', nspname, relname)
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where ${isOwn('relowner')} and relkind in ('r', 'p', 'v', 'm')
        union all
        select format('alter sequence %I.%I owner to souk', nspname, relname)
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where ${isOwn('relowner')} and relkind = 'S' and not exists (
          select from pg_depend
          where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
            and refclassid = 'pg_class'::regclass)
        union all
        select format('alter routine %s owner to souk', pg_proc.oid::regprocedure)
        from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where ${isOwn('proowner')}
        union all
        select format('alter type %I.%I owner to souk', nspname, typname)
        from pg_type join pg_namespace on pg_namespace.oid = typnamespace
        where ${isOwn('typowner')} and (typtype in ('d', 'e', 'r')
          or typtype = 'c' and exists (select from pg_class where oid = typrelid and relkind = 'c'))
      loop
        execute statement;
      end loop;
    end $do$`
}
