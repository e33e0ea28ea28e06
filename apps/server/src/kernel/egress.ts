import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { buildConnector, Pool } from 'undici'

/** The way out to the network for addresses that others chose (`notifyUrl`) or that a provider has. */
export interface Egress {
  /**
   * Whether the operator listed this host name or IP literal, as `URL.hostname` gives it, for everybody or in `also`: only
   * such hosts may be reached by plain http (open-api §4.3, `notifyUrl`).
   */
  allowsPrivate(hostname: string, also?: readonly string[]): boolean
  /** Why a request may not carry this entry in `also`, as a sentence; null where it may. */
  faultOfEntry(entry: string): string | null
  /**
   * Why this host can never be reached, for one that needs no look-up to tell: an IP literal or a name of this machine
   * (`localhost`), as `URL.hostname` gives it. Undefined for what is allowed, and for every other name. Fit for the developer.
   */
  refusal(hostname: string, also?: readonly string[]): string | undefined
  /**
   * Sends one request and reads the beginning of the answer. Redirects are answers like any other: none is followed.
   * @throws EgressRefused when the address is not one that Souk connects to.
   * @throws DOMException named `TimeoutError` when the whole answer was not there in time.
   * @throws Error with a `code` of Node, OpenSSL or undici for everything else that befalls a connection.
   */
  request(input: EgressRequest): Promise<EgressAnswer>
  /** Closes all connections; a request that is still under way rejects. */
  close(): Promise<void>
}

interface EgressRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /**
   * What this one request may reach beside what the operator opened for all, in the same forms. No other request shares a
   * connection that was opened by it.
   */
  also?: readonly string[]
  /** For all of it, looking the name up and reading the answer included; ms. */
  timeout: number
  /** Of the answer's body. What goes beyond is not read, and the connection is dropped. */
  maxBytes: number
}

interface EgressAnswer {
  status: number
  /** Names in lower case; a repeated header's values joined with a comma. */
  headers: Record<string, string>
  /** At most `maxBytes`, decoded as UTF-8. */
  body: string
}

export interface EgressOptions {
  /** What the operator opens: host names, `*.suffix` for the names under it, IP addresses, CIDR ranges. */
  allowlist: readonly string[]
  /** Opens `localhost` and the loopback addresses: in a sandbox the receiver runs on the developer's own machine. */
  loopback: boolean
  /** All addresses of a name. The system's resolver, unless a test has its own. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
}

/** Souk does not connect there. The message says to what, and how an operator can allow it; it is fit for the developer. */
export class EgressRefused extends Error {
  override name = 'EgressRefused'
  /** The address that was refused, for the operator's log; null when it was the URL itself. */
  readonly address: string | null

