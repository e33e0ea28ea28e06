import { randomInt } from 'node:crypto'
import { openOperations, SoukError } from '@souk/contract'

/** Binds a sign to the first operation that it is used for. @throws SoukError `sign_reused` */
export type BindSign = (sign: string, operation: string) => void

/** In 5 MB. After 150,000 later signs, five minutes at the default rate limit, one in eight is forgotten. */
const slots = 2 ** 20

/**
 * Creates the memory of used signs of this process, so that a captured Query trade cannot be sent again as Close trade,
 * which has the same parameters (ADR 282). Repeating the same operation is allowed.
 *
 * Each sign has one slot, where a later one replaces it. This takes a fifth of the time of a map, and does not keep the
 * request in memory that the sign is a slice of. Random factors choose the slot, so that another mini app cannot
 * compute signs that replace a given one.
 */
export function createSignMemory(): BindSign {
  const names = ['', ...Object.keys(openOperations)]
  const ends = new Uint32Array(slots)
  const operations = new Uint8Array(slots)
  const [factor, otherFactor] = [randomInt(2 ** 31) * 2 + 1, randomInt(2 ** 31) * 2 + 1]
  return (sign, operation) => {
    const start = Number.parseInt(sign.slice(0, 8), 16)
    const end = Number.parseInt(sign.slice(8, 16), 16)
    const slot = (Math.imul(start, factor) + Math.imul(end, otherFactor)) >>> 12
    const first = ends[slot] === end ? names[operations[slot]!]! : ''
    if (first === operation) return
    if (first === '') {
      ends[slot] = end
      operations[slot] = names.indexOf(operation)
      return
    }
    throw new SoukError(
      'sign_reused',
      `It was used for ${first}. Sign each request with its own timestamp in milliseconds.`,
    )
  }
}
