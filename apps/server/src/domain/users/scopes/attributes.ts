import type { Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import { deleteUnusedAttributes, listClaims, upsertUserAttributes } from './store.ts'

const maxLength = 1024

/**
 * Stores the claims of a user that scopes of the operator name. Claims that are absent or not usable change nothing, as
 * with the profile.
 */
export async function storeAttributes(tx: Tx, uid: number, claims: Readonly<Record<string, unknown>>): Promise<void> {
  const attributes = (await listClaims(tx)).flatMap((claim) => {
    const value = Object.hasOwn(claims, claim) ? textOf(claims[claim]) : undefined
    return value === undefined ? [] : [{ claim, value }]
  })
  if (attributes.length > 0) await upsertUserAttributes(tx, uid, attributes)
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined
  const text = value.trim()
  const isUsable = text !== '' && text.length <= maxLength && !text.includes('\0') && text.isWellFormed()
  return isUsable ? text : undefined
}

/** Job: deletes values that no scope names any more. */
export async function pruneAttributes(context: Context): Promise<void> {
  while (await deleteUnusedAttributes(context.sql));
}
