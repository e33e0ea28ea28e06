import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context, FullContext } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { defaultScopes, forgetProvider, requireIssuer } from '../oidc/index.ts'
import { deleteSignIn, findIssuer, type Issuer, lockIssuer, upsertSignIn } from './store.ts'
import { providerOf } from './verifyToken.ts'

type Operations = typeof consoleOperations
type ShownIssuer = ResultOf<Operations['addIssuer']>

/**
 * Lets users sign in to the host application at an issuer. Without a secret, Souk is a public client there.
 * @throws SoukError `issuer_not_found`, `issuer_unavailable` if its discovery document cannot be read,
 * `parameter_invalid` if that names another issuer
 */
export async function enableSignIn(
  context: Context<'egress' | 'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['enableSignIn']>,
): Promise<ResultOf<Operations['enableSignIn']>> {
  const { issuerId, name, clientId, clientSecret, scopes = defaultScopes } = input
  const issuer = await findIssuerOf(context, issuerId)
  // An earlier problem of the provider may have been solved.
  forgetProvider(issuerId)
  await requireIssuer(context, providerOf(issuer), 'issuerId')
  return context.sql.begin(async (tx) => {
    if (!(await lockIssuer(tx, issuerId))) throw issuerNotFound()
    const sealed =
      clientSecret === undefined
        ? { keyId: null, ciphertext: null }
        : context.vault.seal(clientSecret, sealContext(issuerId))
    const others = scopes.filter((scope) => scope !== 'openid')
    await upsertSignIn(tx, issuerId, { name, clientId, scopes: others, ...sealed })
    const detail = { name, clientId, hasSecret: clientSecret !== undefined, scopes: others }
    await audit(context, tx, caller, { action: 'issuer.enableSignIn', subject: issuerId, detail })
    return describeIssuer(context, (await findIssuer(tx, issuerId))!)
  })
}

/** Stops letting users sign in at an issuer. Their sessions continue. @throws SoukError `issuer_not_found` */
export async function disableSignIn(
  context: Context,
  caller: ConsoleCaller,
  { issuerId }: ParametersOf<Operations['disableSignIn']>,
): Promise<ResultOf<Operations['disableSignIn']>> {
  const issuer = await findIssuerOf(context, issuerId)
  await context.sql.begin(async (tx) => {
    await deleteSignIn(tx, issuerId)
    await audit(context, tx, caller, { action: 'issuer.disableSignIn', subject: issuerId })
  })
  return describeIssuer(context, { ...issuer, signIn: null })
}

/** Returns an issuer as administrators see it, with the addresses to register at the provider. */
export function describeIssuer(context: Pick<Context, 'settings'>, { signIn, ...issuer }: Issuer): ShownIssuer {
  if (signIn === null) return { ...issuer, signIn }
  const { name, clientId, scopes, keyId } = signIn
  return { ...issuer, signIn: { name, clientId, hasSecret: keyId !== null, scopes, ...addressesOf(context) } }
}

/** Returns the addresses of this installation that a provider must know. */
export function addressesOf({ settings: { publicUrl } }: Pick<Context, 'settings'>) {
  return {
    redirectUrl: `${publicUrl}/host/signed-in`,
    signOutRedirectUrl: `${publicUrl}/host/sign-in`,
    backChannelLogoutUrl: `${publicUrl}/host/v1/back-channel-logout`,
  }
}

/** Returns the client secret, or null for a public client. */
export function openSecret({ vault }: Pick<FullContext, 'vault'>, { issuerId, signIn }: Issuer): string | null {
  if (!signIn?.keyId || !signIn.ciphertext) return null
  const { keyId, ciphertext } = signIn
  return vault.open({ keyId, ciphertext: Buffer.from(ciphertext, 'base64') }, sealContext(issuerId))
}

const sealContext = (issuerId: string) => `issuer client ${issuerId}` as const

async function findIssuerOf({ sql }: Context, issuerId: string): Promise<Issuer> {
  const issuer = await findIssuer(sql, issuerId)
  if (!issuer) throw issuerNotFound()
  return issuer
}

const issuerNotFound = () => new SoukError('issuer_not_found', 'souk issuers list shows the issuers.')
