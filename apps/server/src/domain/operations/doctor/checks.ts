import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { type DoctorCheck, day, hour, second } from '@souk/contract'
import { explainWrongClock } from '../../../kernel/clock.ts'
import type { Egress } from '../../../kernel/egress.ts'
import { soukVersion } from '../../../kernel/package.ts'
import { explainSignOn, explainSuspensions } from '../../console/index.ts'
import type { FullContext } from '../../context.ts'
import { explainKeyProblems, explainStorage, findLastBackup } from '../../installation/index.ts'
import { explainFailingEndpoints, explainMail } from '../../messages/index.ts'
import { explainUnreachable } from '../../users/index.ts'
import {
  type ConnectionLimit,
  countAdministrators,
  countProviderAccounts,
  countWorkers,
  findArchiving,
  findConnectionFigures,
  findDatabaseSettings,
  findRole,
} from './store.ts'

/** The result of a check, as sentences. `advice` says what to do. */
interface Finding {
  state: 'ok' | 'warning' | 'error'
  found: string
  advice?: string
}

const ok = (found: string): Finding => ({ state: 'ok', found })

/** The oldest version of PostgreSQL that is supported. */
const oldestDatabase = 15
/** Difference of clocks above which tokens and timestamps are rejected sooner or later, ms. */
const maxSkew = 2 * second
/** Free space below which an installation soon stops, bytes. */
const minFree = 1024 ** 3

/** Age above which a backup is missing, with some hours for the next daily one to finish. */
const maxBackupAge = day + 6 * hour

/** Age from which a master key should be rotated. */
const maxKeyAge = 400 * day

