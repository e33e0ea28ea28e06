import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'

/** The settings, which `readConfig` reads from environment variables. */
export interface Config {
  host: string
  port: number
  dataDir: string
  /** Undefined for the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  publicUrl: string
  /** Origin that serves the files of releases; undefined if it is the one of `publicUrl`. */
  miniAppsUrl: string | undefined
  /** Address that payers return to from a provider's page; `tradeNo` is added to its query. */
  hostUrl: string
  environment: 'sandbox' | 'live'
  /** Whether operators approve what mini apps show to host users and may do. */
  approvals: 'required' | 'automatic'
  /** Who may create projects besides administrators. */
  projectCreation: 'everyone' | 'allowed' | 'operators'
  /** Whether this process serves requests, runs jobs, or both. */
  role: 'all' | 'api' | 'worker'
  logLevel: string
  /** Requests per second of a mini app or an account; 0 disables the limit. */
  rateLimit: number
  /** Private hosts, addresses and CIDR ranges that callbacks may reach. */
  privateHosts: string[]
  /** 32 bytes; undefined for the key in `dataDir`. */
  masterKey: Buffer | undefined
  /** Seconds. */
  accessTokenLifetime: number
  /** Number of trusted proxies that append to `X-Forwarded-For`. */
  trustProxy: number
  /** Host names and addresses of this server, besides those of its URLs and loopback. */
  allowedHosts: string[]
  /** Respond to all open API requests with HTTP 200, for clients that read only the envelope. */
  openApiAlways200: boolean
  /** Refuse releases that are not signed with an approved key. */
  requireSignedReleases: boolean
  /** Maximum number of open connections. */
  maxConnections: number
  /** Seconds that a request may take to arrive. */
  requestTimeout: number
  /** Seconds after which a connection is closed on which nothing was sent or read. */
  idleTimeout: number
}

/** An invalid setting. The message names it, its value and what is allowed. */
export class ConfigError extends Error {}

/**
 * Reads the settings.
 *
 * @throws ConfigError naming the variable
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback
  const number = (name: string, fallback: number, min: number, max: number) => {
    const value = Number(text(name, String(fallback)))
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${env[name]}"`)
    }
    return value
  }
  const oneOf = <const T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name, fallback)
    const found = allowed.find((item) => item === value)
    if (!found) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}"`)
    return found
  }

  const port = number('PORT', 7070, 0, 65_535)
  const publicUrl = text('SOUK_PUBLIC_URL', `http://localhost:${port}`).replace(/(?<!\/)\/+$/, '')
  if (!/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? '')) {
    throw new ConfigError(`SOUK_PUBLIC_URL must be an http or https URL, not "${publicUrl}"`)
  }
  const hostUrl = text('SOUK_HOST_URL', `${publicUrl}/host/paid`)
  if (!URL.canParse(hostUrl) || /^(javascript|data):/i.test(hostUrl)) {
    throw new ConfigError(
      `SOUK_HOST_URL must be an absolute URL, of a web page or an app (such as myhost://pay), not "${hostUrl}"`,
    )
  }
  const environment = oneOf('SOUK_ENVIRONMENT', ['sandbox', 'live'], 'sandbox')
  const sandbox = environment === 'sandbox'
  const approvals = oneOf('SOUK_APPROVALS', ['required', 'automatic'], sandbox ? 'automatic' : 'required')
  if (approvals === 'automatic' && !sandbox) {
    throw new ConfigError('SOUK_APPROVALS must be required in a live installation; mark projects as trusted instead')
  }
  return {
    host: text('HOST', sandbox ? '127.0.0.1' : '0.0.0.0'),
    port,
    dataDir: resolve(text('SOUK_DATA_DIR', '.souk')),
    databaseUrl: env.DATABASE_URL?.trim() || undefined,
    publicUrl,
    miniAppsUrl: readMiniAppsUrl(env.SOUK_MINI_APPS_URL?.trim(), publicUrl),
    hostUrl,
    environment,
    approvals,
    projectCreation: oneOf(
      'SOUK_PROJECT_CREATION',
      ['everyone', 'allowed', 'operators'],
      sandbox ? 'everyone' : 'allowed',
    ),
    role: oneOf('SOUK_ROLE', ['all', 'api', 'worker'], 'all'),
    logLevel: oneOf('SOUK_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    rateLimit: number('SOUK_RATE_LIMIT', 500, 0, 1_000_000),
    privateHosts: text('SOUK_PRIVATE_HOSTS', '')
      .split(/[\s,]+/)
      .filter(Boolean),
    masterKey: readMasterKey(env.SOUK_MASTER_KEY?.trim()),
    accessTokenLifetime: number('SOUK_ACCESS_TOKEN_LIFETIME', 604_800, 60, 31_536_000),
    allowedHosts: readHosts(text('SOUK_ALLOWED_HOSTS', '')),
    trustProxy: number('SOUK_TRUST_PROXY', 0, 0, 10),
    openApiAlways200: oneOf('SOUK_OPEN_API_ALWAYS_200', ['true', 'false'], 'false') === 'true',
    requireSignedReleases: oneOf('SOUK_REQUIRE_SIGNED_RELEASES', ['true', 'false'], 'false') === 'true',
    maxConnections: number('SOUK_MAX_CONNECTIONS', 5000, 10, 1_000_000),
    requestTimeout: number('SOUK_REQUEST_TIMEOUT', 120, 1, 3600),
    // Event streams write every 15 seconds.
    idleTimeout: number('SOUK_IDLE_TIMEOUT', 60, 20, 3600),
  }
}

/** Browsers send cookies to all ports of a host, so another port is not enough. */
function readMiniAppsUrl(value: string | undefined, publicUrl: string): string | undefined {
  if (!value) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && value.replace(/\/$/, '') === url.origin) {
    if (url.hostname !== new URL(publicUrl).hostname) return url.origin
  }
  throw new ConfigError(
    `SOUK_MINI_APPS_URL must be an http or https URL without a path, with another host than SOUK_PUBLIC_URL, not "${value}"`,
  )
}

function readHosts(value: string): string[] {
  const hosts = value.split(/[\s,]+/).filter(Boolean)
  const wrong = hosts.find((host) => !ipaddr.IPv6.isValid(host) && !/^[\w-]+(\.[\w-]+)*$/.test(host))
  if (wrong === undefined) return hosts
  throw new ConfigError(
    `SOUK_ALLOWED_HOSTS must be host names or IP addresses, without scheme and port, not "${wrong}"`,
  )
}

function readMasterKey(value: string | undefined): Buffer | undefined {
  if (!value) return undefined
  if (!/^[0-9a-f]{64}$/i.test(value)) {
    throw new ConfigError(
      'SOUK_MASTER_KEY must be 64 hexadecimal digits (32 bytes); create one with `openssl rand -hex 32`',
    )
  }
  return Buffer.from(value, 'hex')
}
