import { SoukError } from '@souk/contract'

/**
 * Types of cursor values: `id` is 32 hexadecimal digits, `string` another identifier of Souk, `text` any user input.
 */
type Kinds = readonly ('number' | 'id' | 'string' | 'text')[]
type Values<K extends Kinds> = { [I in keyof K]: K[I] extends 'number' ? number : string }

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

/** Rejects values that PostgreSQL could not parse. */
const forms = { id: /^[0-9a-f]{32}$/, string: /^[0-9a-z]{1,32}$/, text: /^[^\0]{0,256}$/su }

function fitsKind(kind: Kinds[number], value: unknown): boolean {
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