/** One function per check. */
export const checks: Record<DoctorCheck, (context: FullContext) => Promise<Finding>> = {
  async version() {
    return ok(`This is Souk ${soukVersion}.`)
  },

  async publicUrl({ settings: { publicUrl, sandbox }, egress }) {
    if (publicUrl.startsWith('https:')) return checkTls(egress, publicUrl)
    if (sandbox) return ok(`${publicUrl} is enough for a sandbox.`)
    return {
      state: 'error',
      found: `${publicUrl} is not reached over TLS, so sessions and signs can be read on the way.`,
      advice: 'Put a reverse proxy with TLS in front, and set SOUK_PUBLIC_URL to its https address.',
    }
  },

  async proxies({ proxies: { trusted = 0, seen, untrusted, bypassedBy, hidden, withoutTls }, settings }) {
    const setting = 'SOUK_TRUST_PROXY'
    if (untrusted !== undefined) {
      return {
        state: settings.sandbox ? 'warning' : 'error',
        found: `Requests come through a proxy (${untrusted}), whose address counts as that of all clients.`,
        advice: `Set ${setting} to the number of proxies in front.`,
      }
    }
    if (bypassedBy !== undefined) {
      return {
        state: 'error',
        found: `A request from ${bypassedBy} has passed fewer than ${trusted} proxies, so such clients can claim any address.`,
        advice: `Let only the proxy reach this port, by HOST or a firewall, or correct ${setting}.`,
      }
    }
    if (hidden !== undefined) {
      return {
        state: 'warning',
        found: `The client ${hidden} passes on requests of others: it seems to be a proxy behind the trusted ${trusted}.`,
        advice: `Count it in ${setting}, if it is yours.`,
      }
    }
    if (withoutTls) {
      return {
        state: 'error',
        found: 'The proxy passes on requests that reached it without TLS (X-Forwarded-Proto: http).',
        advice: 'Let the proxy redirect http to https.',
      }
    }
    if (trusted === 0) return ok('No request came through a proxy.')
    if (seen) return ok(`Requests come through ${trusted} trusted ${trusted === 1 ? 'proxy' : 'proxies'}.`)
    return {
      state: 'warning',
      found: `No request has come through the proxy that ${setting} trusts.`,
      advice: 'Open the console at the public URL, and check again. The proxy must set X-Forwarded-For.',
    }
  },

  async secrets({ process: { guessableSecrets = [] }, settings: { sandbox } }) {
    if (guessableSecrets.length === 0) return ok('No setting has a well-known secret.')
    return {
      state: sandbox ? 'warning' : 'error',
      found: `Anyone can guess the secret in ${guessableSecrets.join(' and ')}.`,
      advice: 'Set a random one, such as openssl rand -hex 32 prints. Replace a master key with souk keys rotate.',
    }
  },

  async masterKeys(context) {
    const { problems, currentSince } = await explainKeyProblems(context)
    if (problems.length > 0) {
      return {
        state: 'error',
        found: problems.join(' '),
        advice: 'Run souk keys status, and read docs/guides/operations.md.',
      }
    }
    const age = context.clock.real() - currentSince
    if (age <= maxKeyAge) return ok('All secrets can be read with the master keys.')
    return { state: 'warning', found: `The master key is ${formatAge(age)} old.`, advice: 'Run souk keys rotate.' }
  },

  async administrator({ sql }) {
    const count = await countAdministrators(sql)
    if (count > 1) return ok(`${count} administrators can sign in.`)
    if (count === 1) {
      return {
        state: 'warning',
        found: 'One administrator can sign in, who approves its own requests.',
        advice: 'Invite a second one, who can also help after a lost password.',
      }
    }
    return {
      state: 'error',
      found: 'The console has no administrator.',
      advice: 'Open the one-time link that the server printed when it started.',
    }
  },

  async issuers(context) {
    const problems = await explainUnreachable(context)
    if (problems === undefined) {
      if (context.settings.sandbox) return ok('A sandbox needs no issuer: mock users sign in.')
      return {
        state: 'warning',
        found: 'There is no trusted issuer, so no user can sign in to the host.',
        advice: 'Add one in Platform settings, or with souk issuers add.',
      }
    }
    if (problems.length === 0) return ok('The keys of all issuers can be read.')
    return {
      state: 'error',
      found: problems.join(' '),
      advice: 'Check the address and the network; private hosts must be in SOUK_PRIVATE_HOSTS.',
    }
  },

  async signOn(context) {
    const problems = await explainSignOn(context)
    if (problems === undefined) return ok('The console has no sign-on provider: accounts sign in with passwords.')
    if (problems.length === 0) {
      const suspended = await explainSuspensions(context)
      if (suspended === undefined) return ok('The keys of all sign-on providers can be read.')
      return {
        state: 'warning',
        found: suspended,
        advice: 'Have the provider send the groups; souk sign-on suspended lists the accounts.',
      }
    }
    return {
      state: 'error',
      found: problems.join(' '),
      advice: 'Check the address and the network; private hosts must be in SOUK_PRIVATE_HOSTS.',
    }
  },

  async providers({ sql, settings }) {
    const count = await countProviderAccounts(sql)
    if (settings.sandbox || count > 0) return ok(`${count} provider accounts are enabled.`)
    return {
      state: 'warning',
      found: 'No provider account is enabled, so users cannot pay.',
      advice: 'Add one under Providers in the console.',
    }
  },

  async events(context) {
    const problems = await explainFailingEndpoints(context)
    if (problems === undefined) return ok('No endpoint gets events.')
    if (problems.length === 0) return ok('All endpoints acknowledge their events.')
    return {
      state: 'warning',
      found: problems.join(' '),
      advice: 'Repair the receiver, then enable the endpoint and replay what it missed, in Platform settings.',
    }
  },

  async mail(context) {
    const problem = await explainMail(context)
    if (problem === undefined) return ok(`${context.mailer?.server} accepts connections.`)
    if (problem !== null) {
      return {
        state: 'error',
        found: problem,
        advice: 'Check SOUK_SMTP_URL and the network, then run souk mail test <address>.',
      }
    }
    if (context.settings.sandbox) return ok('A sandbox needs no mail: links are handed over.')
    return {
      state: 'warning',
      found: 'Mail is not configured, so accounts are not notified of sign-ins from new devices.',
      advice: 'Set SOUK_SMTP_URL and SOUK_MAIL_FROM.',
    }
  },

  async databaseRole({ sql }) {
    const { name, rights } = await findRole(sql)
    if (rights.length === 0) return ok(`The role ${name} owns its database and has no other rights.`)
    return {
      state: 'warning',
      found: `The role ${name} of the database has rights that Souk does not need: ${rights.join(', ')}.`,
      advice: 'Run the server as a role that only owns its database, see the guide on operations.',
    }
  },

  async databaseVersion({ sql }) {
    const { version } = await findDatabaseSettings(sql)
    if (version >= oldestDatabase) return ok(`PostgreSQL ${version} is supported.`)
    return {
      state: 'error',
      found: `PostgreSQL ${version} is too old.`,
      advice: `Upgrade the database to version ${oldestDatabase} or newer.`,
    }
  },

  async databaseSettings({ sql }) {
    const { fsync, synchronousCommit, fullPageWrites } = await findDatabaseSettings(sql)
    const off = [
      ['fsync', fsync],
      ['synchronous_commit', synchronousCommit],
      ['full_page_writes', fullPageWrites],
    ].filter(([, value]) => value === 'off')
    if (off.length === 0) return ok('The database keeps what it has confirmed.')
    return {
      state: 'error',
      found: `Confirmed payments can be lost when the machine fails, because this is off: ${off.map(([name]) => name).join(', ')}.`,
      advice: 'Switch it on in postgresql.conf, and for the database and user of Souk.',
    }
  },

  async databaseConnections({ sql, process: { databaseConnections = 0, hasPooler } }) {
    const { processes, limits, limitsLocks } = await findConnectionFigures(sql)
    if (!limitsLocks) {
      return {
        state: 'error',
        found: 'Sessions have no lock_timeout or idle_in_transaction_session_timeout: a silent process stops others.',
        advice:
          'Behind a pooler, set both for the role of Souk with alter role, as docs/guides/operations.md describes.',
      }
    }
    if (hasPooler) {
      // The sizes of its pools are not known here, and processes that connect directly have other limits.
      const { name, available, open } = findTightest(limits, ({ available, open }) => available - open)
      const found = `${open} of ${available} connections of PostgreSQL are open now, those of the pooler included.`
      if (open + databaseConnections <= available) return ok(found)
      return {
        state: 'warning',
        found: `${found} One more process, as during an upgrade, does not fit.`,
        advice: `Lower the pool size of the pooler, or raise ${name}.`,
      }
    }
    const { name, available } = findTightest(limits, ({ available }) => available)
    const needed = processes * databaseConnections
    const users = processes === 1 ? '1 process' : `${processes} processes`
    const found = `Connections of ${users}: at most ${needed} (${databaseConnections} each, as this one) of ${available}.`
    if (needed + databaseConnections <= available) return ok(found)
    return {
      state: needed > available ? 'error' : 'warning',
      found: needed > available ? found : `${found} One more process, as during an upgrade, does not fit.`,
      advice: `Lower SOUK_DATABASE_CONNECTIONS, or raise ${name}.`,
    }
  },

  async jobs({ sql }) {
    const count = await countWorkers(sql)
    if (count > 0) return ok(`Jobs run in ${count === 1 ? '1 process' : `${count} processes`}.`)
    return {
      state: 'error',
      found: 'No process runs jobs: callbacks, refunds and mails wait, and nothing is reconciled or deleted.',
      advice: 'Start a process with SOUK_ROLE=worker, or with SOUK_ROLE=all.',
    }
  },

  async clock({ sql, clock }) {
    if (clock.isWrong()) {
      return {
        state: 'error',
        found: `${explainWrongClock(clock)} Until then this process handles no requests and runs no jobs.`,
        advice: 'Run a time service such as chrony on both machines.',
      }
    }
    const before = clock.real()
    const { time } = await findDatabaseSettings(sql)
    const after = clock.real()
    const skew = time < before ? before - time : time > after ? time - after : 0
    if (skew <= maxSkew) return ok('The clocks of server and database agree.')
    return {
      state: 'error',
      found: `The clocks of server and database differ by ${(skew / second).toFixed(1)} s.`,
      advice: 'Run a time service such as chrony on both machines.',
    }
  },

  async disk({ process: { dataDir, archiveFolder } }) {
    if (dataDir === undefined) return ok('The server has no data directory.')
    const figures = await Promise.all([
      freeSpaceIn(dataDir),
      // The first archive creates the folder.
      archiveFolder !== undefined && existsSync(archiveFolder) ? freeSpaceIn(archiveFolder) : [],
    ])
    const folders = figures.flat()
    const found = folders.map(({ sentence }) => sentence).join(' ')
    if (folders.every(({ free }) => free >= minFree)) return ok(found)
    return {
      state: 'error',
      found,
      advice: 'Free or add space: without it, the database stops, or months are not archived.',
    }
  },

  async storage(context) {
    const { found, problem } = await explainStorage(context)
    if (problem === undefined) return ok(found)
    if (problem === 'misplaced') {
      return { state: 'warning', found, advice: `Run souk storage move ${context.storage ?? 'database'}.` }
    }
    return { state: 'error', found, advice: 'Check the SOUK_S3 settings, the rights of the key, and the network.' }
  },

  async backup({ sql, clock, settings: { sandbox } }) {
    const last = await findLastBackup(sql)
    const age = last && clock.real() - last.time
    if (age !== undefined && age <= maxBackupAge) return ok(`The last backup is ${formatAge(age)} old.`)
    if (await findArchiving(sql)) return ok('The database archives its write-ahead log.')
    if (sandbox) return ok('A sandbox needs no backup.')
    const advice = 'Run souk backup every day, or archive the write-ahead log; see docs/guides/backup.md.'
    if (age === undefined) return { state: 'error', found: 'There is no backup.', advice }
    return { state: 'warning', found: `The last backup is ${formatAge(age)} old.`, advice }
  },
}

