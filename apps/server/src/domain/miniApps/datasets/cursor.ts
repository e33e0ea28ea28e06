import { SoukError } from '@souk/contract'
import type { KeyPart } from './source.ts'

/** Encodes a list and the key of the last item of a page. */
export function writeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

/**
 * Decodes the key of the last item of the previous page. The values are checked against the key types, so that a
 * made-up cursor can at most point to another position in the same list.
 *
 * @throws SoukError `parameter_invalid` if the cursor does not belong to this list
 */
export function readCursor(
  cursor: string | undefined,
  list: string,
  key: readonly Pick<KeyPart, 'type'>[],
): string[] | undefined {
  if (cursor === undefined) return undefined
  const [cursorList, ...values] = parse(cursor)
  const fits =
    cursorList === list && values.length === key.length && key.every(({ type }, index) => forms[type](values[index]!))
  if (fits) return values
  throw new SoukError('parameter_invalid', 'cursor must be the `next` of a page of this list.', {
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