  constructor(message: string, address: string | null = null) {
    super(message)
    this.address = address
  }
}

/** Connections to one origin at most: as many as one process delivers at once, so that none waits for another. */
const CONNECTIONS_PER_ORIGIN = 64
/** Origins whose connections are kept. Beyond it those that were not used for longest are closed. */
const KEPT_ORIGINS = 256
/**
 * An idle connection is closed before the receiver does so itself, which would break the request that is just being written.
 * Node's own server waits 5 s, others less; ms.
 */
const KEEP_ALIVE_MS = 2_000
/** For a connection that outlives the request it was opened for. */
const CONNECT_TIMEOUT_MS = 5_000

/**
 * Makes the guarded way out. The guard stands at the socket: a name is looked up once, its addresses are judged, and the
 * connection goes to one of those that passed, so there is no second DNS answer to swap (ADR 20).
 * @throws Error that names the entry, when the allowlist holds something else than the forms above.
 */
export function createEgress({ allowlist, loopback, resolve = resolveBySystem }: EgressOptions): Egress {
  const forAll = loopback ? [...allowlist, ...LOOPBACK] : allowlist
  const hosts = new PrivateHosts(forAll)
  const pools = new Map<string, Pool>()

  const hostsFor = (also: readonly string[]) => (also.length === 0 ? hosts : new PrivateHosts([...forAll, ...also]))

  function connector(hosts: PrivateHosts): buildConnector.connector {
    const connectSocket = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(hosts, resolve) })
    return (options, callback) => {
      const host = canonical(options.hostname)
      // The system asks for no lookup when the host is an address already.
      const refused = isIP(host) ? hosts.refusal(host, [host]) : undefined
      if (refused) return callback(refused, null)
      connectSocket(options, (error, socket) => {
        if (error) return callback(error, null)
        // Whatever happened in between: this is the peer.
        const misled = hosts.refusal(host, socket.remoteAddress ? [socket.remoteAddress] : [])
        if (!misled) return callback(null, socket)
        socket.destroy()
        callback(misled, null)
      })
    }
  }

  /** The connections to an origin that were opened under one and the same allowance. */
  function poolOf(origin: string, also: readonly string[]): Pool {
    const key = [origin, ...[...also].sort()].join(' ')
    const pool =
      pools.get(key) ??
      new Pool(origin, {
        connect: connector(hostsFor(also)),
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // The caller's one limit covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    pools.delete(key)
    pools.set(key, pool)
    if (pools.size > KEPT_ORIGINS) {
      const [oldest = '', unused] = pools.entries().next().value ?? []
      pools.delete(oldest)
      void unused?.close()
    }
    return pool
  }

  return {
    allowsPrivate: (hostname, also = []) => hostsFor(also).has(canonical(hostname)),
    faultOfEntry,
    refusal(hostname, also = []) {
      const host = canonical(hostname)
      const address = isIP(host) ? host : /(^|\.)localhost$/.test(host) ? '127.0.0.1' : undefined
      return address && hostsFor(also).refusal(host, [address])?.message
    },
    async request({ url, method, headers, body, also = [], timeout, maxBytes }) {
      const target = parseUrl(url)
      if (target.protocol === 'http:' && !hostsFor(also).has(canonical(target.hostname))) {
        throw new EgressRefused(
          `${target.host} is not reached by plain http: only hosts that the operator listed in SOUK_PRIVATE_HOSTS are; use https.`,
        )
      }
      const pool = poolOf(target.origin, also)
      return within(timeout, async (signal) => {
        const path = target.pathname + target.search
        const answer = await pool.request({ path, method, headers, body: body ?? null, signal })
        const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')])
        return {
          status: answer.statusCode,
          headers: Object.fromEntries(pairs),
          body: await readStart(answer.body, maxBytes),
        }
      })
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

function parseUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol === 'https:' || target?.protocol === 'http:') return target
  throw new EgressRefused('The address is no absolute URL with https (or, for private hosts, http).')
}

/** Gives up after `timeout` ms. The signal alone would not do: undici heeds it only once there is a connection. */
async function within<T>(timeout: number, exchange: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    const reason = new DOMException(`no whole answer within ${timeout} ms`, 'TimeoutError')
    reject(reason)
    controller.abort(reason)
  }, timeout)
  try {
    return await Promise.race([exchange(controller.signal), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function readStart(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true })
    left -= chunk.length
    // Leaving the loop drops the connection, and with it the rest.
    if (left < 0) return text
  }
  return text + decoder.decode()
}

const lookUp = promisify(lookup)
const lookUps = new Map<string, Promise<LookupAddress[]>>()

/** One look-up per name at a time: the system's resolver has four threads, and a name that hangs may not take them all. */
function resolveBySystem(hostname: string): Promise<LookupAddress[]> {
  const underWay = lookUps.get(hostname)
  if (underWay) return underWay
  const started = lookUp(hostname, { all: true }).finally(() => lookUps.delete(hostname))
  lookUps.set(hostname, started)
  return started
}

/** A lookup for `net.connect` that gives only addresses which passed: the system connects to these and to no others. */
function checkedLookup(hosts: PrivateHosts, resolve: (hostname: string) => Promise<LookupAddress[]>): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const host = canonical(hostname)
        const refused = hosts.refusal(
          host,
          found.map(({ address }) => address),
        )
        const passed = found.filter(({ address }) => !hosts.refusal(host, [address]))
        if (passed.length === 0) callback(refused ?? noAddress(hostname), '', 0)
        else if (options.all) callback(null, passed)
        else callback(null, passed[0]?.address ?? '', passed[0]?.family)
      },
      (error) => callback(error, '', 0),
    )
  }
}

function noAddress(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}

/** A host as the allowlist holds it: without the brackets of IPv6 and the dot of the root. */
function canonical(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const LOOPBACK = ['localhost', '*.localhost', '127.0.0.0/8', '::1']

/** Ways into a cloud's own machinery. Two of them look like other people's addresses, the rest like private ones. */
const METADATA = new Set(
  ['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
    ipaddr.parse(text).toNormalizedString(),
  ),
)

/** The one block that the Internet's IPv6 addresses come from; everything else has a special meaning or none yet. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

const KINDS = {
  metadata: 'the address of a cloud metadata service',
  private: 'a private address',
  uniqueLocal: 'a unique-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  loopback: 'a loopback address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
  unspecified: 'an unspecified address',
  ipv4Mapped: 'an IPv6 address that stands for an IPv4 address',
  rfc6145: 'an IPv6 address that stands for an IPv4 address',
  rfc6052: 'an IPv6 address that stands for an IPv4 address',
  '6to4': 'an IPv6 address that stands for an IPv4 address',
  teredo: 'an IPv6 address that stands for an IPv4 address',
  reserved: 'a reserved address',
} as const
type Kind = keyof typeof KINDS

/** Networks of one's own. A listed host name opens these and nothing else, since whoever answers for the name picks the address. */
const OPENED_BY_NAME: ReadonlySet<Kind> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])

