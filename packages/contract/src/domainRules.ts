import type { DomainPurpose, Domains } from './domains.ts'

/** The hosts that pages of a mini app may reach. */
export interface DomainRules {
  domains: Domains
  /** False in a sandbox, where other hosts are only reported. */
  isStrict: boolean
}

/** The parts of a `URL`, which is not a global of every environment. */
interface UrlParts {
  protocol: string
  host: string
  hostname: string
  port: string
}

/** Returns whether a list contains the host of an https or wss URL, by the rules of a content security policy. */
export function isListed(domains: readonly string[], { protocol, hostname, port }: UrlParts): boolean {
  if (protocol !== 'https:' && protocol !== 'wss:') return false
  return domains.some((domain) => {
    const [name = '', allowedPort = '443'] = domain.split(':')
    if ((port || '443') !== allowedPort) return false
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
  })
}

/** Returns the reason of an error for a host that is not approved. */
export function unlistedReason({ host }: UrlParts, purpose: DomainPurpose): string {
  return `the host ${host} is not approved for ${purpose} of this mini app: request it in the mini app's settings in the console`
}
