import { SoukError } from '@souk/contract'
import type { FullContext } from '../../context.ts'
import { discover, discoveryPath, IssuerMismatch, metadataOf, type Provider } from './provider.ts'

/**
 * Checks that the discovery document of a provider can be read and names its issuer, and tells the operator what is
 * wrong otherwise. Only for operators: the message repeats what the provider and the network have answered.
 *
 * @param parameter of the request that names the issuer
 * @throws SoukError `parameter_invalid` if the issuer must be written differently, `issuer_unavailable`
 */
export async function requireIssuer(
  context: Pick<FullContext, 'egress' | 'clock'>,
  provider: Provider,
  parameter: string,
): Promise<void> {
  const { issuer } = provider
  checkIssuerText(issuer, parameter)
  try {
    await metadataOf(context, provider)
  } catch (error) {
    const { cause } = error as SoukError
    if (cause instanceof IssuerMismatch) throw wrongIssuer(parameter, explainMismatch(issuer, cause.found))
    const named = issuer.includes(discoveryPath) ? await findIssuerAt(context, issuer) : undefined
    if (named !== undefined) throw wrongIssuer(parameter, explainMismatch(issuer, named))
    throw error instanceof SoukError && cause instanceof Error ? withReason(error, cause) : error
  }
}

/** Checks what is known of an issuer without a request. @throws SoukError `parameter_invalid` */
export function checkIssuerText(issuer: string, parameter: string): void {
  if (!/[{}]/.test(issuer)) return
  throw wrongIssuer(parameter, `${issuer} has a placeholder. Write the id of your directory (tenant) in its place.`)
}

/** Returns the issuer that a pasted address of a discovery document names, or the one that belongs to it. */
async function findIssuerAt(context: Pick<FullContext, 'egress'>, address: string): Promise<unknown> {
  const issuer = address.slice(0, address.indexOf(discoveryPath))
  try {
    await discover(context, issuer)
    return issuer
  } catch (error) {
    return error instanceof IssuerMismatch ? error.found : undefined
  }
}

function explainMismatch(issuer: string, found: unknown): string {
  if (typeof found !== 'string') return `The discovery document of ${issuer} names no issuer.`
  const named = `The discovery document of ${issuer} names the issuer ${found.slice(0, 1024)}`
  if (/[{}]/.test(found)) {
    return `${named}, which is a placeholder: it is the address for all tenants. Write the id of your directory (tenant) in its place, here and in the address.`
  }
  if (found.replace(/\/$/, '') === issuer.replace(/\/$/, '')) {
    return `${named}, which differs by the slash at its end. Use it exactly.`
  }
  if (issuer.includes(discoveryPath))
    return `${issuer} is the address of a discovery document. Use the issuer ${found}.`
  return `${named}. Use it exactly.`
}

function wrongIssuer(parameter: string, reason: string): SoukError {
  return new SoukError('parameter_invalid', `${parameter}: ${reason}`, { data: { parameters: [parameter] } })
}

function withReason(error: SoukError, cause: Error): SoukError {
  const reason = cause.message.replace(/\.$/, '')
  return new SoukError('issuer_unavailable', `${reason}. Check the address of the issuer, and the network.`, {
    data: error.data ?? {},
    cause,
  })
}