/** What is special about an address; undefined for a public one. */
function kindOf(address: Address): Kind | undefined {
  if (METADATA.has(address.toNormalizedString())) return 'metadata'
  const range = address.range()
  if (range !== 'unicast') return range in KINDS ? (range as Kind) : 'reserved'
  return address.kind() === 'ipv6' && !address.match(GLOBAL_IPV6) ? 'reserved' : undefined
}

/** The hosts that the operator listed, and the judgement over addresses. */
class PrivateHosts {
  readonly #names = new Set<string>()
  readonly #suffixes: string[] = []
  readonly #ranges: [Address, number][] = []

  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry.trim())
  }

  #add(entry: string): void {
    const literal = canonical(entry)
    if (isIP(literal)) this.#ranges.push([ipaddr.parse(literal), literal.includes(':') ? 128 : 32])
    else if (ipaddr.isValidCIDR(entry)) this.#ranges.push(ipaddr.parseCIDR(entry))
    else if (/^\*\.[^*]+$/.test(entry)) this.#suffixes.push(`.${hostOf(entry.slice(2), entry)}`)
    else this.#names.add(hostOf(entry, entry))
  }

  /** Whether a canonical host is listed: by its name, or as an address that lies in a listed range. */
  has(host: string): boolean {
    if (isIP(host)) return this.#holds(ipaddr.parse(host))
    return this.#names.has(host) || this.#suffixes.some((suffix) => host.endsWith(suffix))
  }

  /** Why Souk connects to none of these addresses of a canonical host; undefined when there is one it connects to. */
  refusal(host: string, addresses: readonly string[]): EgressRefused | undefined {
    let refused: EgressRefused | undefined
    for (const text of addresses) {
      const address = ipaddr.parse(text)
      const kind = kindOf(address)
      if (!kind || this.#holds(address) || (OPENED_BY_NAME.has(kind) && this.has(host))) return undefined
      refused ??= refusalOf(host, text, kind)
    }
    return refused
  }

  #holds(address: Address): boolean {
    // A wide range is not meant for what happens to lie in it: metadata services are opened one by one.
    const exactly = METADATA.has(address.toNormalizedString())
    const whole = address.kind() === 'ipv6' ? 128 : 32
    return this.#ranges.some(
      ([base, bits]) => base.kind() === address.kind() && address.match(base, bits) && (!exactly || bits === whole),
    )
  }
}

/** Whoever runs one mini app is not to get at the machine's own neighbourhood, whatever is listed for it. */
function faultOfEntry(entry: string): string | null {
  try {
    new PrivateHosts([entry])
  } catch {
    return `${JSON.stringify(entry)} is none of: a host name, *.suffix, an IP address, a range such as 10.2.0.0/16.`
  }
  const literal = canonical(entry)
  const base = isIP(literal)
    ? ipaddr.parse(literal)
    : ipaddr.isValidCIDR(entry)
      ? ipaddr.parseCIDR(entry)[0]
      : undefined
  const kind = base && kindOf(base)
  if (kind === undefined || OPENED_BY_NAME.has(kind)) return null
  return `${JSON.stringify(entry)} is ${KINDS[kind]}, which is opened for no single mini app.`
}

function refusalOf(host: string, address: string, kind: Kind): EgressRefused {
  const what = isIP(host) ? `${host} is ${KINDS[kind]}` : `${host} leads to ${KINDS[kind]}`
  const entry = isIP(host) ? host : OPENED_BY_NAME.has(kind) ? `the host name (${host})` : 'that address itself'
  return new EgressRefused(
    `${what}, which Souk does not connect to. An operator can allow it by adding ${entry} to SOUK_PRIVATE_HOSTS.`,
    address,
  )
}

/** The host name of an entry, in the form that URLs have it. */
function hostOf(text: string, entry: string): string {
  const url = /^[^\s/?#@:*]+$/.test(text) && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined
  if (!url || isIP(url.hostname)) {
    throw new Error(
      `SOUK_PRIVATE_HOSTS holds "${entry}", which is none of: a host name, *.suffix, an IP address, a CIDR range such as 10.0.0.0/8.`,
    )
  }
  return canonical(url.hostname)
}
