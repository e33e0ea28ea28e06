import { type consoleOperations, day, keyRotationDays, minute, type ResultOf } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import { isApiKey, newApiKey } from '../../../kernel/id.ts'
import type { AccountCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendNotice } from '../../messages/index.ts'
import { lookUpKey } from './lookUpKey.ts'
import { findKey, insertKey, type KeyRow, updateLastUse, upsertKey } from './store.ts'

type Operations = typeof consoleOperations
type State = ResultOf<Operations['getApiKey']>
type Shown = ResultOf<Operations['showApiKey']>

/** Precision of the last use: a key in steady use causes one write per interval. */
const usePrecision = minute

/** Returns the state of the caller's key. Does not generate one. */
export async function getApiKey(context: Context, caller: AccountCaller): Promise<State> {
  return stateOf(context, await findKey(context.sql, caller.accountId))
}

/**
 * Generates the key if there is none and returns it in full, only this once (Show, open-api §3.1). Of concurrent calls
 * only one generates and returns the key.
 */
export async function showApiKey(context: Context<'mailer' | 'vault'>, caller: AccountCaller): Promise<Shown> {
  const key = newApiKey(environmentOf(context))
  return context.sql.begin(async (tx) => {
    const generated = await insertKey(tx, newKeyRow(context, caller, key))
    if (generated) {
      await audit(context, tx, caller, { action: 'apiKey.generate', subject: caller.accountId })
      await sendNotice(context, tx, caller, { kind: 'credentialAdded', credential: 'apiKey' })
    }
    return { key: generated ? key : null, state: stateOf(context, await findKey(tx, caller.accountId)) }
  })
}

/** Replaces the key (Refresh API Key, open-api §3.1). The old key is immediately invalid on all server processes. */
export async function refreshApiKey(context: Context<'mailer' | 'vault'>, caller: AccountCaller): Promise<Shown> {
  const key = newApiKey(environmentOf(context))
  return context.sql.begin(async (tx) => {
    await upsertKey(tx, newKeyRow(context, caller, key))
    await audit(context, tx, caller, { action: 'apiKey.refresh', subject: caller.accountId })
    await sendNotice(context, tx, caller, { kind: 'credentialAdded', credential: 'apiKey' })
    return { key, state: stateOf(context, await findKey(tx, caller.accountId)) }
  })
}

/**
 * Returns the account that an API key belongs to, or `undefined` if the key is unknown. Never cached, so that a key
 * refreshed on one process is invalid on all. Malformed keys cost no query (ADR 202).
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
  if (lastUsedAt === null || lastUsedAt <= time - usePrecision) {
    const use = { time, before: time - usePrecision, address: address ?? null }
    // The request neither waits for the write nor fails with it.
    updateLastUse(context.sql, keyHash, use).catch((error: unknown) => {
      context.log.warn({ reason: String(error) }, 'cannot record the use of an API key')
    })
  }
  return { kind: 'account', accountId, administrator, via: 'apiKey', ...(address === undefined ? {} : { address }) }
}

function environmentOf({ settings }: Pick<Context, 'settings'>): 'test' | 'live' {
  return settings.sandbox ? 'test' : 'live'
}

function newKeyRow(context: Context, { accountId }: AccountCaller, key: string) {
  return { accountId, keyHash: sha256(key), lastFour: key.slice(-4), ctime: context.clock.real() }
}

function stateOf(context: Context, row: KeyRow | undefined): State {
  if (row === undefined) {
    return {
      exists: false,
      lastFour: null,
      ctime: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      ageDays: null,
      rotationDue: false,
    }
  }
  const ageDays = Math.floor((context.clock.real() - row.ctime) / day)
  return { exists: true, ...row, ageDays, rotationDue: ageDays >= keyRotationDays }
}
