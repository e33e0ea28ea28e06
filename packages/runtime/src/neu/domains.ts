import { type DomainPurpose, isListed, unlistedReason } from '@souk/contract/bridge'
import { currentCarrier } from '../carriers/current.ts'
import { absoluteUrl } from './absoluteUrl.ts'

const reported = new Set<string>()

/**
 * Checks that the app may reach an address; on H5 all are allowed, and addresses of the app itself always. In a sandbox
 * it only warns, once per host.
 *
 * @throws Error that names the host
 */
export function checkDomain(purpose: DomainPurpose, address: string): void {
  if (__SOUK_PLATFORM__ === 'H5') return
  const { domainRules } = currentCarrier()
  if (!domainRules) return
  const url = URL.parse(absoluteUrl(address))
  // Other addresses are not of a host, or invalid, which the request reports.
  if (!url || !/^(http|ws)s?:$/.test(url.protocol) || url.origin === new URL(document.baseURI).origin) return
  if (isListed(domainRules.domains[purpose], url)) return
  const reason = unlistedReason(url, purpose)
  if (domainRules.isStrict) throw new Error(reason)
  if (reported.has(reason)) return
  reported.add(reason)
  console.warn(`Souk: ${reason}. A live installation refuses it.`)
}
