import { randomBytes } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A number as providers give them: the prefix, then `length` lowercase letters and digits. */
export function newNumber(prefix: string, length = 26): string {
  return prefix + [...randomBytes(length)].map((byte) => digits[byte % digits.length]).join('')
}
