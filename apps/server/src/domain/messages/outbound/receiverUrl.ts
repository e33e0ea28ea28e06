import type { Egress } from '../../../kernel/egress.ts'
import { isHttpUrl } from '../../../kernel/httpUrl.ts'

/**
 * Returns why Souk does not post to a URL, as far as that is known before its name is resolved, or undefined.
 * `privateHosts` may be reached besides those of the operator's list.
 */
export function explainRefusedUrl(
  url: string,
  egress: Pick<Egress, 'allowsPrivate' | 'refusal'>,
  privateHosts: readonly string[] = [],
): string | undefined {
  if (!isHttpUrl(url)) return 'It must be an absolute URL that begins with https:// and contains no spaces.'
  const { protocol, hostname } = new URL(url)
  // The parsed URL does not show an empty user name.
  if (/^[^/]*\/\/[^/?#]*@/.test(url)) return 'It must not contain a user name or password, or an @ before the host.'
  if (protocol !== 'https:' && !egress.allowsPrivate(hostname, privateHosts)) {
    return `It must use https: http is for private hosts that the operator has listed, and ${hostname} is not one of them.`
  }
  // Host names are checked again when they are resolved at delivery. These can be rejected now.
  return egress.refusal(hostname, privateHosts)
}
