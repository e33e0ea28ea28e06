import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { emailPattern } from '@souk/contract'
import type { MapTiles } from '@souk/contract/bridge'
import ipaddr from 'ipaddr.js'
import { namesOneHost } from './kernel/httpUrl.ts'
import { parseKeyRing } from './kernel/keyRing.ts'
import type { MailSettings } from './kernel/mail.ts'
import type { ObjectStorageSettings } from './kernel/objectStorage.ts'
import { type Settings, secretSettings } from './settings.ts'

/** The settings, which `readConfig` reads from environment variables. */
export interface Config {
  host: string
  port: number
  dataDir: string
  /** URL of PostgreSQL without a pooler; undefined for the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /** URL of a pooler that shares sessions between transactions (ADR 342); undefined if there is none. */
  pooledDatabaseUrl: string | undefined
  /** Maximum number of connections of this process to the database. */
  databaseConnections: number
  /** What a server that starts does while the database lacks migrations: applies them, waits, or exits. */
  migrations: 'apply' | 'wait' | 'refuse'
  /** Seconds that a statement may take. */
  statementTimeout: number
  publicUrl: string
  /** Origin that serves the files of releases; undefined if it is the one of `publicUrl`. */
  miniAppsUrl: string | undefined
  /** Address that payers return to from a provider's page; `tradeNo` is added to its query. */
  hostUrl: string
  /** Tile server for maps of mini apps; undefined if none is configured. */
  mapTiles: MapTiles | undefined
  environment: 'sandbox' | 'live'
  /** True if operators approve the texts and permissions of mini apps. */
  approvals: 'required' | 'automatic'
  /** Accounts that may create projects besides administrators. */
  projectCreation: 'everyone' | 'allowed' | 'operators'
  /** Role of this process: serves requests, runs jobs, or both. */
  role: 'all' | 'api' | 'worker'
  logLevel: string
  /** Requests per second of a mini app or an account; 0 disables the limit. */
  rateLimit: number
  /** Private hosts, addresses and CIDR ranges that callbacks may reach. */
  privateHosts: string[]
  /** 32 bytes each, oldest first; undefined for the key ring in `dataDir`. */
  masterKeys: Buffer[] | undefined
  /** Passphrase for `souk backup` and `souk restore`, which prompt for it if it is not set. */
  backupPassphrase: string | undefined
  /** Seconds. */
  accessTokenLifetime: number
  /** Number of trusted proxies that append to `X-Forwarded-For`. */
  trustProxy: number
  /** Host names and addresses of this server, besides those of its URLs and loopback. */
  allowedHosts: string[]
  /** Respond to all open API requests with HTTP 200, unless a mini app has another setting. */
  openApiAlways200: boolean
  /** Accept open API requests of the generation of 2023, too. */
  openApi2023: boolean
  /** Refuse releases that are not signed with an approved key. */
  requireSignedReleases: boolean
  /** Days for which the request log is kept. */
  requestLogRetention: number
  /** Days for which analytics are kept. */
  analyticsRetention: number
  /** Months for which trades are kept in the database; 0 if they are never archived. */
  tradeRetention: number
  /** Folder of archived trades. */
  archiveFolder: string
  /** The mail server; undefined if Souk sends no mail. */
  mail: MailSettings | undefined
  /** Storage of new files and releases. */
  storage: 'database' | 's3'
  /** The S3-compatible storage; undefined if there is none. */
  objectStorage: ObjectStorageSettings | undefined
  /** Maximum number of open connections. */
  maxConnections: number
  /** Seconds that a request may take to arrive. */
  requestTimeout: number
  /** Seconds after which a connection is closed on which nothing was sent or read. */
  idleTimeout: number
  /** Seconds between the first response of `/readyz` with 503 and the end of listening. */
  drainDelay: number
  /** Endpoint for traces and metrics; undefined if they are not exported. `sampling` is a fraction. */
  telemetry: { endpoint: string; sampling: number } | undefined
}

/** An invalid setting. The message names it, its value and what is allowed. */
export class ConfigError extends Error {}

/**
 * Reads the settings.
 *
 * @throws ConfigError naming the variable
 */
