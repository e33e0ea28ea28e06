import type { Sql } from './pool.ts'

/** What the migrations lead to, as text: committed, so that a review sees it and a test notices when it is out of date. */
export interface SchemaFiles {
  /** SQL that a person reads: every table with its columns, constraints, indexes and triggers, by name, and the functions. */
  schema: string
  /** TypeScript: for each table the row that `select *` gives. */
  rows: string
}

interface Column {
  table: string
  column: string
  type: string
  notNull: boolean
  default: string | null
  identity: string
  firstValue: number | null
}

interface Definition {
  table: string
  definition: string
}

/** The TypeScript type of each column type in use, as `connect` in pool.ts returns it. */
const TYPES: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'double precision': 'number',
  inet: 'string',
  integer: 'number',
  jsonb: 'unknown',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
}

/**
 * Reads the schema `public` of a migrated database from its catalog.
 * @throws Error when it holds a kind of object or a type that this generator has not learnt.
 */
export async function describeSchema(sql: Sql): Promise<SchemaFiles> {
  await refuseUnknown(sql)
  const columns = await sql<Column[]>`
    select
      relname as table, attname as column, format_type(atttypid, atttypmod) as type, attnotnull as "notNull",
      pg_get_expr(adbin, adrelid) as default, attidentity as identity, seqstart as "firstValue"
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_depend on refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
      and classid = 'pg_class'::regclass and deptype = 'i'
    left join pg_sequence on seqrelid = pg_depend.objid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    order by relname collate "C", attnum`
  // A constraint of the kind n repeats what its column says.
  const constraints = await sql<Definition[]>`
    select relname as table, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where connamespace = 'public'::regnamespace and contype <> 'n'
    order by position(contype::text in 'pufcx'), conname collate "C"`
  const indexes = await sql<Definition[]>`
    select tablename as table, indexdef as definition
    from pg_indexes
    where schemaname = 'public' and not exists (
      select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass and contype in ('p', 'u', 'x'))
    order by indexname collate "C"`

  const triggers = await sql<Definition[]>`
    select relname as table, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal
    order by tgname collate "C"`
  const functions = await sql<{ definition: string }[]>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace order by proname collate "C"`

  const tables = Map.groupBy(columns, ({ table }) => table)
  const schema = [...tables].map(([table, columns]) => {
    const own = (definitions: Definition[]) => definitions.filter((it) => it.table === table).map((it) => it.definition)
    const lines = [...columns.map(columnText), ...own(constraints)]
    return [
      `create table ${table} (\n  ${lines.join(',\n  ')}\n);`,
      ...[...own(indexes), ...own(triggers)].map((definition) => `${definition.replace(' ON public.', ' ON ')};`),
    ].join('\n')
  })
  const rows = [...tables].map(([table, columns]) => {
    const fields = columns.map((column) => `  ${column.column}: ${typeOfColumn(column)}`)
    return `/** A row of ${table}. */\nexport interface ${rowName(table)} {\n${fields.join('\n')}\n}`
  })
  return {
    schema: `-- What the migrations lead to. Written by npm run generate; change a migration instead.\n\n${[
      ...functions.map(({ definition }) => `${definition.trim()};`),
      ...schema,
    ].join('\n\n')}\n`,
    rows: `// The tables of schema.sql. Written by npm run generate; change a migration instead.\n\n${rows.join('\n\n')}\n`,
  }
}

function columnText({ column, type, notNull, default: value, identity, firstValue }: Column): string {
  const first = firstValue === null || firstValue === 1 ? '' : ` (start with ${firstValue})`
  return [
    `${column} ${type}`,
    notNull ? 'not null' : '',
    value === null ? '' : `default ${value}`,
    identity && `generated ${identity === 'a' ? 'always' : 'by default'} as identity${first}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function typeOfColumn({ table, column, type, notNull }: Column): string {
  const element = type.replace(/\[\]$/, '')
  const known = TYPES[element]
  if (known === undefined) throw new Error(`${table}.${column}: no TypeScript type is set for ${type} in schema.ts`)
  const full = element === type ? known : `${known}[]`
  return notNull || full === 'unknown' ? full : `${full} | null`
}

/** `login_codes` gives `LoginCodesRow`. */
function rowName(table: string): string {
  return `${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Row`
}

async function refuseUnknown(sql: Sql): Promise<void> {
  const strangers = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i', 'S')
    union all select typname from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')`
  if (strangers.length > 0) {
    throw new Error(`schema.ts has yet to learn to describe ${strangers.map(({ name }) => name).join(', ')}`)
  }
}
