import { type openOperations, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { AppCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { issueAccessToken } from './accessToken.ts'
import { parseScopes } from './scopes.ts'
import { type Claim, type ClaimedCode, claimCode, findCode, insertRevocation } from './store.ts'

type Operation = typeof openOperations.accessToken

/**
 * Exchanges a login code for an access token (open-api §4.3, open-api §2.3, ADR 32) with those of the requested scopes
 * that the code includes (ADR 366). `expire` is in seconds. Only one exchange of a code succeeds. A repetition of that
 * request, with the same sign, gets the same token; any other request with the code revokes it.
 * @throws SoukError `code_unknown`, `code_foreign`, `code_used`, `code_expired`, `scope_not_granted`
 */
export async function exchangeCode(
  context: Context<'accessTokenLifetime' | 'vault'>,
  caller: AppCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid } = caller.app
  const requested = parseScopes(input.scope)
  const now = context.clock.now()
  const claim = { codeHash: sha256(input.code), appid, sign: caller.sign, scopes: requested, now }
  const claimed = await claimCode(context.sql, claim)
  const { usedAt, granted, ...token } = claimed ? { ...claimed, usedAt: now } : await findRepeated(context, claim)
  const scopes = requested.filter((scope) => granted.includes(scope))
  // The token follows from its id, time and scopes, so that it does not have to be stored.
  const accessToken = issueAccessToken(context, { ...token, appid, scopes }, usedAt)
  return { accessToken, expire: context.accessTokenLifetime, tokenType: 'bearer', scope: scopes.join(',') }
}

/**
 * Returns the exchange that a failed claim repeats, or throws the reason why the claim failed. Codes never become valid
 * again, so a second query still finds a reason.
 */
async function findRepeated(
  context: Context<'accessTokenLifetime'>,
  { codeHash, appid, sign, scopes, now }: Claim,
): Promise<ClaimedCode & { usedAt: number }> {
  const code = await findCode(context.sql, codeHash)
  if (code === undefined)
    throw new SoukError('code_unknown', 'Send the code of neu.login() or neu.getAuthCode() unchanged.')
  // Checked first, so that another app can neither use the code nor revoke its token.
  if (code.appid !== appid) throw new SoukError('code_foreign', 'Sign with the appid whose frontend obtained the code.')
  const { usedAt, openId, tokenId } = code
  if (usedAt !== null) {
    if (code.usedSign === sign && openId !== null && !code.revoked) {
      return { openId, tokenId, granted: code.scopes, usedAt }
    }
    await insertRevocation(context.sql, tokenId, usedAt + context.accessTokenLifetime * second)
    throw new SoukError(
      'code_used',
      'A code works once. The access token issued for it is now revoked; obtain a new code.',
    )
  }
  if (code.validUntil <= now) throw new SoukError('code_expired', 'A code is valid for 5 minutes; obtain a new one.')
  throw new SoukError(
    'scope_not_granted',
    `The code includes ${code.scopes.join(',')}, but ${scopes.join(',')} was requested. The code can still be exchanged.`,
  )
}