export function readConfig(variables: Settings = process.env): Config {
  const env = withSecretFiles(variables)
  const readers = readersOf(env)
  const { optional, text, number, flag, oneOf } = readers
  const port = number('PORT', 7070, 0, 65_535)
  const publicUrl = readPublicUrl(text('SOUK_PUBLIC_URL', `http://localhost:${port}`))
  const objectStorage = readObjectStorage(readers)
  const environment = oneOf('SOUK_ENVIRONMENT', ['sandbox', 'live'], 'sandbox')
  const sandbox = environment === 'sandbox'
  return {
    host: text('HOST', sandbox ? '127.0.0.1' : '0.0.0.0'),
    port,
    dataDir: resolve(text('SOUK_DATA_DIR', '.souk')),
    ...readDatabaseUrls(optional('DATABASE_URL'), optional('SOUK_DIRECT_DATABASE_URL')),
    databaseConnections: number('SOUK_DATABASE_CONNECTIONS', 20, 10, 1000),
    migrations: oneOf('SOUK_MIGRATIONS', ['apply', 'wait', 'refuse'], 'apply'),
    statementTimeout: number('SOUK_STATEMENT_TIMEOUT', 10, 1, 3600),
    publicUrl,
    miniAppsUrl: readMiniAppsUrl(optional('SOUK_MINI_APPS_URL'), publicUrl),
    hostUrl: readHostUrl(text('SOUK_HOST_URL', `${publicUrl}/host/paid`)),
    mapTiles: readMapTiles(optional('SOUK_MAP_TILES'), optional('SOUK_MAP_ATTRIBUTION')),
    environment,
    approvals: readApprovals(
      oneOf('SOUK_APPROVALS', ['required', 'automatic'], sandbox ? 'automatic' : 'required'),
      environment,
    ),
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
    masterKeys: readMasterKeys(optional('SOUK_MASTER_KEY')),
    backupPassphrase: env.SOUK_BACKUP_PASSPHRASE || undefined,
    accessTokenLifetime: number('SOUK_ACCESS_TOKEN_LIFETIME', 604_800, 60, 31_536_000),
    allowedHosts: readHosts(text('SOUK_ALLOWED_HOSTS', '')),
    trustProxy: number('SOUK_TRUST_PROXY', 0, 0, 10),
    openApiAlways200: flag('SOUK_OPEN_API_ALWAYS_200'),
    openApi2023: flag('SOUK_OPEN_API_2023'),
    requireSignedReleases: flag('SOUK_REQUIRE_SIGNED_RELEASES'),
    tradeRetention: readTradeRetention(number('SOUK_TRADE_RETENTION', 0, 0, 1200)),
    archiveFolder: resolve(text('SOUK_ARCHIVE_DIR', join(text('SOUK_DATA_DIR', '.souk'), 'archives'))),
    requestLogRetention: number('SOUK_REQUEST_LOG_RETENTION', 7, 1, 400),
    analyticsRetention: number('SOUK_ANALYTICS_RETENTION', 400, 7, 3650),
    mail: readMail(optional('SOUK_SMTP_URL'), optional('SOUK_MAIL_FROM')),
    storage: readStorage(oneOf('SOUK_STORAGE', ['database', 's3'], 'database'), objectStorage),
    objectStorage,
    maxConnections: number('SOUK_MAX_CONNECTIONS', 5000, 10, 1_000_000),
    requestTimeout: number('SOUK_REQUEST_TIMEOUT', 120, 1, 3600),
    // Event streams write every 15 seconds.
    idleTimeout: number('SOUK_IDLE_TIMEOUT', 60, 20, 3600),
    drainDelay: number('SOUK_DRAIN_DELAY', 0, 0, 600),
    telemetry: readTelemetry(optional('OTEL_EXPORTER_OTLP_ENDPOINT'), text('OTEL_TRACES_SAMPLER_ARG', '1')),
  }
}

/** Adds the settings whose values are in files, such as credentials of systemd and secrets of containers. */
function withSecretFiles(variables: Settings): Settings {
  const env = { ...variables }
  for (const name of secretSettings) {
    const file = `${name}_FILE` as const
    const path = variables[file]?.trim()
    if (!path) continue
    if (variables[name]?.trim()) throw new ConfigError(`${name} must not be set if ${file} is set`)
    env[name] = readSecret(file, path)
  }
  return env
}

/** Returns the content of a file without the line break at its end. */
function readSecret(name: string, path: string): string {
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (value.trim() !== '') return value
  } catch (error) {
    throw new ConfigError(`${name} must name a file that Souk can read, but ${(error as Error).message}`)
  }
  throw new ConfigError(`${name} must name a file with the value, but ${path} is empty`)
}

