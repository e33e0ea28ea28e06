import { createHash } from 'node:crypto'
import { type consoleOperations, maxSigningKeys, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { AccountCaller, ConsoleCaller } from '../../caller.ts'
import { isAdministrator } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { sendNotice } from '../../messages/index.ts'
import {
  countKeys,
  insertKey,
  listKeyRows,
  lockKey,
  lockKeysOf,
  type SigningKey,
  type SigningKeyRow,
  updateKeyState,
} from './signingKeys.store.ts'

type Operations = typeof consoleOperations
type KeyInput = ParametersOf<Operations['revokeSigningKey']>

/** Lists the keys of the account, for administrators all, newest first. */
export async function listSigningKeys(
  context: Context,
  caller: ConsoleCaller,
  { cursor, ...page }: ParametersOf<Operations['listSigningKeys']> = {},
): Promise<ResultOf<Operations['listSigningKeys']>> {
  const owner = isAdministrator(caller) ? {} : { accountId: ownerOf(caller) }
  const [ctime, keyId] = readCursor(cursor, ['number', 'id'])
  return readPage(context.sql, page, {
    list: (part) => listKeyRows(context.sql, { ...owner, ...part }),
    before: ctime === undefined ? undefined : { ctime, keyId },
    keyOf: (key) => [key.ctime, key.keyId],
  })
}

/**
 * Registers a key of the account. Registering it again returns it.
 * @throws SoukError `signing_key_foreign`, `signing_key_revoked`, `signing_key_limit_reached`
 */
export async function registerSigningKey(
  context: Context<'mailer' | 'vault'>,
  caller: AccountCaller,
  input: ParametersOf<Operations['registerSigningKey']>,
): Promise<ResultOf<Operations['registerSigningKey']>> {
  return context.sql.begin(async (tx) => {
    const { keyId } = await registerKey(context, tx, caller, Buffer.from(input.publicKey, 'base64url'))
    return readKey(tx, keyId)
  })
}

/** Approves a key. @throws SoukError `signing_key_not_found`, `signing_key_revoked` */
export async function approveSigningKey(
  context: Context,
  caller: ConsoleCaller,
  { keyId }: KeyInput,
): Promise<ResultOf<Operations['approveSigningKey']>> {
  return changeKey(context, caller, keyId, 'approved', ({ state }) => {
    if (state === 'revoked') throw new SoukError('signing_key_revoked', 'Register a new key.')
  })
}

/** Revokes a key permanently. Releases that it has signed remain. @throws SoukError `signing_key_not_found` */
export async function revokeSigningKey(
  context: Context,
  caller: ConsoleCaller,
  { keyId }: KeyInput,
): Promise<ResultOf<Operations['revokeSigningKey']>> {
  return changeKey(context, caller, keyId, 'revoked', ({ accountId }) => {
    // The same error as for an unknown key.
    if (!isAdministrator(caller) && accountId !== ownerOf(caller)) throw new SoukError('signing_key_not_found')
  })
}

/**
 * Returns the key of a caller and registers it at its first use. The admin token may use keys of any account, since
 * `souk upload` has no other credential.
 * @throws SoukError `signing_key_foreign`, `signing_key_revoked`, `signing_key_limit_reached`
 */
export async function registerKey(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  publicKey: Buffer,
): Promise<SigningKeyRow> {
  const keyId = createHash('sha256').update(publicKey).digest().toString('hex', 0, 16)
  const accountId = ownerOf(caller)
  // Serializes registrations, so that the limit holds.
  if (accountId !== null) await lockKeysOf(tx, accountId)
  const registered = await lockKey(tx, keyId)
  if (registered !== undefined) {
    if (caller.kind === 'account' && registered.accountId !== accountId)
      throw new SoukError('signing_key_foreign', 'Sign with a key of your own.')
    if (registered.state === 'revoked') throw new SoukError('signing_key_revoked', 'Sign with another key.')
    return registered
  }
  if (accountId !== null && (await countKeys(tx, accountId)) >= maxSigningKeys)
    throw new SoukError('signing_key_limit_reached', `The limit is ${maxSigningKeys}; revoke unused keys.`)
  const inserted = await insertKey(tx, { keyId, publicKey, accountId }, context.clock.real())
  // A concurrent request has registered it.
  if (!inserted) return registerKey(context, tx, caller, publicKey)
  await audit(context, tx, caller, { action: 'signingKey.register', subject: keyId })
  if (caller.kind === 'account') {
    await sendNotice(context, tx, caller, { kind: 'credentialAdded', credential: 'signingKey' })
  }
  return { keyId, accountId, state: 'pending' }
}

async function changeKey(
  context: Context,
  caller: ConsoleCaller,
  keyId: string,
  state: 'approved' | 'revoked',
  check: (key: SigningKeyRow) => void,
): Promise<SigningKey> {
  return context.sql.begin(async (tx) => {
    const key = await lockKey(tx, keyId)
    if (key === undefined) throw new SoukError('signing_key_not_found')
    check(key)
    if (key.state !== state) {
      await updateKeyState(tx, keyId, state)
      await audit(context, tx, caller, {
        action: `signingKey.${state === 'approved' ? 'approve' : 'revoke'}`,
        subject: keyId,
      })
    }
    return readKey(tx, keyId)
  })
}

async function readKey(tx: Tx, keyId: string): Promise<SigningKey> {
  return (await listKeyRows(tx, { keyId, limit: 1 }))[0]!
}

function ownerOf(caller: ConsoleCaller): string | null {
  return caller.kind === 'account' ? caller.accountId : null
}
