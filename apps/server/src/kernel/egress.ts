import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { second } from '@souk/contract'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import type { Metrics } from './metrics.ts'
import { userAgentOf } from './package.ts'
import { type Span, SpanKind, traced } from './tracing.ts'

/** Sends requests to addresses chosen by others (`notifyUrl`) and to providers. */
export interface Egress {
  /**
   * Returns whether a host name or IP literal (`URL.hostname`) is in the operator's list or in `extraHosts`. Only such
   * hosts may be reached by plain http (open-api §4.3, `notifyUrl`).
   */
  allowsPrivate(hostname: string, extraHosts?: readonly string[]): boolean
  /** Returns why an entry cannot be used in `extraHosts`, as a sentence, or null if it can. */
  explainInvalidEntry(entry: string): string | null
  /**
   * Returns why a host can never be reached, if that is known without a DNS lookup: for an IP literal or a name of
   * this machine (`localhost`). The text may be shown to developers.
   */
  refusal(hostname: string, extraHosts?: readonly string[]): string | undefined
  /**
   * Sends a request and reads the start of the response. Does not follow redirects.
   * @throws EgressRefused if connections to the address are not allowed
   * @throws EgressBusy if no connection to the origin became free in time; nothing was sent
   * @throws DOMException named `TimeoutError` if the response was not complete in time
   * @throws Error with a `code` of Node, OpenSSL or undici for all other failures
   */
  request(input: EgressRequest): Promise<EgressResponse>
  /** Closes all connections; pending requests reject. */
  close(): Promise<void>
}

interface EgressRequest {
  /** Purpose in traces and metrics: one of few names, such as `callback` or the name of a provider. */
  purpose: string
  url: string
  method: 'GET' | 'POST'
  /** Sent with the `User-Agent` of Souk, which replaces that of a library, and with `Accept` if it is missing. */
  headers: Record<string, string>
  body?: string
  /**
   * Private hosts that this request may reach in addition to the operator's list, in the same formats. Its connections
   * are not shared with requests that have other entries.
   */
  extraHosts?: readonly string[]
  /**
   * Time in ms from DNS lookup to the end of the response. A request waits as long at most for one of the connections
   * to its origin, which is not part of this time.
   */
  timeout: number
  /** Called when the request has got its connection, or is about to open one. */
  onStart?: () => void
  /** Maximum size of the response body. The rest is not read, and the connection is closed. */
  maxBytes: number
}

interface EgressResponse {
  status: number
  /** Names in lower case; values of repeated headers joined by commas. */
  headers: Record<string, string>
  /** At most `maxBytes`, decoded as UTF-8. */
  body: string
}

export interface EgressOptions {
  /** Private hosts that may be reached: host names, `*.suffix` for subdomains, IP addresses, CIDR ranges. */
  allowlist: readonly string[]
  /** Allows `localhost` and loopback addresses, since in a sandbox receivers run on the developer's machine. */
  loopback: boolean
  /** Public URL of the installation, whose documentation the `User-Agent` names. */
  publicUrl?: string
  /** Maximum concurrent requests to one origin. */
  maxConnections?: number
  /** Counts requests by purpose. */
  metrics?: Pick<Metrics, 'outgoingRequests' | 'outgoingDuration'>
  /** Returns all addresses of a name. Default: the system's resolver. */
  resolve?: Resolve
}

type Resolve = (hostname: string) => Promise<LookupAddress[]>

/**
 * Connections to the address are not allowed. The message names it and says how an operator can allow it; it may be
 * shown to developers.
 */
export class EgressRefused extends Error {
  override name = 'EgressRefused'
  /** The rejected address, for the log; null if the URL itself was rejected. */
  readonly address: string | null

  constructor(message: string, address: string | null = null) {
    super(message)
    this.address = address
  }
}

/** All connections to an origin were busy; nothing was sent. */
export class EgressBusy extends Error {
  override name = 'EgressBusy'
}

/** Twice the maximum number of concurrent deliveries of a process to one receiver. */
const defaultMaxConnections = 128
/** Number of origins whose connections stay open. */
const maxOrigins = 256
/**
 * Shorter than the idle timeout of receivers (5 s in Node), which would close a connection while a request is written.
 */
const keepAliveTimeout = 2 * second
/** For connections that outlive the request that opened them. */
const connectTimeout = 5 * second

/**
 * Creates the guarded HTTP client. It checks addresses at the socket: a name is resolved once, and the connection goes
 * to one of the allowed addresses, so DNS rebinding has no effect (ADR 20).
 * @throws Error naming the entry if an entry of the allowlist is not valid
 */
