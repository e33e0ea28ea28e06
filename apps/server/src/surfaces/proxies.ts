import { opsOperations } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { FullContext } from '../domain/context.ts'

/** Headers with the client address, set by reverse proxies. */
const addressHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Monitoring on the internal network sends these past the proxy. */
const { healthz, readyz, metrics } = opsOperations
const exempt: readonly (string | undefined)[] = [healthz.path, readyz.path, metrics.path]

/**
 * Records in `context.proxies` what requests show about the proxies in front, for `souk doctor`, and logs the first
 * request of a proxy that is not trusted: all its clients share one rate limit.
 *
 * @param trusted number of proxies that are trusted
 */
export function observeProxies(
  server: FastifyInstance,
  { log, proxies, settings }: FullContext,
  trusted: number,
): void {
  proxies.trusted = trusted
  const hasTls = settings.publicUrl.startsWith('https:')
  server.addHook('onRequest', (request, _reply, done) => {
    if (trusted === 0) noteUntrusted(request)
    else {
      removePorts(request)
      if (!exempt.includes(request.routeOptions.url)) noteTrusted(request)
    }
    done()
  })

  function noteUntrusted({ headers }: FastifyRequest): void {
    if (proxies.untrusted !== undefined) return
    proxies.untrusted = addressHeaders.find((name) => headers[name] !== undefined)
    if (proxies.untrusted === undefined) return
    log.warn(
      { header: proxies.untrusted },
      'requests come through a proxy, whose address counts as that of all clients: set SOUK_TRUST_PROXY to the number of proxies',
    )
  }

  function noteTrusted({ headers, socket, ip }: FastifyRequest): void {
    const passed = lastValues(headers['x-forwarded-for'])
    if (passed.length < trusted) {
      // The command line on this machine.
      if (passed.length > 0 || rangeOf(socket.remoteAddress) !== 'loopback') proxies.bypassedBy = socket.remoteAddress
      return
    }
    proxies.seen = true
    if (passed.length > trusted && ['private', 'loopback'].includes(rangeOf(ip))) proxies.hidden = ip
    if (hasTls && lastValues(headers['x-forwarded-proto']).at(-1) === 'http') proxies.withoutTls = true
  }
}

/** Azure's gateways add the client's port, with which each of its connections would count as another client. */
function removePorts({ raw: { headers } }: FastifyRequest): void {
  if (headers['x-forwarded-for'] === undefined) return
  const addresses = lastValues(headers['x-forwarded-for'])
  headers['x-forwarded-for'] = addresses.map((value) => value.replace(portOf, '$1$2')).join(', ')
}

/** An IPv4 address with a port, or an IPv6 address in brackets. */
const portOf = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/

function lastValues(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)
}

function rangeOf(address: string | undefined): string {
  return address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).range() : 'unknown'
}