/** Functions that read one variable, or its default if it is empty. They throw ConfigError. */
function readersOf(env: Settings) {
  const optional = (name: keyof Settings) => env[name]?.trim() || undefined
  const text = (name: keyof Settings, fallback: string) => optional(name) ?? fallback
  function oneOf<const T extends string>(name: keyof Settings, allowed: readonly T[], fallback: T): T {
    const value = text(name, fallback)
    const found = allowed.find((item) => item === value)
    if (found) return found
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${value}"`)
  }
  return {
    optional,
    text,
    oneOf,
    flag: (name: keyof Settings) => oneOf(name, ['true', 'false'], 'false') === 'true',
    number(name: keyof Settings, fallback: number, min: number, max: number): number {
      const value = Number(text(name, String(fallback)))
      if (Number.isInteger(value) && value >= min && value <= max) return value
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${env[name]}"`)
    },
  }
}

/** Returns the origin in the form that browsers send; undefined if the URL has more than an origin. */
function parseOrigin(value: string): string | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || !namesOneHost(url)) return undefined
  return /^\/+$/.test(url.href.slice(url.origin.length)) ? url.origin : undefined
}

/** Removes user name and password from an address that an error message repeats. */
function withoutCredentials(address: string): string {
  return address.replace(/^([\w+.-]+:\/\/)?.*@/s, '$1…@')
}

function readPublicUrl(value: string): string {
  const origin = parseOrigin(value)
  if (origin !== undefined) return origin
  throw new ConfigError(
    `SOUK_PUBLIC_URL must be an http or https URL without a path, credentials, query and fragment, not "${withoutCredentials(value)}"`,
  )
}

function readHostUrl(value: string): string {
  const url = URL.parse(value)
  // Users are redirected to it.
  if (url && !url.username && !url.password && !/^(javascript|data):$/.test(url.protocol)) return value
  throw new ConfigError(
    `SOUK_HOST_URL must be an absolute URL without credentials, of a web page or an app (such as myhost://pay), not "${withoutCredentials(value)}"`,
  )
}

function readApprovals(value: Config['approvals'], environment: Config['environment']): Config['approvals'] {
  if (value === 'required' || environment === 'sandbox') return value
  throw new ConfigError('SOUK_APPROVALS must be required in a live installation; mark projects as trusted instead')
}

function readStorage(value: Config['storage'], objectStorage: Config['objectStorage']): Config['storage'] {
  if (value === 'database' || objectStorage) return value
  throw new ConfigError('SOUK_S3_URL must be set if SOUK_STORAGE is s3')
}

function readDatabaseUrls(
  url: string | undefined,
  direct: string | undefined,
): Pick<Config, 'databaseUrl' | 'pooledDatabaseUrl'> {
  if (!direct) return { databaseUrl: url, pooledDatabaseUrl: undefined }
  if (!url) throw new ConfigError('SOUK_DIRECT_DATABASE_URL needs DATABASE_URL, the URL of the pooler')
  return { databaseUrl: direct, pooledDatabaseUrl: url }
}

/** Reads the retention in months. Operators need a trade for 18 months, in which its payment can be disputed. */
function readTradeRetention(months: number): number {
  if (months === 0 || months >= 24) return months
  throw new ConfigError(`SOUK_TRADE_RETENTION must be 0 (never archive) or at least 24 months, not "${months}"`)
}

/** Reads the settings of the object storage. Messages never contain the secret. */
function readObjectStorage({ optional, text }: ReturnType<typeof readersOf>): ObjectStorageSettings | undefined {
  const value = optional('SOUK_S3_URL')
  if (!value) return undefined
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new ConfigError(
      'SOUK_S3_URL must be the http or https URL of a bucket, or of a folder in it, without credentials and query, ' +
        'such as https://s3.example.com/souk/ or https://souk.s3.eu-central-1.amazonaws.com/',
    )
  }
  const accessKeyId = optional('SOUK_S3_ACCESS_KEY_ID')
  const secretAccessKey = optional('SOUK_S3_SECRET_ACCESS_KEY')
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError('SOUK_S3_ACCESS_KEY_ID and SOUK_S3_SECRET_ACCESS_KEY must be set if SOUK_S3_URL is set')
  }
  const region = text('SOUK_S3_REGION', 'us-east-1')
  return { url: url.href.replace(/(?<!\/)\/*$/, '/'), region, accessKeyId, secretAccessKey }
}

/** Credentials are never sent in plain text, and the messages never contain them. */
function readMail(value: string | undefined, from: string | undefined): MailSettings | undefined {
  if (!value) return undefined
  const url = URL.parse(value)
  const tls = url?.searchParams.get('tls') ?? (url && isLoopback(url.hostname) ? 'off' : 'required')
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^(required|off)$/.test(tls)) {
    throw new ConfigError(
      'SOUK_SMTP_URL must be smtps://user:password@host:465 or smtp://user:password@host:587, with ?tls=off for a relay without TLS',
    )
  }
  const [user, password] = [url.username, url.password].map(decodeCredential) as [string, string]
  const immediate = url.protocol === 'smtps:'
  if (user && tls === 'off' && !immediate && !isLoopback(url.hostname)) {
    throw new ConfigError('SOUK_SMTP_URL must not combine a password with ?tls=off, which would send it in plain text')
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (immediate ? 465 : 587),
    tls: immediate ? 'immediate' : (tls as 'required' | 'off'),
    ...(user ? { user, password } : {}),
    from: readSender(from ?? ''),
  }
}

function decodeCredential(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new ConfigError('SOUK_SMTP_URL has an incomplete % in its user or password; write % as %25')
  }
}

