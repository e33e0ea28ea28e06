import { type consoleOperations, keyRotationDays, type ResultOf } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import { isApiKey, newApiKey } from '../../kernel/id.ts'
import { audit } from '../audit/index.ts'
import type { AccountCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { lookUpKey } from './lookUpKey.ts'
import { findKey, insertKey, type KeyRow, updateLastUse, upsertKey } from './store.ts'

type Operations = typeof consoleOperations
type State = ResultOf<Operations['getApiKey']>
type Shown = ResultOf<Operations['showApiKey']>

/** How exactly the last use is known, ms: a key in steady use costs one write in this time. */
const USE_PRECISION = 60_000
const DAY = 86_400_000

/** The state of the caller's key. Generates none. */
export async function getApiKey(context: Context, caller: AccountCaller): Promise<State> {
  return stateOf(context, await findKey(context.sql, caller.accountId))
}

/**
 * Show (open-api §3.1): generates the key where there is none and answers it in full, this once. Of calls at the same
 * moment one generates it, and only that one is answered the key.
 */
export async function showApiKey(context: Context, caller: AccountCaller): Promise<Shown> {
  const key = newApiKey(environmentOf(context))
  return context.sql.begin(async (tx) => {
    const generated = await insertKey(tx, storedForm(context, caller, key))
    if (generated) await audit(context, tx, caller, { action: 'apiKey.generate', subject: caller.accountId })
    return { key: generated ? key : null, state: stateOf(context, await findKey(tx, caller.accountId)) }
  })
}

/** Refresh API Key (open-api §3.1): when this returns, the old key opens nothing any more, on no server process. */
export async function refreshApiKey(context: Context, caller: AccountCaller): Promise<Shown> {
  const key = newApiKey(environmentOf(context))
  return context.sql.begin(async (tx) => {
    await upsertKey(tx, storedForm(context, caller, key))
    await audit(context, tx, caller, { action: 'apiKey.refresh', subject: caller.accountId })
    return { key, state: stateOf(context, await findKey(tx, caller.accountId)) }
  })
}

/**
 * Whose key this is; undefined where it is nobody's. Each request looks anew, so a key that was refreshed on one process
 * is invalid on all. What cannot be a key of this environment costs no look (ADR 202).
 */
export async function accountByKey(
  context: Pick<Context, 'sql' | 'clock' | 'log' | 'settings'>,
  key: string,
  address?: string,
): Promise<AccountCaller | undefined> {
  if (!isApiKey(key, environmentOf(context))) return undefined
  const keyHash = sha256(key)
  const owner = await lookUpKey(context.sql, keyHash)
  if (owner === undefined) return undefined
  const { accountId, administrator, lastUsedAt } = owner
  const time = context.clock.real()
  if (lastUsedAt === null || lastUsedAt <= time - USE_PRECISION) {
    const use = { time, before: time - USE_PRECISION, address: address ?? null }
    // The request need not wait for it, nor fail with it.
    updateLastUse(context.sql, keyHash, use).catch((error: unknown) => {
      context.log.warn({ reason: String(error) }, 'the use of an API key could not be noted')
    })
  }
  return { kind: 'account', accountId, administrator, via: 'apiKey', ...(address === undefined ? {} : { address }) }
}

function environmentOf({ settings }: Pick<Context, 'settings'>): 'test' | 'live' {
  return settings.sandbox ? 'test' : 'live'
}

function storedForm(context: Context, { accountId }: AccountCaller, key: string) {
  return { accountId, keyHash: sha256(key), lastFour: key.slice(-4), ctime: context.clock.real() }
}

function stateOf(context: Context, row: KeyRow | undefined): State {
  if (row === undefined) {
    const nothing = { lastFour: null, ctime: null, lastUsedAt: null, lastUsedFrom: null, ageDays: null }
    return { exists: false, ...nothing, rotationDue: false }
  }
  const ageDays = Math.floor((context.clock.real() - row.ctime) / DAY)
  return { exists: true, ...row, ageDays, rotationDue: ageDays >= keyRotationDays }
}
