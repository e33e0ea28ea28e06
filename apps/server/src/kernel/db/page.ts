import { type Currency, maxTotal, type PageTotal, SoukError, searchedRows } from '@souk/contract'
import type { Part, Rows, Sql } from './pool.ts'

/**
 * Types of cursor values: `number` is an integer, `fraction` any number, `id` is 32 hexadecimal digits, `string`
 * another identifier of Souk, `text` any user input.
 */
type Kinds = readonly ('number' | 'fraction' | 'id' | 'string' | 'text')[]
type Values<K extends Kinds> = { [I in keyof K]: K[I] extends 'number' | 'fraction' ? number : string }

/**
 * Parses a cursor into the values that the list is ordered by. Without a cursor all are undefined.
 * @throws SoukError `parameter_invalid` if the cursor does not belong to this list
 */
export function readCursor<const K extends Kinds>(
  cursor: string | undefined,
  kinds: K,
): Values<K> | { [I in keyof K]: undefined } {
  if (cursor === undefined) return kinds.map(() => undefined) as { [I in keyof K]: undefined }
  const values = parse(cursor)
  const fits =
    Array.isArray(values) &&
    values.length === kinds.length &&
    kinds.every((kind, index) => fitsKind(kind, values[index]))
  if (fits) return values as Values<K>
  throw new SoukError('parameter_invalid', 'cursor must be the `next` of a page of this list.', {
    data: { parameters: ['cursor'] },
  })
}

/**
 * Builds a page of `limit` items from a query for `limit + 1` rows. `keyOf` returns the values the list is ordered by.
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  keyOf: (item: T) => readonly (string | number)[],
): { items: T[]; next: string | null } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const next = found.length > limit && last !== undefined ? JSON.stringify(keyOf(last)) : null
  return { items, next: next && Buffer.from(next).toString('base64url') }
}

/**
 * Counts the rows of a list, if `wanted`, and sums up their `amount` by `currency`. Reads at most one row more than it
 * counts, so that the total of a long list costs as much as a long page.
 * @param list returns the list's statement for any `limit` rows
 * @param isSummed condition of the rows whose amounts are summed up
 */
export async function totalOf<T extends object>(
  sql: Sql,
  wanted: boolean | undefined,
  list: (limit: number) => Rows<T>,
  isSummed?: Part,
): Promise<{ total?: PageTotal }> {
  if (!wanted) return {}
  const rows = list(maxTotal + 1)
  if (isSummed === undefined) {
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::integer as count from (${rows}) listed`
    return { total: { count: Math.min(count, maxTotal), isCapped: count > maxTotal } }
  }
  const found = await sql<{ currency: Currency; count: number; amount: number }[]>`
    select currency, count(*)::integer as count, coalesce(sum(amount) filter (where ${isSummed}), 0)::bigint as amount
    from (${rows}) listed
    group by currency order by currency`
  const count = found.reduce((sum, each) => sum + each.count, 0)
  // The sum of some rows would be taken for that of all.
  if (count > maxTotal) return { total: { count: maxTotal, isCapped: true } }
  const amounts = found.filter((each) => each.amount > 0).map(({ currency, amount }) => ({ currency, amount }))
  return { total: { count, isCapped: false, amounts } }
}

/** Reads a page of a list, after the row `before`, with its total if `total` is set. */
export async function readPage<T extends object, Before>(
  sql: Sql,
  { limit = 50, total }: { limit?: number; total?: boolean },
  {
    list,
    before,
    keyOf,
    isSummed,
  }: {
    /** Returns the list's statement. */
    list: (page: { before: Before | undefined; limit: number; isTotal: boolean }) => Rows<T>
    before: Before | undefined
    keyOf: (row: T) => readonly (string | number)[]
    /** See {@link totalOf}. */
    isSummed?: Part
  },
): Promise<{ items: T[]; next: string | null; total?: PageTotal }> {
  const [found, counted] = await Promise.all([
    list({ before, limit: limit + 1, isTotal: false }),
    totalOf(sql, total, (most) => list({ before: undefined, limit: most, isTotal: true }), isSummed),
  ])
  return { ...pageOf<T>(found, limit, keyOf), ...counted }
}

/** Returns the direction of a sort, and the comparison of a row with those that follow it. */
export function directionOf(sql: Sql, sort: string): { direction: Part; follows: Part } {
  return sort.startsWith('-') ? { direction: sql`desc`, follows: sql`<` } : { direction: sql`asc`, follows: sql`>` }
}

/**
 * Selects the lists that a page of merged lists can have rows of: the `limit` ones whose first rows come first. So a
 * page reads one row of each list, and more only of these. Few lists are selected as they are.
 *
 * @param lists all lists, as an item of `from` with the alias `list`
 * @param count their number
 * @param first selects the first row of `list`
 * @param order of first rows, which have the alias `head`
 */
export function listsOfPage(
  sql: Sql,
  { lists, count, first, order, limit }: { lists: Part; count: number; first: Part; order: Part; limit: number },
) {
  if (count <= limit) return lists
  return sql`(select list.* from ${lists} cross join lateral (${first}) head order by ${order} limit ${limit}) as list`
}

/**
 * Returns the order of merged lists, without that of a total: in order, the database would read all lists before it
 * returns the first row.
 */
export function mergedOrder(sql: Sql, isTotal: boolean, order: Part): Part {
  return isTotal ? sql`` : sql`order by ${order}`
}

/** Returns the number of newest rows of each of `lists` lists that a text search reads. */
export function scannedRows(lists: number): number {
  return Math.ceil(searchedRows / Math.max(lists, 1))
}

/** Returns the condition that one of some values, which are selected as text, contains `text` in any case. */
export function containsText(sql: Sql, text: string, values: Part) {
  return sql`position(${text.toLowerCase()} in lower(concat_ws(E'\\n', ${values}))) > 0`
}

/** Returns a pattern of `like` for texts that begin with `text`. */
export function prefixPattern(text: string): string {
  return `${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Rejects values that PostgreSQL could not parse. */
const forms = { id: /^[0-9a-f]{32}$/, string: /^[0-9a-z]{1,32}$/, text: /^[^\0]{0,256}$/su }

function fitsKind(kind: Kinds[number], value: unknown): boolean {
  if (kind === 'fraction') return typeof value === 'number' && Number.isFinite(value)
  if (kind === 'number') return Number.isSafeInteger(value)
  return typeof value === 'string' && forms[kind].test(value)
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
