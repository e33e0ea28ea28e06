import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'

/** Returns 32 random hex characters. Node 18 has no global `crypto`, and browsers have no `node:crypto`. */
export function randomId(): string {
  return bytesToHex(randomBytes(16))
}
