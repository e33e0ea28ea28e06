import {
  type consoleOperations,
  type DoctorSentence,
  defaultClaims,
  doctorSentence,
  type ParametersOf,
  type ResultOf,
  SoukError,
  tokenAlgorithms,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { algorithmsOf, checkIssuerText, explainKeys, forgetProvider } from '../oidc/index.ts'
import { describeIssuer } from './signInClient.ts'
import { countIssuers, deleteIssuer, type Issuer, insertIssuer, listIssuerRows, lockAdditions } from './store.ts'

type Operations = typeof consoleOperations

const maxIssuers = 100

/** Lists the trusted issuers. */
export async function listIssuers(context: Context): Promise<ResultOf<Operations['listIssuers']>> {
  const issuers = await listIssuerRows(context.sql)
  return issuers.map((issuer) => describeIssuer(context, issuer))
}

/**
 * Trusts an issuer. Its keys are not fetched before its first token is exchanged.
 *
 * @throws SoukError `parameter_invalid`, `issuer_exists`, `issuer_limit_reached`
 */
export async function addIssuer(
  context: Context<'egress'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['addIssuer']>,
): Promise<ResultOf<Operations['addIssuer']>> {
  checkKeySource(input)
  const { jwksUrl = null, pem = null, clockTolerance = 60, algorithms = [...tokenAlgorithms] } = input
  checkUrl(context, 'issuer', jwksUrl === null && pem === null ? input.issuer : undefined)
  checkUrl(context, 'jwksUrl', jwksUrl ?? undefined)
  checkIssuerText(input.issuer, 'issuer')
  const issuer: Issuer = {
    issuerId: newId(),
    issuer: input.issuer,
    audience: input.audience,
    jwksUrl,
    pem,
    algorithms: pem === null ? algorithms : await algorithmsOf(pem, algorithms),
    claims: { ...defaultClaims, ...input.claims },
    clockTolerance,
    signIn: null,
    ctime: context.clock.real(),
  }
  return context.sql.begin(async (tx) => {
    await lockAdditions(tx)
    if ((await countIssuers(tx)) >= maxIssuers) {
      throw new SoukError('issuer_limit_reached', `Remove one first: there can be ${maxIssuers}.`)
    }
    if (!(await insertIssuer(tx, issuer))) throw new SoukError('issuer_exists', 'Remove it first to change it.')
    const { issuerId, claims, signIn, ...detail } = issuer
    await audit(context, tx, caller, { action: 'issuer.add', subject: issuerId, detail })
    return describeIssuer(context, issuer)
  })
}

/** Stops trusting an issuer. Its users stay. @throws SoukError `issuer_not_found` */
export async function removeIssuer(
  context: Context,
  caller: ConsoleCaller,
  { issuerId }: ParametersOf<Operations['removeIssuer']>,
): Promise<ResultOf<Operations['removeIssuer']>> {
  await context.sql.begin(async (tx) => {
    const issuer = await deleteIssuer(tx, issuerId)
    if (issuer === undefined) throw new SoukError('issuer_not_found', 'souk issuers list shows the issuers.')
    await audit(context, tx, caller, { action: 'issuer.remove', subject: issuerId, detail: { issuer } })
  })
  forgetProvider(issuerId)
  return true
}

function checkKeySource({ jwksUrl, pem }: ParametersOf<Operations['addIssuer']>): void {
  if (jwksUrl === undefined || pem === undefined) return
  throw new SoukError('parameter_invalid', 'Send jwksUrl or pem, not both.', {
    data: { parameters: ['jwksUrl', 'pem'] },
  })
}

/** Checks that keys are fetched over https, or from hosts to which the operator allows plain http. */
function checkUrl(context: Context<'egress'>, parameter: string, url: string | undefined): void {
  if (url === undefined) return
  const parsed = URL.parse(url)
  const isReachable =
    parsed !== null &&
    parsed.username === '' &&
    (parsed.protocol === 'https:' || (parsed.protocol === 'http:' && context.egress.allowsPrivate(parsed.hostname)))
  if (isReachable) return
  throw new SoukError(
    'parameter_invalid',
    `${parameter} must be an https URL without credentials; http is possible for hosts in SOUK_PRIVATE_HOSTS.`,
    { data: { parameters: [parameter] } },
  )
}

/**
 * Reads the keys of all issuers, and returns a sentence for each whose keys cannot be read. Returns undefined without
 * issuers.
 */
export async function explainUnreachable(context: Context<'egress'>): Promise<DoctorSentence[] | undefined> {
  const issuers = await listIssuerRows(context.sql)
  if (issuers.length === 0) return undefined
  const problems = await Promise.all(
    issuers.map(async (issuer) => {
      const reason = await explainKeys(context, issuer)
      return reason === undefined ? [] : [doctorSentence('keysOfIssuer', { issuer: issuer.issuer, reason })]
    }),
  )
  return problems.flat()
}
