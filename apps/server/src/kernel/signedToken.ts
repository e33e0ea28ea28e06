import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Vault } from './vault.ts'

/** Purpose of a token. It is not valid for another use or bound to another value. */
export interface TokenUse {
  use: string
  /** A value that the token is only valid for but does not contain, such as a user name. */
  boundTo: string
}

/**
 * Returns a token of the form `id.validUntil.signature`, which only this installation can create and which is not
 * stored. It stays valid when the master key changes.
 *
 * @param lifetime in real time, ms
 * @param id without a dot; random by default
 */
export function issueToken(
  { vault, clock }: { vault: Vault; clock: Clock },
  { use, boundTo }: TokenUse,
  lifetime: number,
  id = randomBytes(16).toString('base64url'),
): string {
  const validUntil = String(clock.real() + lifetime)
  return `${id}.${validUntil}.${vault.sign(use, textOf(boundTo, id, validUntil))}`
}

/** Returns the content of a token that `issueToken` has created for this use, or undefined if it is not valid. */
export function readToken(
  { vault, clock }: { vault: Vault; clock: Clock },
  { use, boundTo }: TokenUse,
  token: string,
): { id: string; validUntil: number } | undefined {
  const [id = '', validUntil = '', signature] = token.split('.')
  if (!vault.isSigned(use, textOf(boundTo, id, validUntil), signature)) return undefined
  return Number(validUntil) > clock.real() ? { id, validUntil: Number(validUntil) } : undefined
}

function textOf(boundTo: string, id: string, validUntil: string): string {
  return `${boundTo} ${id} ${validUntil}`
}
