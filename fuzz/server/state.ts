import type { Sql } from '../../apps/server/src/kernel/db/pool.ts'

/** Tables that are written to although requests fail. */
const writtenByFailures = [
  'public.request_log',
  'public.sign_in_failures',
  // Failed sign-ins are audited.
  'public.audit_log',
  'public.audit_chain',
  // A sign is bound to its operation before that fails.
  'public.bound_signs',
  // These contain when they were last used.
  'public.account_sessions',
  'public.api_keys',
  // The server writes it every few seconds.
  'public.key_ring_processes',
]

/** The state of the server's database, to which it can be restored. */
export interface State {
  /** Restores all tables. Nothing else may use the database during this. */
  restore(): Promise<void>
  /** Returns the names of tables that differ from the stored state, apart from those that failures may write to. */
  listChangedTables(): Promise<string[]>
}

/** Stores the state of a database in a separate schema. */
export async function storeState(sql: Sql): Promise<State> {
  const rows = await sql<{ name: string; copy: string; columns: string }[]>`
    select format('%I.%I', table_schema, table_name) as name, format('fuzz.%I', table_schema || '_' || table_name) as copy,
      string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE' and table_name <> 'migrations'
      and is_generated = 'NEVER'
      and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
    group by 1, 2 order by 1`
  await sql`create schema fuzz`
  for (const { name, copy, columns } of rows) {
    await sql.unsafe(`create table ${copy} as select ${columns} from ${name}`)
  }

  // Without its triggers and foreign keys, so that tables can be restored in any order.
  const restoring = [
    'set local session_replication_role = replica',
    ...rows.map(
      ({ name, copy, columns }) =>
        `delete from ${name}; insert into ${name} (${columns}) overriding system value table ${copy}`,
    ),
  ].join(';')
  await sql.unsafe(`create procedure fuzz.restore() language plpgsql as $$ begin ${restoring}; end $$`)

  const compared = rows.filter(({ name }) => !writtenByFailures.includes(name))
  const differences = compared
    .map(
      ({ name, copy, columns }) => `select '${name}' as name where exists (
        (select row(${columns})::text from ${name} except all select row(${columns})::text from ${copy}) union all
        (select row(${columns})::text from ${copy} except all select row(${columns})::text from ${name}))`,
    )
    .join(' union all ')

  return {
    async restore() {
      // Servers forget what they know about mini apps, and the clock of the sandbox.
      await sql`select pg_notify('souk_app', appid) from apps`
      await sql`call fuzz.restore()`
      await sql`select pg_notify('souk_app', appid) from apps`
      await sql`select pg_notify('souk_clock', '0')`
    },
    async listChangedTables() {
      const changed = await sql.unsafe<{ name: string }[]>(differences)
      return changed.map(({ name }) => name)
    },
  }
}
