import { type hostOperations, logoutEvent, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { JWTPayload } from 'jose'
import { sha256 } from '../../../kernel/crypto.ts'
import type { AnyoneCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { deleteProviderSessions } from '../identity/index.ts'
import { insertTokenId } from '../oidc/index.ts'
import { verifyToken } from './verifyToken.ts'

type Logout = typeof hostOperations.backChannelLogout

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0), and the refresh tokens
 * that were issued for the same session of the provider. Sessions whose session at the provider is unknown end with
 * any of the user's.
 *
 * @throws SoukError `logout_token_invalid`, `token_replayed`, and those of `verifyToken`
 */
export async function backChannelLogout(
  context: Context<'egress'>,
  _caller: AnyoneCaller,
  { logout_token: token }: ParametersOf<Logout>,
): Promise<ResultOf<Logout>> {
  const { issuer, claims, validUntil } = await verifyToken(context, token, {
    audiences: ({ audience, signIn }) => (signIn ? [signIn.clientId, audience] : [audience]),
    requiredClaims: () => ['iat', 'jti', 'events'],
  })
  checkLogoutToken(claims)
  const { jti, sub, sid } = claims as { jti: string; sub?: string; sid?: string }
  const ended = await context.sql.begin(async (tx) => {
    const used = { issuer: issuer.issuer, tokenId: sha256(jti), validUntil }
    if (!(await insertTokenId(tx, used, context.clock.real()))) throw new SoukError('token_replayed')
    return deleteProviderSessions(tx, { issuer: issuer.issuer, providerSubject: sub, providerSession: sid })
  })
  context.log.info({ issuer: issuer.issuer, ended }, 'back-channel logout')
  return {}
}

/** Returns whether the claims are those of a logout token, which must not be used as another token. */
export function isLogoutToken({ events }: JWTPayload): boolean {
  return typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent)
}

function checkLogoutToken(claims: JWTPayload): void {
  const { events, nonce, sub, sid, jti } = claims
  const event = isLogoutToken(claims) && (events as Record<string, unknown>)[logoutEvent]
  const reason =
    typeof event !== 'object' || event === null
      ? `The claim events must have a member ${logoutEvent} whose value is an object.`
      : nonce !== undefined
        ? 'A logout token must not have the claim nonce.'
        : sub === undefined && sid === undefined
          ? 'It needs the claim sub or sid.'
          : [sub, sid, jti].some((claim) => claim !== undefined && (typeof claim !== 'string' || claim === ''))
            ? 'The claims sub, sid and jti must be texts.'
            : undefined
  if (reason !== undefined) throw new SoukError('logout_token_invalid', reason)
}