export function createEgress({
  allowlist,
  loopback,
  publicUrl,
  metrics,
  maxConnections = defaultMaxConnections,
  resolve = resolveBySystem,
}: EgressOptions): Egress {
  const entries = loopback ? [...allowlist, ...loopbackEntries] : allowlist
  const hosts = new PrivateHosts(entries)
  const userAgent = userAgentOf(publicUrl)
  const pools = new LRUCache<string, Origin>({
    max: maxOrigins,
    dispose: ({ pool }, _key, reason) => {
      if (reason === 'evict') void pool.close()
    },
  })

  const hostsWith = (extraHosts: readonly string[]) =>
    extraHosts.length === 0 ? hosts : new PrivateHosts(entries, extraHosts)

  /**
   * Returns the connections to the origin of an address that were opened with the same extra hosts.
   * @throws EgressRefused if it may not be reached by plain http
   */
  function connectionsTo({ protocol, host, hostname, origin }: URL, extraHosts: readonly string[]): Origin {
    const key = extraHosts.length === 0 ? origin : [origin, ...[...extraHosts].sort()].join(' ')
    const open = pools.get(key)
    if (open) return open
    const allowed = hostsWith(extraHosts)
    if (protocol === 'http:' && !allowed.has(canonical(hostname))) {
      throw new EgressRefused(
        `${host} cannot be reached by plain http, which is allowed only for hosts in SOUK_PRIVATE_HOSTS; use https.`,
      )
    }
    const pool = new Pool(origin, {
      connect: checkedConnector(allowed, resolve),
      connections: maxConnections,
      pipelining: 1,
      keepAliveTimeout,
      // `timeout` of the request covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const created = { pool, limit: pLimit(maxConnections) }
    pools.set(key, created)
    return created
  }

  async function send({
    url,
    method,
    headers,
    body,
    extraHosts = [],
    timeout,
    onStart,
    maxBytes,
  }: EgressRequest): Promise<EgressResponse> {
    const target = parseUrl(url)
    const { pool, limit } = connectionsTo(target, extraHosts)
    return runWithinLimit(limit, timeout, () => {
      onStart?.()
      const path = target.pathname + target.search
      const sent = identified(headers, userAgent)
      return exchange(pool, { path, method, headers: sent, body: body ?? null }, { timeout, maxBytes })
    })
  }

  return {
    allowsPrivate: (hostname, extraHosts = []) => hostsWith(extraHosts).has(canonical(hostname)),
    explainInvalidEntry,
    refusal(hostname, extraHosts = []) {
      const host = canonical(hostname)
      const address = isIP(host) ? host : /(^|\.)localhost$/.test(host) ? '127.0.0.1' : undefined
      return address && hostsWith(extraHosts).refusal(host, [address])?.message
    },
    request: (input) => observe(metrics, input, () => send(input)),
    async close() {
      await Promise.all([...pools.values()].map(({ pool }) => pool.destroy()))
    },
  }
}

/** Returns the headers with the `User-Agent` of Souk, and with `Accept`. */
function identified(headers: Record<string, string>, userAgent: string): Record<string, string> {
  const sent: Record<string, string> = { accept: '*/*' }
  for (const name in headers) sent[name.toLowerCase()] = headers[name]!
  sent['user-agent'] = userAgent
  return sent
}

/** Opens sockets to allowed addresses only. */
function checkedConnector(hosts: PrivateHosts, resolve: Resolve): buildConnector.connector {
  const connectSocket = buildConnector({ timeout: connectTimeout, lookup: checkedLookup(hosts, resolve) })
  return (options, callback) => {
    const host = canonical(options.hostname)
    // Node does not call `lookup` for IP addresses.
    const refused = isIP(host) ? hosts.refusal(host, [host]) : undefined
    if (refused) return callback(refused, null)
    connectSocket(options, (error, socket) => {
      if (error) return callback(error, null)
      // Check the actual peer again.
      const peerRefused = hosts.refusal(host, socket.remoteAddress ? [socket.remoteAddress] : [])
      if (!peerRefused) return callback(null, socket)
      socket.destroy()
      callback(peerRefused, null)
    })
  }
}

/** Counts and traces a request. No `traceparent` is sent: traces stay inside the installation. */
async function observe(
  metrics: EgressOptions['metrics'],
  { purpose, method, url }: EgressRequest,
  send: () => Promise<EgressResponse>,
): Promise<EgressResponse> {
  const began = performance.now()
  let outcome = 'error'
  const request = async (span?: Span) => {
    span?.setAttributes({ 'http.request.method': method, 'server.address': URL.parse(url)?.hostname ?? '' })
    const response = await send()
    span?.setAttribute('http.response.status_code', response.status)
    outcome = `${Math.trunc(response.status / 100)}xx`
    return response
  }
  try {
    return await traced(`${method} ${purpose}`, request, SpanKind.CLIENT)
  } finally {
    metrics?.outgoingRequests.inc({ purpose, outcome })
    metrics?.outgoingDuration.observe({ purpose }, (performance.now() - began) / 1000)
  }
}

function parseUrl(url: string): URL {
  const target = URL.parse(url)
  if (target?.protocol === 'https:' || target?.protocol === 'http:') return target
  throw new EgressRefused('The address is not an absolute URL with https (or, for private hosts, http).')
}

/** The connections to an origin. `limit` keeps requests from waiting inside the pool, where their time would run. */
interface Origin {
  pool: Pool
  limit: LimitFunction
}

/** Runs `work` when the limit allows it. @throws EgressBusy if it does not within `patience` ms */
async function runWithinLimit<T>(limit: LimitFunction, patience: number, work: () => Promise<T>): Promise<T> {
  if (limit.activeCount + limit.pendingCount < limit.concurrency) return limit(work)
  const { promise: impatient, reject } = Promise.withResolvers<never>()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    reject(new EgressBusy(`all connections were busy for ${patience} ms`))
  }, patience)
  const done = limit(async () => {
    clearTimeout(timer)
    // Rejected already.
    if (isOver) return impatient
    return work()
  })
  return Promise.race([done, impatient])
}

