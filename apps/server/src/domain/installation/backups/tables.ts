import { SoukError } from '@souk/contract'
import type { AppliedMigration } from '../../../kernel/db/baseline.ts'
import { quoteIdentifier, quoteIdentifiers } from '../../../kernel/db/identifiers.ts'
import { createTable } from '../../../kernel/db/partitions.ts'
import type { Session } from '../../../kernel/db/session.ts'
import type { Figures, Table } from './format.ts'

/** The job queue of graphile-worker, whose tables have their own versions. Jobs that failed for good are left out. */
const jobColumns = ['name', 'payload', 'queue', 'run_at', 'max_attempts', 'key', 'priority', 'flags']
const jobTypes =
  'name text, payload json, queue text, run_at timestamptz, max_attempts int, key text, priority int, flags text[]'
const selectJobs = `
  select task.identifier, job.payload, queue.queue_name, job.run_at, job.max_attempts, job.key, job.priority,
    array(select jsonb_object_keys(job.flags))
  from graphile_worker._private_jobs job
  join graphile_worker._private_tasks task on task.id = job.task_id
  left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
  where job.attempts < job.max_attempts
  order by job.id`

/** Locks the schema against changes and fixes the snapshot of the transaction. */
export async function takeSnapshot(session: Session): Promise<Table[]> {
  const expected = await listTables(session)
  await session.run('begin isolation level repeatable read read only')
  // The first query fixes the snapshot, so it comes after the locks.
  const locked = quoteIdentifiers(expected.map(({ name }) => name))
  await session.run(`lock table ${locked}, migrations, graphile_worker._private_jobs in access share mode`)
  const tables = await listTables(session)
  if (JSON.stringify(tables) === JSON.stringify(expected)) return tables
  throw new Error('The database was migrated meanwhile. Start the backup again.')
}

/**
 * Returns the tables of Souk with their columns. Each comes after those that it references.
 * @throws SoukError `copy_circular_references` if tables reference each other in a circle
 */
export async function listTables(session: Session): Promise<Table[]> {
  const found = await session.run<Table & { partitions: Partitions | null }>(`
    select relname::text as name, array_agg(attname::text order by attnum) as columns,
      (
        select json_agg(json_build_object('name', child.relname, 'bound', pg_get_expr(child.relpartbound, child.oid))
          order by child.relname)
        from pg_inherits join pg_class child on child.oid = inhrelid
        where inhparent = pg_class.oid and child.relispartition
      ) as partitions
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('migrations', 'inspection_messages')
    group by pg_class.oid order by relname collate "C"`)
  const tables = found.map(({ partitions, ...table }): Table => (partitions ? { ...table, partitions } : table))
  const references = await session.run<{ child: string; parent: string }>(`
    select child.relname::text as child, parent.relname::text as parent
    from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace`)
  const sorted: Table[] = []
  const waiting = new Map(tables.map((table) => [table.name, table]))
  while (waiting.size > 0) {
    const blocked = new Set(references.filter(({ parent }) => waiting.has(parent)).map(({ child }) => child))
    const next = [...waiting.values()].filter(({ name }) => !blocked.has(name))
    if (next.length === 0) {
      const names = [...waiting.keys()].join(', ')
      throw new SoukError(
        'copy_circular_references',
        `${names} reference each other. Drop foreign keys that are not Souk's.`,
      )
    }
    for (const table of next) waiting.delete(table.name)
    sorted.push(...next)
  }
  return sorted
}

/** Returns the migrations of a database, which define its tables. */
export async function listMigrations(session: Session): Promise<AppliedMigration[]> {
  return session.run<AppliedMigration>('select name, checksum from migrations order by name')
}

/** Statements that write and read the rows of a table. Only queries copy the rows of all partitions. */
export const copyTableTo = ({ name, columns }: Table) =>
  `copy (select ${quoteIdentifiers(columns)} from ${quoteIdentifier(name)}) to stdout`
export const copyTableFrom = ({ name, columns }: Table) =>
  `copy ${quoteIdentifier(name)} (${quoteIdentifiers(columns)}) from stdin`
export const copyJobsTo = `copy (${selectJobs}) to stdout`
/** SQL: names in this file. */
export const copyJobsFrom = `copy restored_jobs (${jobColumns.join(', ')}) from stdin`

/** Creates the temporary table for `copyJobsFrom`. It is dropped at the end of the transaction. */
export async function createJobTable(session: Session): Promise<void> {
  await session.run(`create temporary table restored_jobs (${jobTypes}) on commit drop`)
}

/** Adds the restored jobs to the queue. Their attempts start again, and none is locked. */
export async function addJobs(session: Session): Promise<void> {
  await session.run(`
    select graphile_worker.add_job(
      identifier => name, payload => payload, queue_name => queue, run_at => run_at, max_attempts => max_attempts,
      job_key => key, priority => priority, flags => nullif(flags, '{}'))
    from restored_jobs`)
}

