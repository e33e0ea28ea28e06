import { type openOperations, type ParametersOf, type ResultOf, type Scope, SoukError } from '@souk/contract'
import { sha256 } from '../../kernel/crypto.ts'
import type { AppCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { issueAccessToken } from './accessToken.ts'
import { parseScopes } from './scopes.ts'
import { claimCode, findCode, insertRevocation } from './store.ts'

type Operation = typeof openOperations.accessToken

/** What was asked of a code that could not be claimed. `now` as in the claim, ms of the domain clock. */
interface FailedClaim {
  codeHash: Buffer
  appid: string
  scopes: readonly Scope[]
  now: number
}

/**
 * Exchanges a login code for an access token that carries the scopes asked for (open-api §4.3, §2.3; ADR 32). `expire` is
 * in seconds. A code works once: of any number of exchanges one succeeds, and every other revokes its token.
 * @throws SoukError code_unknown, code_foreign, code_used, code_expired, scope_not_granted
 */
export async function exchangeCode(
  context: Context,
  caller: AppCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid } = caller.app
  const codeHash = sha256(input.code)
  const scopes = parseScopes(input.scope)
  const now = context.clock.now()
  const claimed = await claimCode(context.sql, { codeHash, appid, scopes }, now)
  if (claimed === undefined) return explainFailedClaim(context, { codeHash, appid, scopes, now })

  const accessToken = await issueAccessToken(context, { ...claimed, appid, scopes }, now)
  return { accessToken, expire: context.settings.accessTokenLifetime, tokenType: 'bearer' }
}

/** Tells why. A code never comes back to life, so a second look finds the reason that the claim met, or a later one. */
async function explainFailedClaim(context: Context, { codeHash, appid, scopes, now }: FailedClaim): Promise<never> {
  const code = await findCode(context.sql, codeHash)
  if (code === undefined)
    throw new SoukError('code_unknown', 'Send the code of neu.login() or neu.getAuthCode() as it is.')
  // Before anything else, so that another app can neither use the code up nor revoke its token.
  if (code.appid !== appid) throw new SoukError('code_foreign', 'Sign with the appid whose frontend obtained the code.')
  if (code.usedAt !== null) {
    await insertRevocation(context.sql, code.tokenId, code.usedAt + context.settings.accessTokenLifetime * 1000)
    throw new SoukError(
      'code_used',
      'It works once. The access token first given for it is revoked now; obtain a new code.',
    )
  }
  if (code.validUntil <= now) throw new SoukError('code_expired', 'It lives 5 minutes; obtain a new one.')
  throw new SoukError(
    'scope_not_granted',
    `The code carries ${code.scopes.join(',')}, and ${scopes.join(',')} was asked for. The code can still be exchanged.`,
  )
}