/** Returns the limit with the fewest connections of `count`. */
function findTightest(limits: ConnectionLimit[], count: (limit: ConnectionLimit) => number): ConnectionLimit {
  return limits.reduce((tightest, each) => (count(each) < count(tightest) ? each : tightest))
}

const formatAge = (age: number) => (age < 2 * day ? `${Math.floor(age / hour)} h` : `${Math.floor(age / day)} days`)

async function freeSpaceIn(folder: string): Promise<{ free: number; sentence: string }> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return { free, sentence: `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${folder}.` }
}

/** Requests the public URL as a client does. Some networks do not let the server reach it, which is not an error. */
async function checkTls(egress: Egress, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/healthz`
  const request = { purpose: 'doctor', url, method: 'GET', headers: {}, timeout: 5 * second, maxBytes: 100 } as const
  try {
    const { status, body } = await egress.request({ ...request, extraHosts: [new URL(publicUrl).hostname] })
    if (status === 200 && body === '{"status":"ok"}') return ok(`${publicUrl} is reached over TLS.`)
    return {
      state: 'error',
      found: `${publicUrl} reaches another server: it answers /healthz with ${status}.`,
      advice: 'Let the proxy pass all paths to this server, and the header Host unchanged.',
    }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const isCertificate = /CERT|SIGNATURE|SSL|TLS/.test(code)
    return {
      state: isCertificate ? 'error' : 'warning',
      found: `${publicUrl} cannot be reached from this server: ${code || message}.`,
      advice: isCertificate
        ? 'Install a valid certificate, with its chain, at the proxy.'
        : `Check its DNS name and the proxy, or try from another machine: curl ${url}`,
    }
  }
}
