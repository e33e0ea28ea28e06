/**
 * What `souk doctor` says, by code: ICU messages in English. `{count, number}` is a number, other arguments are texts.
 * The console has the messages in each language.
 */
export const doctorSentences = {
  failed: 'The check failed.',
  failedDo: 'Read the reason in the log of the server.',
  version: 'This is Souk {version}.',

  tlsNotNeeded: '{url} is enough for a sandbox.',
  tlsMissing: '{url} is not reached over TLS, so sessions and signs can be read on the way.',
  tlsMissingDo: 'Put a reverse proxy with TLS in front, and set SOUK_PUBLIC_URL to its https address.',
  tlsWorks: '{url} is reached over TLS.',
  otherServer: '{url} reaches another server: it answers /healthz with {status}.',
  otherServerDo: 'Let the proxy pass all paths to this server, and the header Host unchanged.',
  urlUnreachable: '{url} cannot be reached from this server: {reason}.',
  certificateDo: 'Install a valid certificate, with its chain, at the proxy.',
  urlUnreachableDo: 'Check its DNS name and the proxy, or try from another machine: curl {url}',

  proxyUntrusted: 'Requests come through a proxy ({proxy}), whose address counts as that of all clients.',
  proxyUntrustedDo: 'Set SOUK_TRUST_PROXY to the number of proxies in front.',
  proxyBypassed:
    'A request from {client} has passed fewer than {trusted} proxies, so such clients can claim any address.',
  proxyBypassedDo: 'Let only the proxy reach this port, by HOST or a firewall, or correct SOUK_TRUST_PROXY.',
  proxyHidden:
    'The client {client} passes on requests of others: it seems to be a proxy behind the trusted ones ({trusted}).',
  proxyHiddenDo: 'Count it in SOUK_TRUST_PROXY, if it is yours.',
  proxyWithoutTls: 'The proxy passes on requests that reached it without TLS (X-Forwarded-Proto: http).',
  proxyWithoutTlsDo: 'Let the proxy redirect http to https.',
  proxyNone: 'No request came through a proxy.',
  proxySeen: 'Requests come through the trusted proxies ({trusted}).',
  proxyUnseen: 'No request has come through the proxy that SOUK_TRUST_PROXY trusts.',
  proxyUnseenDo: 'Open the console at the public URL, and check again. The proxy must set X-Forwarded-For.',

  secretsUnknown: 'No setting has a well-known secret.',
  secretsGuessable: 'Anyone can guess the secret in {settings}.',
  secretsGuessableDo:
    'Set a random one, such as openssl rand -hex 32 prints. Replace a master key with souk keys rotate.',

  keysReadable: 'All secrets can be read with the master keys.',
  keysUnreadable: '{row} cannot be decrypted.',
  keysMissing: 'Values are sealed with the unknown master key {key}.',
  keysWaiting: 'A new master key waits for these processes: {processes}.',
  keysProblemDo: 'Run souk keys status, and read docs/guides/keys.md.',
  keysOld: 'Age of the master key: {days, number} d.',
  keysOldDo: 'Run souk keys rotate.',

  administrators: 'Administrators who can sign in: {count, number}.',
  administratorAlone: 'One administrator can sign in, who approves its own requests.',
  administratorAloneDo: 'Invite a second one, who can also help after a lost password.',
  administratorNone: 'The console has no administrator.',
  administratorNoneDo: 'Open the one-time link that the server printed when it started.',

  issuersNotNeeded: 'A sandbox needs no issuer: mock users sign in.',
  issuersNone: 'There is no trusted issuer, so no user can sign in to the host.',
  issuersNoneDo: 'Add one in Platform settings, or with souk issuers add.',
  issuersReadable: 'The keys of all issuers can be read.',
  keysOfIssuer: 'The keys of {issuer} cannot be read: {reason}.',
  keysOfIssuerDo: 'Check the address and the network; private hosts must be in SOUK_PRIVATE_HOSTS.',

  signOnNone: 'The console has no sign-on provider: accounts sign in with passwords.',
  signOnReadable: 'The keys of all sign-on providers can be read.',
  signOnSuspended: 'Accounts that are suspended because their provider did not send their groups: {count, number}.',
  signOnSuspendedDo: 'Have the provider send the groups; souk sign-on suspended lists the accounts.',

  providers: 'Enabled provider accounts: {count, number}.',
  providersNone: 'No provider account is enabled, so users cannot pay.',
  providersNoneDo: 'Add one under Providers in the console.',

  eventsNone: 'No endpoint gets events.',
  eventsAcknowledged: 'All endpoints acknowledge their events.',
  eventsFailing: '{url} has acknowledged no event for a day.',
  eventsFailed: '{url} has acknowledged no event for five days and is disabled.',
  eventsGone: '{url} answered 410 and is disabled.',
  eventsFailingDo: 'Repair the receiver, then enable the endpoint and replay what it missed, in Platform settings.',

  mailAccepted: '{server} accepts connections.',
  mailFails: '{server} cannot be used: {reason}.',
  mailFailsDo: 'Check SOUK_SMTP_URL and the network, then run souk mail test.',
  mailNotNeeded: 'A sandbox needs no mail: links are handed over.',
  mailNone: 'Mail is not configured, so accounts are not notified of sign-ins from new devices.',
  mailNoneDo: 'Set SOUK_SMTP_URL and SOUK_MAIL_FROM.',

  roleOrdinary: 'The role {role} owns its database and has no other rights.',
  rolePowerful: 'The role {role} of the database has rights that Souk does not need: {rights}.',
  rolePowerfulDo: 'Run the server as a role that only owns its database; see docs/guides/database.md.',
  databaseSupported: 'PostgreSQL {version} is supported.',
  databaseOld: 'PostgreSQL {version} is too old.',
  databaseOldDo: 'Upgrade the database to version {version} or newer.',
  databaseDurable: 'The database keeps what it has confirmed.',
  databaseLoses: 'Confirmed payments can be lost when the machine fails, because this is off: {settings}.',
  databaseLosesDo: 'Switch it on in postgresql.conf, and for the database and user of Souk.',

  timeoutsMissing:
    'Sessions have no lock_timeout or idle_in_transaction_session_timeout: a silent process stops others.',
  timeoutsMissingDo:
    'Behind a pooler, set both for the role of Souk with alter role, as docs/guides/database.md describes.',
  connectionsOpen: '{open} of {available} connections of PostgreSQL are open now, those of the pooler included.',
  connectionsNeeded: 'Connections: at most {needed} of {available} ({each} each, as this one; processes: {processes}).',
  connectionsFull: 'One more process, as during an upgrade, does not fit.',
  poolServerDo: 'Lower the pool size of the pooler, or raise max_connections of PostgreSQL.',
  poolRoleDo: 'Lower the pool size of the pooler, or raise the connection limit of the role {name}.',
  poolDatabaseDo: 'Lower the pool size of the pooler, or raise the connection limit of the database {name}.',
  connectionsServerDo: 'Lower SOUK_DATABASE_CONNECTIONS, or raise max_connections of PostgreSQL.',
  connectionsRoleDo: 'Lower SOUK_DATABASE_CONNECTIONS, or raise the connection limit of the role {name}.',
  connectionsDatabaseDo: 'Lower SOUK_DATABASE_CONNECTIONS, or raise the connection limit of the database {name}.',

  jobsRun: 'Processes that run jobs: {count, number}.',
  jobsStopped: 'No process runs jobs: callbacks, refunds and mails wait, and nothing is reconciled or deleted.',
  jobsStoppedDo: 'Start a process with SOUK_ROLE=worker, or with SOUK_ROLE=all.',

  clocksAgree: 'The clocks of server and database agree.',
  clocksDiffer: 'The clocks of server and database differ by {seconds} s.',
  clockSet: 'The clock of this process was set, or its machine was suspended.',
  clockAhead: 'The clock of this process is {seconds} s ahead of the clock of the database.',
  clockBehind: 'The clock of this process is {seconds} s behind the clock of the database.',
  clockStops: 'Until the clocks agree, this process handles no requests and runs no jobs.',
  clockDo: 'Run a time service such as chrony on both machines.',

  diskNone: 'The server has no data directory.',
  diskFree: '{size} GiB are free in {folder}.',
  diskFullDo: 'Free or add space: without it, the database stops, or months are not archived.',

  storageDatabase: 'Files and releases are in the database.',
  storageUnset: 'Files are in the object storage, but SOUK_S3_URL is not set.',
  storageFails: 'The object storage cannot be used: {reason}',
  storageFailsDo: 'Check the SOUK_S3 settings, the rights of the key, and the network.',
  storageWorks: '{url} can be read and written.',
  storageInDatabase: 'Contents of files and releases that are still in the database: {count, number}.',
  storageInObjects: 'Contents of files and releases that are still in the object storage: {count, number}.',
  storageMoveDo: 'Run souk storage move {place}.',

  backupHours: 'Age of the last backup: {hours} h.',
  backupDays: 'Age of the last backup: {days, number} d.',
  backupArchived: 'The database archives its write-ahead log.',
  backupNotNeeded: 'A sandbox needs no backup.',
  backupNone: 'There is no backup.',
  backupDo: 'Run souk backup every day, or archive the write-ahead log; see docs/guides/backup.md.',

  restoreCheckPassed: 'Age of the last backup that was restored in a check: {days, number} d.',
  restoreCheckFailed: 'The last check that a backup can be restored failed: {code}.',
  restoreCheckFailedDo: 'Run souk restore FOLDER --verify, and follow its message. Keep older backups until it passes.',
  restoreCheckNotNeeded: 'A sandbox needs no check of its backups.',
  restoreCheckNone: 'No backup was restored in a check.',
  restoreCheckDo: 'Run souk restore FOLDER --verify --record every week; see docs/guides/backup.md.',
} as const

type Sentences = typeof doctorSentences
export type DoctorCode = keyof Sentences
export const doctorCodes = Object.keys(doctorSentences) as [DoctorCode, ...DoctorCode[]]

type Written<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Written<Rest> : never
type NameOf<Argument extends string> = Argument extends `${infer Name}, number` ? Name : Argument
/** Values of the arguments of a sentence. */
export type DoctorArguments<Code extends DoctorCode> = {
  [Argument in Written<Sentences[Code]> as NameOf<Argument>]: Argument extends `${string}, number` ? number : string
}

/** A sentence by its code, with the values of its arguments. */
export interface DoctorSentence {
  code: DoctorCode
  arguments: Record<string, string | number>
}

/** Creates a sentence with the arguments that its code has. */
export function doctorSentence<Code extends DoctorCode>(
  code: Code,
  ...values: keyof DoctorArguments<Code> extends never ? [] : [DoctorArguments<Code>]
): DoctorSentence {
  return { code, arguments: { ...values[0] } }
}

/** Returns a sentence in English. */
export function inEnglish({ code, arguments: values }: DoctorSentence): string {
  return doctorSentences[code].replace(/\{(\w+)(?:, number)?\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString('en') : String(value)
  })
}