const utf8 = new TextDecoder()

/**
 * Sends a request and reads the start of its response, within `timeout` ms. With a handler instead of `pool.request`,
 * which creates a stream, an iterator and a signal per response.
 */
function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { timeout, maxBytes }: Pick<EgressRequest, 'timeout' | 'maxBytes'>,
): Promise<EgressResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<EgressResponse>()
  const response: EgressResponse = { status: 0, headers: {}, body: '' }
  const chunks: Buffer[] = []
  let left = maxBytes
  let controller: Dispatcher.DispatchController | undefined
  let timedOut: DOMException | undefined
  const timer = setTimeout(() => {
    timedOut = new DOMException(`no complete response within ${timeout} ms`, 'TimeoutError')
    reject(timedOut)
    controller?.abort(timedOut)
  }, timeout)
  pool.dispatch(request, {
    onRequestStart(started) {
      controller = started
      // undici also connects for requests that have timed out.
      if (timedOut) controller.abort(timedOut)
    },
    onResponseStart(_controller, status, headers) {
      response.status = status
      for (const name in headers) response.headers[name] = String(headers[name] ?? '')
    },
    onResponseData(started, chunk) {
      chunks.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left >= 0) return
      clearTimeout(timer)
      // Without the start of a character whose end is missing.
      response.body = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
      resolve(response)
      // Closes the connection.
      started.abort(new Error('the rest of the response is not read'))
    },
    onResponseEnd() {
      clearTimeout(timer)
      response.body = utf8.decode(Buffer.concat(chunks))
      resolve(response)
    },
    onResponseError(_controller, error) {
      clearTimeout(timer)
      reject(error)
    },
  })
  return promise
}

const lookUp = promisify(lookup)
const lookUps = new Map<string, Promise<LookupAddress[]>>()

/**
 * Resolves a name once at a time, because the system's resolver has four threads, which a name that hangs could block.
 */
function resolveBySystem(hostname: string): Promise<LookupAddress[]> {
  const pending = lookUps.get(hostname)
  if (pending) return pending
  const started = lookUp(hostname, { all: true }).finally(() => lookUps.delete(hostname))
  lookUps.set(hostname, started)
  return started
}

/** Creates a lookup for `net.connect` that returns only allowed addresses. */
function checkedLookup(hosts: PrivateHosts, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const host = canonical(hostname)
        const refused = hosts.refusal(
          host,
          found.map(({ address }) => address),
        )
        const allowed = found.filter(({ address }) => !hosts.refusal(host, [address]))
        if (allowed.length === 0) callback(refused ?? noAddress(hostname), '', 0)
        else if (options.all) callback(null, allowed)
        else callback(null, allowed[0]?.address ?? '', allowed[0]?.family)
      },
      (error) => callback(error, '', 0),
    )
  }
}

function noAddress(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}

/** Returns a host in lower case, without the brackets of IPv6 and a trailing dot. */
function canonical(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [base: Address, bits: number]

const loopbackEntries = ['localhost', '*.localhost', '127.0.0.0/8', '::1']

/** Addresses of cloud metadata services. Two of them look public. */
const metadataAddresses = new Set(
  ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
    ipaddr.parse(text).toNormalizedString(),
  ),
)

/** The only allocated block of public IPv6 addresses. */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

const embeddedIpv4 = 'an IPv6 address that embeds an IPv4 address'
const kinds = {
  metadata: 'the address of a cloud metadata service',
  private: 'a private address',
  uniqueLocal: 'a unique-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  loopback: 'a loopback address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  unspecified: 'an unspecified address',
  ipv4Mapped: embeddedIpv4,
  rfc6145: embeddedIpv4,
  rfc6052: embeddedIpv4,
  '6to4': embeddedIpv4,
  teredo: embeddedIpv4,
  reserved: 'a reserved address',
} as const
type Kind = keyof typeof kinds

