import { randomBytes } from 'node:crypto'

const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

/** Returns a random ID like those of providers: the prefix and `length` lowercase letters and digits. */
export function newId(prefix: string, length = 26): string {
  return prefix + [...randomBytes(length)].map((byte) => digits[byte % digits.length]).join('')
}
