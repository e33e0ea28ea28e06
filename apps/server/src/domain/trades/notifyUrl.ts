import { SoukError } from '@souk/contract'
import type { Egress } from '../../kernel/egress.ts'
import { isHttpUrl } from '../httpUrl.ts'

/**
 * Checks a `notifyUrl` (open-api §4.3). `callbackHosts` are the private hosts that this mini app may use.
 * @throws SoukError `notify_url_refused`, naming the violated rule
 */
export function checkNotifyUrl(
  notifyUrl: string,
  egress: Pick<Egress, 'allowsPrivate' | 'refusal'>,
  callbackHosts: readonly string[],
): void {
  if (!isHttpUrl(notifyUrl)) refuse('It must be an absolute address that begins with https:// and holds no spaces.')
  const { protocol, hostname } = new URL(notifyUrl)
  // The parsed URL does not show an empty user name.
  if (/^[^/]*\/\/[^/?#]*@/.test(notifyUrl)) refuse('It must carry no user name or password, and no @ before the host.')
  if (notifyUrl.includes('?')) refuse('It must carry no query parameters; a bare ? counts as one.')
  if (notifyUrl.includes('#')) refuse('It must carry no fragment (#…).')
  if (protocol !== 'https:' && !egress.allowsPrivate(hostname, callbackHosts)) {
    refuse(
      `It must use https: http is for private hosts that the operator has listed, and ${hostname} is not one of them.`,
    )
  }
  // Host names are checked again when they are resolved at delivery. These can be rejected now.
  const refused = egress.refusal(hostname, callbackHosts)
  if (refused !== undefined) refuse(refused)
}

function refuse(reason: string): never {
  throw new SoukError('notify_url_refused', reason, { data: { parameters: ['notifyUrl'] } })
}