/** The kinds of addresses that a listed host name allows; the owner of the name chooses the address. */
const allowedByName: ReadonlySet<Kind> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])

/** Returns the kind of a special address, or undefined for a public one. */
function kindOf(address: Address): Kind | undefined {
  if (metadataAddresses.has(address.toNormalizedString())) return 'metadata'
  const range = address.range()
  if (range !== 'unicast') return range in kinds ? (range as Kind) : 'reserved'
  return address.kind() === 'ipv6' && !address.match(globalIpv6) ? 'reserved' : undefined
}

/** Parsed entries of an allowlist; decides which addresses may be reached. */
class PrivateHosts {
  readonly #names = new Set<string>()
  readonly #suffixes: string[] = []
  readonly #ranges: Range[] = []
  /** A range of a single mini app can contain special addresses, which it does not allow. */
  readonly #extraRanges: Range[] = []

  constructor(entries: readonly string[], extraEntries: readonly string[] = []) {
    for (const entry of entries) this.#add(entry.trim(), this.#ranges)
    for (const entry of extraEntries) this.#add(entry.trim(), this.#extraRanges)
  }

  #add(entry: string, ranges: Range[]): void {
    const literal = canonical(entry)
    if (isIP(literal)) ranges.push([ipaddr.parse(literal), literal.includes(':') ? 128 : 32])
    else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (/^\*\.[^*]+$/.test(entry)) this.#suffixes.push(`.${hostOf(entry.slice(2), entry)}`)
    else this.#names.add(hostOf(entry, entry))
  }

  /** Returns whether a canonical host is listed by its name or is an address in a listed range. */
  has(host: string): boolean {
    if (isIP(host)) return this.#holds(ipaddr.parse(host))
    return this.#names.has(host) || this.#suffixes.some((suffix) => host.endsWith(suffix))
  }

  /** Returns why none of the addresses of a canonical host is allowed, or undefined if one is. */
  refusal(host: string, addresses: readonly string[]): EgressRefused | undefined {
    let refused: EgressRefused | undefined
    for (const text of addresses) {
      const address = ipaddr.parse(text)
      const kind = kindOf(address)
      if (!kind || this.#holds(address) || (allowedByName.has(kind) && this.has(host))) return undefined
      refused ??= refusalOf(host, text, kind)
    }
    return refused
  }

  #holds(address: Address): boolean {
    // A range does not allow a metadata service in it; those must be listed one by one.
    const exactly = metadataAddresses.has(address.toNormalizedString())
    const whole = address.kind() === 'ipv6' ? 128 : 32
    const kind = kindOf(address)
    const ranges = kind && !allowedByName.has(kind) ? this.#ranges : [...this.#ranges, ...this.#extraRanges]
    return ranges.some(
      ([base, bits]) => base.kind() === address.kind() && address.match(base, bits) && (!exactly || bits === whole),
    )
  }
}

/** Entries of a single mini app must not allow special addresses other than private networks. */
function explainInvalidEntry(entry: string): string | null {
  try {
    new PrivateHosts([entry])
  } catch {
    return `${JSON.stringify(entry)} is not a host name, *.suffix, an IP address, or a range such as 10.2.0.0/16.`
  }
  const literal = canonical(entry)
  const base = isIP(literal)
    ? ipaddr.parse(literal)
    : ipaddr.isValidCIDR(entry)
      ? ipaddr.parseCIDR(entry)[0]
      : undefined
  const kind = base && kindOf(base)
  if (kind === undefined || allowedByName.has(kind)) return null
  return `${JSON.stringify(entry)} is ${kinds[kind]}, which cannot be allowed for a single mini app.`
}

function refusalOf(host: string, address: string, kind: Kind): EgressRefused {
  const what = isIP(host) ? `${host} is ${kinds[kind]}` : `${host} resolves to ${kinds[kind]}`
  const entry = isIP(host) ? host : allowedByName.has(kind) ? `the host name (${host})` : 'the address itself'
  return new EgressRefused(
    `${what}, which Souk does not connect to. An operator can allow it by adding ${entry} to SOUK_PRIVATE_HOSTS.`,
    address,
  )
}

/** Returns the host name of an entry as in `URL.hostname`. */
function hostOf(text: string, entry: string): string {
  const url = /^[^\s/?#@:*]+$/.test(text) && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined
  if (!url || isIP(url.hostname)) {
    // A URL instead of a host may contain a password.
    throw new Error(
      `SOUK_PRIVATE_HOSTS contains "${entry.replace(/^.*@/s, '…@')}", which is not a host name, *.suffix, an IP address, or a CIDR range such as 10.0.0.0/8.`,
    )
  }
  return canonical(url.hostname)
}
