import { day, type hostOperations, minute, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId, newToken } from '../../../kernel/id.ts'
import type { Caller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import {
  deleteFamily,
  deleteFamilyOfSession,
  deleteIdleFamilies,
  findDisabledTime,
  insertFamily,
  insertSession,
  lockFamily,
  type ProviderSession,
  updateFamily,
} from './store.ts'

/** Lifetime of an access token, which is a host session. */
const accessTokenLifetime = 15 * minute
/** Time after which a refresh token expires. */
const refreshTokenLifetime = 30 * day

/** Tokens of a sign-in. `lifetime` of the access token in seconds. */
export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  lifetime: number
}

/** Starts a sign-in of a user. @throws SoukError `user_disabled` */
export async function issueTokens(
  context: Context,
  tx: Tx,
  { uid, ...provided }: { uid: number } & Omit<ProviderSession, 'idToken'>,
): Promise<IssuedTokens> {
  const now = context.clock.now()
  await deleteIdleFamilies(tx, uid, now)
  const familyId = newId()
  const refreshToken = newRefreshToken(familyId)
  const validUntil = now + refreshTokenLifetime
  await insertFamily(tx, { familyId, uid, tokenHash: sha256(refreshToken), validUntil, ...provided }, now)
  return { refreshToken, ...(await startSession(context, tx, uid, familyId)) }
}

/**
 * Replaces a refresh token. One that has been replaced before was copied, so using it ends the sign-in.
 *
 * @throws SoukError `refresh_token_invalid`, `refresh_token_reused`, `user_disabled`
 */
export async function refreshTokens(context: Context, refreshToken: string): Promise<IssuedTokens> {
  const familyId = familyOf(refreshToken)
  if (familyId === undefined) throw new SoukError('refresh_token_invalid')
  const now = context.clock.now()
  const tokens = await context.sql.begin(async (tx) => {
    const family = await lockFamily(tx, familyId)
    if (family === undefined || family.validUntil <= now) throw new SoukError('refresh_token_invalid')
    if (!family.tokenHash.equals(sha256(refreshToken))) {
      await deleteFamily(tx, familyId)
      return undefined
    }
    const replacement = newRefreshToken(familyId)
    await updateFamily(tx, { familyId, tokenHash: sha256(replacement), validUntil: now + refreshTokenLifetime })
    return { refreshToken: replacement, ...(await startSession(context, tx, family.uid, familyId)) }
  })
  // After the transaction, which must not be rolled back.
  if (tokens === undefined) throw new SoukError('refresh_token_reused', 'Sign in again.')
  return tokens
}

/** Ends the sign-in that a token belongs to. An unknown token is not an error (RFC 7009 §2.2). */
export async function revokeToken(
  context: Context,
  _caller: Caller,
  { token }: ParametersOf<typeof hostOperations.revokeToken>,
): Promise<ResultOf<typeof hostOperations.revokeToken>> {
  const familyId = familyOf(token)
  await context.sql.begin(async (tx) => {
    if (familyId === undefined) return deleteFamilyOfSession(tx, sha256(token))
    await deleteFamily(tx, familyId)
  })
  return {}
}

async function startSession(
  context: Context,
  tx: Tx,
  uid: number,
  familyId: string,
): Promise<Pick<IssuedTokens, 'accessToken' | 'lifetime'>> {
  if ((await findDisabledTime(tx, uid)) !== null) throw new SoukError('user_disabled')
  const accessToken = newToken('souk_host')
  const now = context.clock.now()
  await insertSession(tx, { tokenHash: sha256(accessToken), uid, familyId, validUntil: now + accessTokenLifetime }, now)
  return { accessToken, lifetime: accessTokenLifetime / second }
}

/** Creates a refresh token. It contains its family, so that a replaced token is recognized. */
const newRefreshToken = (familyId: string) => `${newToken('souk_refresh')}.${familyId}`

const familyOf = (token: string) => /^souk_refresh_[\w-]+\.([0-9a-f]{32})$/.exec(token)?.[1]
