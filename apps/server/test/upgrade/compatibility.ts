import type { Sql } from '../../src/kernel/db/pool.ts'

/** The parts of the schema `public` that a version of Souk relies on. */
export interface Catalog {
  columns: Column[]
  constraints: Constraint[]
  functions: string[]
  triggers: string[]
}

interface Column {
  table: string
  name: string
  type: string
  notNull: boolean
  /** Also for identity and generated columns. */
  hasDefault: boolean
}

interface Constraint {
  table: string
  name: string
  definition: string
  /** Columns that it checks; null for those of an expression. */
  columns: (string | null)[]
}

/** A difference that can make a process of the previous version fail. */
export interface Break {
  /** `table`, `table.column`, `table.constraint`, `table.trigger` or `function`. */
  object: string
  what: 'removed' | 'changed' | 'restricted'
}

export async function readCatalog(sql: Sql): Promise<Catalog> {
  const columns = await sql<Column[]>`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as not_null,
      atthasdef or attidentity <> '' as has_default
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    order by 1, attnum`
  // A unique index restricts writes like a constraint.
  const constraints = await sql<Constraint[]>`
    select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition,
      array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any (conkey) order by attnum)
        as columns
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'public'::regnamespace and contype <> 'n'
    union all
    select relname, indexrelid::regclass::text, pg_get_indexdef(indexrelid),
      array(select (select attname::text from pg_attribute where attrelid = indrelid and attnum = key)
        from unnest(indkey::int[]) as key)
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indisunique
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by 1, 2`
  const functions = await sql<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`
  const triggers = await sql<{ name: string }[]>`
    select relname || '.' || tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal order by 1`
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  return { columns, constraints, functions: names(functions), triggers: names(triggers) }
}

/** Returns what can make a process that was written for the schema `before` fail on `after` (ADR 299). */
export function findBreaks(before: Catalog, after: Catalog): Break[] {
  const tables = new Set(before.columns.map(({ table }) => table))
  const has = (column: { table: string; name: string | null }) =>
    before.columns.some(({ table, name }) => table === column.table && name === column.name)
  return [
    ...missing([...tables], new Set(after.columns.map(({ table }) => table))),
    ...before.columns.flatMap((column) => breaksOfColumn(column, after)),
    ...missing(before.functions, new Set(after.functions)),
    ...after.columns
      .filter((column) => tables.has(column.table) && !has(column) && column.notNull && !column.hasDefault)
      .map(({ table, name }) => restricted(`${table}.${name}`)),
    ...after.constraints
      .filter(({ table, columns }) => columns.some((name) => name === null || has({ table, name })))
      .filter(
        (it) => !before.constraints.some(({ table, name, definition }) => isSame(it, { table, name, definition })),
      )
      .map(({ table, name }) => restricted(`${table}.${name}`)),
    ...after.triggers
      .filter((name) => tables.has(name.split('.')[0]!) && !before.triggers.includes(name))
      .map(restricted),
  ]
}

const restricted = (object: string): Break => ({ object, what: 'restricted' })

function isSame(one: Constraint, other: Omit<Constraint, 'columns'>): boolean {
  return one.table === other.table && one.name === other.name && one.definition === other.definition
}

function missing(before: string[], after: Set<string>): Break[] {
  return before.filter((object) => !after.has(object)).map((object) => ({ object, what: 'removed' }))
}

/** Lists breaking changes of a column. A removed table is reported once, without its columns. */
function breaksOfColumn({ table, name, type, notNull, hasDefault }: Column, after: Catalog): Break[] {
  const ofTable = after.columns.filter((column) => column.table === table)
  if (ofTable.length === 0) return []
  const object = `${table}.${name}`
  const now = ofTable.find((column) => column.name === name)
  if (!now) return [{ object, what: 'removed' }]
  if (now.type !== type) return [{ object, what: 'changed' }]
  const restricts = (now.notNull && !notNull) || (now.notNull && hasDefault && !now.hasDefault)
  return restricts ? [restricted(object)] : []
}

/**
 * Returns a sentence for each break that no comment of a migration allows, and for each comment that allows nothing:
 *
 *     -- unused since 0.3.0: trades.color
 *     -- compatible: trades.trades_status_check: version 0.3.0 writes none of the new states
 *
 * The first is the second step of a removal, and names a released version that no longer uses the object.
 *
 * @param releases versions that have been released
 */
export function findViolations(breaks: Break[], migrations: string[], releases: readonly string[]): string[] {
  const comments = migrations.flatMap((text) => [...text.matchAll(/^-- (unused since|compatible)\b:? ?(.*)$/gm)])
  const allowed = comments.map(([line, kind, rest = '']) => {
    const [first = '', second = ''] = rest.split(': ')
    return kind === 'compatible'
      ? { line, object: first, what: ['changed', 'restricted'], valid: second !== '' }
      : { line, object: second, what: ['removed'], valid: releases.includes(first) }
  })
  const allows = (comment: (typeof allowed)[number], { object, what }: Break) =>
    comment.valid && comment.object === object && comment.what.includes(what)
  return [
    ...breaks
      .filter((each) => !allowed.some((comment) => allows(comment, each)))
      .map(({ object, what }) => `${object} is ${what}, which the previous version may not expect`),
    ...allowed
      .filter((comment) => !breaks.some((each) => allows(comment, each)))
      .map(({ line }) => `"${line}" allows nothing`),
  ]
}

/** Locks of tables, from weak to strong. Those who read wait for the last one only. */
const modes = ['share', 'share row exclusive', 'access exclusive'] as const
type Mode = (typeof modes)[number]
const rank = (mode: Mode | undefined) => (mode === undefined ? -1 : modes.indexOf(mode))

/** Statements with the lock that they take on a table. */
const statements: readonly [pattern: RegExp, Mode][] = [
  [/\bindex\b[^;]*? on\s+(?:only )?(\w+)/g, 'share'],
  [/\b(?:references|create (?:or replace )?trigger\b[^;]*? on)\s+(\w+)/g, 'share row exclusive'],
  [/\b(?:(?:alter|drop) table|drop trigger\b[^;]*? on)\s+(?:only |if exists )*(\w+)/g, 'access exclusive'],
]

/** Returns the strongest lock that the statements of a migration take on each table, and those with `lock table`. */
function locksOf(migration: string): { needed: Map<string, Mode>; first: Map<string, Mode> } {
  // Validating a constraint lets others read and write.
  const code = migration.replaceAll(/--.*|alter table \w+ validate [^;]*/g, '')
  const needed = new Map<string, Mode>()
  for (const [pattern, mode] of statements) {
    for (const [, table] of code.matchAll(pattern)) needed.set(table!, mode)
  }
  const first = new Map<string, Mode>()
  const start = /^\s*(?:lock table [^;]+;\s*)*/.exec(code)![0]
  for (const [, tables, mode] of start.matchAll(/lock table ([\w, ]+) in ([a-z ]+) mode/g)) {
    for (const table of tables!.split(/, */)) first.set(table, mode as Mode)
  }
  return { needed, first }
}

/**
 * Returns the tables of the previous version that a migration locks one after the other, which can deadlock with
 * requests. `lock table` with all of them must come first, with the locks that its statements take.
 *
 * @param tables of the previous version
 */
export function findLateLocks(migration: string, tables: ReadonlySet<string>): string[] {
  const { needed, first } = locksOf(migration)
  const late = [...needed].filter(([table]) => tables.has(table))
  if (late.length < 2) return []
  return late.flatMap(([table, mode]) => (rank(first.get(table)) < rank(mode) ? [table] : [])).sort()
}

/** Returns the tables that a migration locks more strongly than its statements do, so that others wait needlessly. */
export function findStrongLocks(migration: string): string[] {
  const { needed, first } = locksOf(migration)
  // Dropping an index takes the strongest lock, of a table that the statement does not name.
  if (/\bdrop index\b/.test(migration)) return []
  return [...first]
    .flatMap(([table, mode]) => (needed.has(table) && rank(mode) > rank(needed.get(table)) ? [table] : []))
    .sort()
}