/** Switches off triggers, which refuse rows that are already chained, and removes the rows that migrations inserted. */
export async function emptyTables(session: Session, tables: readonly Table[]): Promise<void> {
  await disableTriggers(session, tables)
  await session.run(`truncate ${quoteIdentifiers(tables.map(({ name }) => name))}`)
  for (const { name, partitions = [] } of tables) {
    if (partitions.length === 0) continue
    await replacePartitions(session, name, partitions)
    await disableTriggers(session, partitions)
  }
}

async function disableTriggers(session: Session, tables: readonly { name: string }[]): Promise<void> {
  await session.run(tables.map(({ name }) => `alter table ${quoteIdentifier(name)} disable trigger user;`).join('\n'))
}

type Partitions = NonNullable<Table['partitions']>

/** Creates the partitions of a backup in an empty table. Their bounds depend on the age of the installation. */
async function replacePartitions(session: Session, table: string, wanted: Partitions): Promise<void> {
  const existing = await session.run<{ name: string }>(
    `
    select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = $1::regclass`,
    [quoteIdentifier(table)],
  )
  for (const { name } of existing) {
    await session.run(`alter table ${quoteIdentifier(table)} detach partition ${quoteIdentifier(name)}`)
    if (!wanted.some((it) => it.name === name)) await session.run(`drop table ${quoteIdentifier(name)}`)
  }
  for (const { name, bound } of wanted) {
    if (!partitionBound.test(bound)) throw new Error(`The partition ${name} has the unknown bound ${bound}.`)
    if (!existing.some((it) => it.name === name)) {
      await createTable((statement) => session.run(statement), table, name)
    }
    // SQL: `bound` matches `partitionBound`.
    await session.run(`alter table ${quoteIdentifier(table)} attach partition ${quoteIdentifier(name)} ${bound}`)
  }
}

/** The bound of a partition as PostgreSQL prints it. */
const partitionBound = /^(DEFAULT|FOR VALUES FROM \((MINVALUE|'[0-9a-f-]+')\) TO \('[0-9a-f-]+'\))$/

export async function enableTriggers(session: Session, tables: readonly Table[]): Promise<void> {
  const all = tables.flatMap((table) => [table, ...(table.partitions ?? [])])
  await session.run(all.map(({ name }) => `alter table ${quoteIdentifier(name)} enable trigger user;`).join('\n'))
}

/** Returns the names of the sequences of Souk. */
export async function listSequences(session: Session): Promise<string[]> {
  const rows = await session.run<{ name: string }>(
    `select sequencename::text as name from pg_sequences where schemaname = 'public'`,
  )
  return rows.map(({ name }) => name)
}

export async function setSequences(session: Session, values: Figures['sequences']): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await session.run('select setval(format($1::text, $2::text)::regclass, $3::bigint)', ['public.%I', name, value])
  }
}

/** Returns the figures of the database except the numbers of rows. */
export async function readFigures(session: Session): Promise<Omit<Figures, 'rows'>> {
  const sequences = await session.run<{ name: string; value: string }>(`
    select sequencename::text as name, last_value::text as value
    from pg_sequences where schemaname = 'public' and last_value is not null order by 1`)
  const ledger = await session.run<Figures['ledger'][number]>(`
    select currency, split_part(account, ':', 1) as owner, sum(amount)::text as balance
    from (
      select currency, debit as account, amount from ledger_entries
      union all
      select currency, credit, -amount from ledger_entries
    ) moved
    group by 1, 2 order by 1, 2`)
  const [audit] = await session.run<Figures['audit']>(`
    select
      coalesce((select encode(hash, 'hex') from audit_chain order by position desc limit 1), '') as head,
      count(*) filter (
        where hash is distinct from sha256(convert_to(audit_line(previous, position, entry), 'UTF8')))::int as broken
    from audit_log as entry left join (
      select position, audit_id, hash, lag(hash, 1, decode(repeat('00', 32), 'hex')) over (order by position) as previous
      from audit_chain
    ) as chain using (audit_id)`)
  return { sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])), ledger, audit: audit! }
}

/** Returns number and bytes of the objects that files and releases use. */
export async function readObjects(session: Session): Promise<{ count: number; size: number }> {
  // A database of an older version has none.
  const [table] = await session.run<{ found: boolean }>(
    `select to_regclass('public.stored_objects') is not null as found`,
  )
  if (!table?.found) return { count: 0, size: 0 }
  const [row] = await session.run<{ count: number; size: number }>(`
    select count(*)::float8 as count, coalesce(sum(size), 0)::float8 as size from stored_objects
    where hash in (select object from files) or hash in (select object from release_contents)`)
  return row!
}

/** Counts the rows of the tables and of the job queue. */
export async function countRows(session: Session, tables: readonly Table[]): Promise<Figures['rows']> {
  const rows: Figures['rows'] = {}
  for (const { name } of tables) rows[name] = await count(session, quoteIdentifier(name))
  rows.jobs = await count(session, `(${selectJobs}) as queue`)
  return rows
}

async function count(session: Session, source: string): Promise<number> {
  // SQL: a quoted name, or the query of jobs.
  const [found] = await session.run<{ rows: string }>(`select count(*) as rows from ${source}`)
  return Number(found?.rows)
}
