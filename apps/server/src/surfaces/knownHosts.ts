import { opsOperations, SoukError } from '@souk/contract'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { FullContext } from '../domain/context.ts'

/** Load balancers and monitoring send these to an IP address. They show nothing about users. */
const { healthz, readyz, metrics } = opsOperations
const exempt: readonly (string | undefined)[] = [healthz.path, readyz.path, metrics.path]

/**
 * Returns a hook that rejects requests to another name of this server. Otherwise the page of an attacker could have its
 * own name resolve to this server, and read what the server shows to its own pages (DNS rebinding). Ignores another
 * name that a proxy forwards, so that no address or policy in a response contains it.
 *
 * @param allowed names and addresses besides those of the settings and loopback
 */
export function requireKnownHost({ settings, web }: FullContext, allowed: readonly string[]) {
  const { publicUrl } = settings
  const urls = [publicUrl, web.hostUrl, web.miniAppsUrl].filter((url): url is string => /^https?:/.test(url ?? ''))
  const hostNames = new Set([...urls.map((url) => new URL(url).host), ...allowed].map(hostNameOf))

  /** @throws SoukError `host_unknown` */
  return async function checkHost(request: FastifyRequest): Promise<void> {
    const { headers } = request.raw
    if (exempt.includes(request.routeOptions.url)) return
    if (!isKnown(request.host)) delete headers['x-forwarded-host']
    if (isKnown(headers.host ?? '')) return
    throw new SoukError(
      'host_unknown',
      `Use ${publicUrl}. If the server has other names, add them to SOUK_ALLOWED_HOSTS, or correct SOUK_PUBLIC_URL.`,
    )
  }

  function isKnown(host: string): boolean {
    const name = hostNameOf(host)
    return name !== undefined && (hostNames.has(name) || isLoopback(name))
  }
}

/** Returns the normalized name or address of a Host header, without port, or undefined if it is not valid. */
function hostNameOf(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined
  const bare = ipaddr.IPv6.isValid(host) ? `[${host}]` : host
  return URL.parse(`http://${bare}`)?.hostname.replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = name.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
