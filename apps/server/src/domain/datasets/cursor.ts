import { SoukError } from '@souk/contract'
import type { KeyPart } from './source.ts'

/** The list and the place in it after which to go on. */
export function writeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

/**
 * The key of the last item of the page before; undefined without a cursor. Whatever it holds fits the key's types, so that
 * a cursor that somebody made up finds another place of the same list at most.
 *
 * @throws SoukError `parameter_invalid` for what no page of this list can have given
 */
export function readCursor(
  cursor: string | undefined,
  list: string,
  key: readonly Pick<KeyPart, 'type'>[],
): string[] | undefined {
  if (cursor === undefined) return undefined
  const [itsList, ...values] = parse(cursor)
  const fits =
    itsList === list && values.length === key.length && key.every(({ type }, index) => forms[type](values[index]!))
  if (fits) return values
  throw new SoukError('parameter_invalid', 'cursor must be next of a page of this list.', {
    data: { parameters: ['cursor'] },
  })
}

const forms: Record<KeyPart['type'], (value: string) => boolean> = {
  bigint: (value) => /^-?\d{1,16}$/.test(value),
  uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  text: (value) => !value.includes('\0') && value.isWellFormed(),
}

function parse(cursor: string): string[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) && parsed.every((value) => typeof value === 'string') ? parsed : []
  } catch {
    return []
  }
}
