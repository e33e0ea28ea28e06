import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../../kernel/crypto.ts'

const prefix = 'souk_sa_'

/** Returns a new token: the id of its service account and 256 random bits, and the hash of the latter to store. */
export function newServiceToken(serviceAccountId: string): { token: string; tokenHash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { token: `${prefix}${serviceAccountId}_${secret}`, tokenHash: sha256Hex(secret) }
}

/** Returns whether a credential claims to be of a service account. */
export function isServiceToken(token: string): boolean {
  return token.startsWith(prefix)
}

/** Returns the parts of a token, or undefined if it is malformed. */
export function parseServiceToken(token: string): { serviceAccountId: string; tokenHash: string } | undefined {
  const [, serviceAccountId, secret] = /^souk_sa_([0-9a-f]{32})_([\w-]{43})$/.exec(token) ?? []
  return serviceAccountId && secret ? { serviceAccountId, tokenHash: sha256Hex(secret) } : undefined
}
