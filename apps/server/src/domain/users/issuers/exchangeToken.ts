import {
  accessTokenType,
  type hostOperations,
  type ParametersOf,
  type ResultOf,
  refreshTokenGrant,
  SoukError,
  tokenExchangeGrant,
} from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Caller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { type IssuedTokens, issueTokens, refreshTokens } from '../identity/index.ts'
import { insertTokenId } from '../oidc/index.ts'
import { isLogoutToken } from './backChannelLogout.ts'
import { storeUser } from './profile.ts'
import { lockIssuer } from './store.ts'
import { verifyToken } from './verifyToken.ts'

type ExchangeToken = typeof hostOperations.exchangeToken
type Input = ParametersOf<ExchangeToken>

/**
 * Exchanges a token of a trusted issuer for a host session, or refreshes one. The first exchange creates the user,
 * later ones update what the token says about it.
 *
 * @throws SoukError `grant_type_unsupported`, and those of the grants
 */
export async function exchangeToken(
  context: Context<'egress'>,
  _caller: Caller,
  input: Input,
): Promise<ResultOf<ExchangeToken>> {
  switch (input.grant_type) {
    case tokenExchangeGrant:
      return describe(await exchange(context, input))
    case refreshTokenGrant:
      return describe(await refreshTokens(context, required('refresh_token', input.refresh_token)))
    default:
      throw new SoukError('grant_type_unsupported', `Use ${tokenExchangeGrant} or ${refreshTokenGrant}.`)
  }
}

async function exchange(context: Context<'egress'>, input: Input): Promise<IssuedTokens> {
  required('subject_token_type', input.subject_token_type)
  const { issuer, claims, validUntil } = await verifyToken(context, required('subject_token', input.subject_token), {
    audiences: ({ audience }) => [audience],
    requiredClaims: (issuer) => [issuer.claims.subject],
  })
  if (isLogoutToken(claims)) throw new SoukError('token_malformed', 'A logout token cannot be exchanged.')
  return context.sql.begin(async (tx) => {
    if (!(await lockIssuer(tx, issuer.issuerId))) throw new SoukError('token_issuer_unknown')
    if (claims.jti !== undefined) {
      const used = { issuer: issuer.issuer, tokenId: sha256(String(claims.jti)), validUntil }
      if (!(await insertTokenId(tx, used, context.clock.real()))) throw new SoukError('token_replayed')
    }
    const uid = await storeUser(tx, issuer, claims, context.clock.now())
    return issueTokens(context, tx, {
      uid,
      issuerId: issuer.issuerId,
      providerSubject: claims.sub ?? null,
      providerSession: typeof claims.sid === 'string' ? claims.sid : null,
    })
  })
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new SoukError('parameter_missing', `Send ${name}.`, { data: { parameters: [name] } })
  return value
}

function describe({ accessToken, refreshToken, lifetime }: IssuedTokens): ResultOf<ExchangeToken> {
  return {
    access_token: accessToken,
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: lifetime,
    refresh_token: refreshToken,
  }
}
