import { closest } from '@souk/pages'

/** Names of the settings, which `readConfig` reads. */
export const settings = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
  'SOUK_ACCESS_TOKEN_LIFETIME',
  'SOUK_ALLOWED_HOSTS',
  'SOUK_ANALYTICS_RETENTION',
  'SOUK_APPROVALS',
  'SOUK_ARCHIVE_DIR',
  'SOUK_BACKUP_PASSPHRASE',
  'SOUK_DATABASE_CONNECTIONS',
  'SOUK_DATA_DIR',
  'SOUK_DIRECT_DATABASE_URL',
  'SOUK_DRAIN_DELAY',
  'SOUK_ENVIRONMENT',
  'SOUK_HOST_URL',
  'SOUK_IDLE_TIMEOUT',
  'SOUK_LOG_LEVEL',
  'SOUK_MAIL_FROM',
  'SOUK_MAP_ATTRIBUTION',
  'SOUK_MAP_TILES',
  'SOUK_MASTER_KEY',
  'SOUK_MAX_CONNECTIONS',
  'SOUK_MIGRATIONS',
  'SOUK_MINI_APPS_URL',
  'SOUK_OPEN_API_2023',
  'SOUK_OPEN_API_ALWAYS_200',
  'SOUK_PRIVATE_HOSTS',
  'SOUK_PROJECT_CREATION',
  'SOUK_PUBLIC_URL',
  'SOUK_RATE_LIMIT',
  'SOUK_REQUEST_LOG_RETENTION',
  'SOUK_REQUEST_TIMEOUT',
  'SOUK_REQUIRE_SIGNED_RELEASES',
  'SOUK_ROLE',
  'SOUK_S3_ACCESS_KEY_ID',
  'SOUK_S3_REGION',
  'SOUK_S3_SECRET_ACCESS_KEY',
  'SOUK_S3_URL',
  'SOUK_SMTP_URL',
  'SOUK_STATEMENT_TIMEOUT',
  'SOUK_STORAGE',
  'SOUK_TRADE_RETENTION',
  'SOUK_TRUST_PROXY',
] as const

/** Settings that contain a secret. A variable with `_FILE` at its end can name a file with the value instead. */
export const secretSettings = [
  'DATABASE_URL',
  'SOUK_BACKUP_PASSPHRASE',
  'SOUK_DIRECT_DATABASE_URL',
  'SOUK_MASTER_KEY',
  'SOUK_S3_ACCESS_KEY_ID',
  'SOUK_S3_SECRET_ACCESS_KEY',
  'SOUK_SMTP_URL',
] as const satisfies readonly (typeof settings)[number][]
const secretFiles = secretSettings.map((name) => `${name}_FILE` as const)

/** Variables of other programs of Souk, which the environment of the server may contain. */
const otherVariables = [
  // npm start
  'SOUK_EXAMPLE',
  // the command line, clients and builds of mini apps
  'SOUK_ADMIN_TOKEN',
  'SOUK_API_KEY',
  'SOUK_APPID',
  'SOUK_PLATFORM',
  'SOUK_SECRET',
  'SOUK_SIGNING_KEY',
  'SOUK_TOKEN',
  'SOUK_URL',
  // samples in guides and in the console
  'SOUK_EVENTS_SECRET',
  'SOUK_HOST_SESSION',
  // tests, and deploy/ha
  'SOUK_CODE_SERVER',
  'SOUK_HA_NET',
  'SOUK_HA_PREFIX',
  'SOUK_HA_STATE',
  'SOUK_PASSWORD',
  'SOUK_SCREENSHOTS',
  'SOUK_TIMEOUT',
]

/** The environment as `readConfig` reads it: nothing but settings. */
export type Settings = Partial<Record<(typeof settings)[number] | (typeof secretFiles)[number], string>>

/** Each setting by its name with the prefix, which people also give to PORT, HOST and DATABASE_URL. */
const byPrefixedName = new Map<string, string>([
  ...[...settings, ...secretFiles].map((name) => [name.startsWith('SOUK_') ? name : `SOUK_${name}`, name] as const),
  ['SOUK_EXAMPLE', 'SOUK_EXAMPLE'],
])

/** Names that Kubernetes adds to each container for a service called `souk` or `souk-…`. */
const kubernetesNames = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/
const kubernetesUrl = /^(tcp|udp|sctp):\/\//

/** Returns a sentence for each variable that is called `SOUK_…` and that no program of Souk reads. */
export function explainUnknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>([...settings, ...secretFiles, ...otherVariables])
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith('SOUK_') || known.has(name)) return []
    if (kubernetesNames.test(name) || kubernetesUrl.test(value ?? '')) return []
    const suggestion = byPrefixedName.get(closest(name, byPrefixedName.keys()) ?? '')
    return `Souk has no setting ${name}; it is ignored.${suggestion ? ` Did you mean ${suggestion}?` : ''}`
  })
}