/** Reads `Name <address>`, or an address alone. */
function readSender(value: string): MailSettings['from'] {
  const [, name = '', address = value] = /^([^<>"\r\n]{0,64})<([^<>]+)>$/.exec(value) ?? []
  if (emailPattern.test(address)) return { name: name.trim() || 'Souk', address }
  throw new ConfigError(
    `SOUK_MAIL_FROM must be the sender of mails, such as Souk <souk@example.com>, if SOUK_SMTP_URL is set, not "${value}"`,
  )
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/i.test(hostname)
}

/** Browsers send cookies to all ports of a host, so another port is not enough. */
function readMiniAppsUrl(value: string | undefined, publicUrl: string): string | undefined {
  if (!value) return undefined
  const origin = parseOrigin(value)
  if (origin !== undefined && new URL(origin).hostname !== new URL(publicUrl).hostname) return origin
  throw new ConfigError(
    `SOUK_MINI_APPS_URL must be an http or https URL without a path, with another host than SOUK_PUBLIC_URL, not "${withoutCredentials(value)}"`,
  )
}

/** Reads the map tiles. Mini apps may load what begins with the part before the placeholders. */
function readMapTiles(url: string | undefined, attribution: string | undefined): MapTiles | undefined {
  if (!url) return undefined
  const isTemplate = ['{z}', '{x}', '{y}'].every((name) => url.includes(name))
  const parsed = URL.parse(url)
  if (isTemplate && /^https?:\/\/[^/{}@\s]+\/[^{\s;,]*\{\S+$/.test(url) && parsed && namesOneHost(parsed))
    return { url, ...(attribution && { attribution }) }
  throw new ConfigError(
    `SOUK_MAP_TILES must be an http or https URL without credentials, with {z}, {x} and {y} in its path, such as https://tiles.example.com/{z}/{x}/{y}.png, not "${withoutCredentials(url)}"`,
  )
}

function readHosts(value: string): string[] {
  const hosts = value.split(/[\s,]+/).filter(Boolean)
  const wrong = hosts.find((host) => !ipaddr.IPv6.isValid(host) && !/^[\w-]+(\.[\w-]+)*$/.test(host))
  if (wrong === undefined) return hosts
  throw new ConfigError(
    `SOUK_ALLOWED_HOSTS must be host names or IP addresses, without scheme and port, not "${withoutCredentials(wrong)}"`,
  )
}

function readTelemetry(endpoint: string | undefined, fraction: string): Config['telemetry'] {
  if (!endpoint) return undefined
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be the http or https URL of a collector, such as http://localhost:4318, not "${withoutCredentials(endpoint)}"`,
    )
  }
  const sampling = Number(fraction)
  if (!(sampling >= 0 && sampling <= 1)) {
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${fraction}"`)
  }
  return { endpoint: url.href, sampling }
}

function readMasterKeys(value: string | undefined): Buffer[] | undefined {
  if (!value) return undefined
  try {
    const keys = parseKeyRing(value)
    if (keys.length === 0) throw new RangeError('it names no key')
    return keys
  } catch (error) {
    throw new ConfigError(
      `SOUK_MASTER_KEY must be one or more keys of 64 hexadecimal digits (32 bytes), separated by commas, oldest first, ` +
        `but ${(error as Error).message}; create one with \`openssl rand -hex 32\``,
    )
  }
}
