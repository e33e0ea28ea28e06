import { SoukError } from '@souk/contract'
import type { Egress } from '../../kernel/egress.ts'
import { isWebAddress } from '../webAddress.ts'

/**
 * Checks where a payment result is to be sent (open-api §4.3, `notifyUrl`); `callbackHosts` are opened for this mini app.
 * @throws SoukError `notify_url_refused`, with a sentence for each rule.
 */
export function checkNotifyUrl(
  notifyUrl: string,
  egress: Pick<Egress, 'allowsPrivate' | 'refusal'>,
  callbackHosts: readonly string[],
): void {
  if (!isWebAddress(notifyUrl)) refuse('It must be an absolute address that begins with https:// and holds no spaces.')
  const { protocol, hostname } = new URL(notifyUrl)
  // An empty user name is no longer to be seen in the parsed address.
  if (/^[^/]*\/\/[^/?#]*@/.test(notifyUrl)) refuse('It must carry no user name or password, and no @ before the host.')
  if (notifyUrl.includes('?')) refuse('It must carry no query parameters; a bare ? counts as one.')
  if (notifyUrl.includes('#')) refuse('It must carry no fragment (#…).')
  if (protocol !== 'https:' && !egress.allowsPrivate(hostname, callbackHosts)) {
    refuse(
      `It must use https: http is for private hosts that the operator has listed, and ${hostname} is not one of them.`,
    )
  }
  // A name is judged by what it leads to when the result is sent; these will not lead anywhere else.
  const refused = egress.refusal(hostname, callbackHosts)
  if (refused !== undefined) refuse(refused)
}

function refuse(reason: string): never {
  throw new SoukError('notify_url_refused', reason, { data: { parameters: ['notifyUrl'] } })
}
