import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { AnyoneCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { endHostSession, startHostSession } from '../identity/index.ts'
import { type Client, completeAuthorization, providerOfFlow, signOutUrl, startAuthorization } from '../oidc/index.ts'
import { storeUser } from './profile.ts'
import { addressesOf, openSecret } from './signInClient.ts'
import { findIssuer, type Issuer, listIssuerRows, lockIssuer, type SignIn } from './store.ts'
import { providerOf } from './verifyToken.ts'

type Operations = typeof hostOperations
type SignInIssuer = Issuer & { signIn: SignIn }

/** Lists the issuers at which users can sign in, by name. */
export async function listSignInIssuers(context: Context): Promise<ResultOf<Operations['listSignInIssuers']>> {
  const issuers = await listIssuerRows(context.sql)
  return issuers
    .flatMap(({ issuerId, signIn }) => (signIn ? [{ issuerId, name: signIn.name }] : []))
    .sort((one, other) => one.name.localeCompare(other.name))
}

/**
 * Starts a sign-in at an issuer. `flow` is for the cookie of the browser only.
 * @throws SoukError `issuer_not_found`, `issuer_unavailable`
 */
export async function startSignIn(
  context: Context<'egress' | 'vault'>,
  _caller: AnyoneCaller,
  { issuerId }: ParametersOf<Operations['startSignIn']>,
): Promise<{ url: string; flow: string }> {
  return startAuthorization(context, 'host', clientOf(context, await requireSignIn(context, issuerId)))
}

/**
 * Signs the user in whom the provider has authenticated. The first sign-in creates the user, later ones update what
 * the provider says about it.
 * @throws SoukError `issuer_not_found`, `user_disabled`, and those of `completeAuthorization`
 */
export async function completeSignIn(
  context: Context<'egress' | 'vault'>,
  { flow }: AnyoneCaller,
  { response }: ParametersOf<Operations['completeSignIn']>,
): Promise<ResultOf<Operations['completeSignIn']>> {
  const issuer = await requireSignIn(context, providerOfFlow(context, 'host', flow))
  const client = clientOf(context, issuer)
  const { claims, idToken } = await completeAuthorization(context, 'host', client, { cookie: flow, response })
  return context.sql.begin(async (tx) => {
    if (!(await lockIssuer(tx, issuer.issuerId))) throw issuerNotFound()
    const uid = await storeUser(tx, issuer, claims, context.clock.now())
    const session = await startHostSession(context, tx, uid, {
      issuerId: issuer.issuerId,
      providerSubject: claims.sub,
      providerSession: typeof claims.sid === 'string' ? claims.sid : null,
      idToken,
    })
    if (session === undefined) throw new SoukError('user_disabled')
    return session
  })
}

/** Ends the caller's session, and returns the page that ends the one at the provider. Other sessions continue. */
export async function signOut(
  context: Context<'egress' | 'vault'>,
  caller: HostUserCaller,
): Promise<ResultOf<Operations['signOut']>> {
  const ended = await endHostSession(context, caller.session)
  const issuer = ended?.issuerId && (await findIssuer(context.sql, ended.issuerId))
  if (!issuer || !ended.idToken || !hasSignIn(issuer)) return { signOutUrl: null }
  const redirectUrl = addressesOf(context).signOutRedirectUrl
  return { signOutUrl: await signOutUrl(context, clientOf(context, issuer), { idToken: ended.idToken, redirectUrl }) }
}

async function requireSignIn(context: Context, issuerId: string): Promise<SignInIssuer> {
  const issuer = await findIssuer(context.sql, issuerId)
  if (issuer && hasSignIn(issuer)) return issuer
  throw issuerNotFound()
}

const issuerNotFound = () => new SoukError('issuer_not_found', 'Users cannot sign in at this issuer.')

const hasSignIn = (issuer: Issuer): issuer is SignInIssuer => issuer.signIn !== null

function clientOf(context: Context<'vault'>, issuer: SignInIssuer): Client {
  const { clientId, scopes } = issuer.signIn
  const { redirectUrl } = addressesOf(context)
  return { provider: providerOf(issuer), clientId, clientSecret: openSecret(context, issuer), scopes, redirectUrl }
}
