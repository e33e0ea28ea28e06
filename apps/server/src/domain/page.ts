import { SoukError } from '@souk/contract'

/** `id` is 32 hexadecimal digits, `string` another identifier of Souk's; `text` may be anything that somebody chose. */
type Kinds = readonly ('number' | 'id' | 'string' | 'text')[]
type Values<K extends Kinds> = { [I in keyof K]: K[I] extends 'number' ? number : string }

/**
 * The values of a cursor, in the kinds that the list orders by; all undefined where there is no cursor.
 * @throws SoukError `parameter_invalid` for what no page of this list has given
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
  throw new SoukError('parameter_invalid', 'cursor must be next of a page of this list.', {
    data: { parameters: ['cursor'] },
  })
}

/** A page of `limit` items from `limit + 1` that were looked for; `keyOf` is what the list is ordered by. */
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

/** What the database could not take never comes as far as there. */
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
