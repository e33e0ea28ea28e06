import { SoukError } from '@souk/contract'
import type { Egress } from '../../../kernel/egress.ts'
import { explainRefusedUrl } from '../../messages/index.ts'

/**
 * Checks a `notifyUrl` (open-api §4.3). `callbackHosts` are the private hosts that this mini app may use.
 * @throws SoukError `notify_url_refused`, naming the violated rule
 */
export function checkNotifyUrl(
  notifyUrl: string,
  egress: Pick<Egress, 'allowsPrivate' | 'refusal'>,
  callbackHosts: readonly string[],
): void {
  const refused = explainRefusedUrl(notifyUrl, egress, callbackHosts)
  if (refused !== undefined) refuse(refused)
  if (notifyUrl.includes('?')) refuse('It must not have query parameters; a bare ? counts as one.')
  if (notifyUrl.includes('#')) refuse('It must not have a fragment (#…).')
}

function refuse(reason: string): never {
  throw new SoukError('notify_url_refused', reason, { data: { parameters: ['notifyUrl'] } })
}
