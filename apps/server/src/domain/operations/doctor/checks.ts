import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { type DoctorCheck, type DoctorSentence, day, hour, doctorSentence as say, second } from '@souk/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { Egress } from '../../../kernel/egress.ts'
import { soukVersion } from '../../../kernel/package.ts'
import { explainSignOn, explainSuspensions } from '../../console/index.ts'
import type { FullContext } from '../../context.ts'
import { explainKeyProblems, explainStorage, findLastBackup, findLastRestoreCheck } from '../../installation/index.ts'
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
  found: DoctorSentence | DoctorSentence[]
  advice?: DoctorSentence
}

const ok = (found: Finding['found']): Finding => ({ state: 'ok', found })

/** The oldest version of PostgreSQL that is supported. */
const oldestDatabase = 15
/** Difference of clocks above which tokens and timestamps are rejected sooner or later, ms. */
const maxSkew = 2 * second
/** Free space below which an installation soon stops, bytes. */
const minFree = 1024 ** 3

/** Age above which a backup is missing, with some hours for the next daily one to finish. */
const maxBackupAge = day + 6 * hour

/** Age of the last backup that was restored in a check above which weekly checks do not run. */
const maxRestoredAge = 10 * day

/** Age from which a master key should be rotated. */
const maxKeyAge = 400 * day

/** One function per check. */
export const checks: Record<DoctorCheck, (context: FullContext) => Promise<Finding>> = {
  async version() {
    return ok(say('version', { version: soukVersion }))
  },

  async publicUrl({ settings: { publicUrl, sandbox }, egress }) {
    if (publicUrl.startsWith('https:')) return checkTls(egress, publicUrl)
    if (sandbox) return ok(say('tlsNotNeeded', { url: publicUrl }))
    return {
      state: 'error',
      found: say('tlsMissing', { url: publicUrl }),
      advice: say('tlsMissingDo'),
    }
  },

  async proxies({ proxies: { trusted = 0, seen, untrusted, bypassedBy, hidden, withoutTls }, settings }) {
    if (untrusted !== undefined) {
      return {
        state: settings.sandbox ? 'warning' : 'error',
        found: say('proxyUntrusted', { proxy: untrusted }),
        advice: say('proxyUntrustedDo'),
      }
    }
    if (bypassedBy !== undefined) {
      return {
        state: 'error',
        found: say('proxyBypassed', { client: bypassedBy, trusted: String(trusted) }),
        advice: say('proxyBypassedDo'),
      }
    }
    if (hidden !== undefined) {
      return {
        state: 'warning',
        found: say('proxyHidden', { client: hidden, trusted: String(trusted) }),
        advice: say('proxyHiddenDo'),
      }
    }
    if (withoutTls) {
      return {
        state: 'error',
        found: say('proxyWithoutTls'),
        advice: say('proxyWithoutTlsDo'),
      }
    }
    if (trusted === 0) return ok(say('proxyNone'))
    if (seen) return ok(say('proxySeen', { trusted: String(trusted) }))
    return {
      state: 'warning',
      found: say('proxyUnseen'),
      advice: say('proxyUnseenDo'),
    }
  },

  async secrets({ process: { guessableSecrets = [] }, settings: { sandbox } }) {
    if (guessableSecrets.length === 0) return ok(say('secretsUnknown'))
    return {
      state: sandbox ? 'warning' : 'error',
      found: say('secretsGuessable', { settings: guessableSecrets.join(', ') }),
      advice: say('secretsGuessableDo'),
    }
  },

  async masterKeys(context) {
    const { problems, currentSince } = await explainKeyProblems(context)
    if (problems.length > 0) {
      return {
        state: 'error',
        found: problems,
        advice: say('keysProblemDo'),
      }
    }
    const age = context.clock.real() - currentSince
    if (age <= maxKeyAge) return ok(say('keysReadable'))
    return { state: 'warning', found: say('keysOld', { days: Math.floor(age / day) }), advice: say('keysOldDo') }
  },

  async administrator({ sql }) {
    const count = await countAdministrators(sql)
    if (count > 1) return ok(say('administrators', { count }))
    if (count === 1) {
      return {
        state: 'warning',
        found: say('administratorAlone'),
        advice: say('administratorAloneDo'),
      }
    }
    return {
      state: 'error',
      found: say('administratorNone'),
      advice: say('administratorNoneDo'),
    }
  },

  async issuers(context) {
    const problems = await explainUnreachable(context)
    if (problems === undefined) {
      if (context.settings.sandbox) return ok(say('issuersNotNeeded'))
      return {
        state: 'warning',
        found: say('issuersNone'),
        advice: say('issuersNoneDo'),
      }
    }
    if (problems.length === 0) return ok(say('issuersReadable'))
    return {
      state: 'error',
      found: problems,
      advice: say('keysOfIssuerDo'),
    }
  },

  async signOn(context) {
    const problems = await explainSignOn(context)
    if (problems === undefined) return ok(say('signOnNone'))
    if (problems.length === 0) {
      const suspended = await explainSuspensions(context)
      if (suspended === undefined) return ok(say('signOnReadable'))
      return {
        state: 'warning',
        found: suspended,
        advice: say('signOnSuspendedDo'),
      }
    }
    return {
      state: 'error',
      found: problems,
      advice: say('keysOfIssuerDo'),
    }
  },

  async providers({ sql, settings }) {
    const count = await countProviderAccounts(sql)
    if (settings.sandbox || count > 0) return ok(say('providers', { count }))
    return {
      state: 'warning',
      found: say('providersNone'),
      advice: say('providersNoneDo'),
    }
  },

  async events(context) {
    const problems = await explainFailingEndpoints(context)
    if (problems === undefined) return ok(say('eventsNone'))
    if (problems.length === 0) return ok(say('eventsAcknowledged'))
    return {
      state: 'warning',
      found: problems,
      advice: say('eventsFailingDo'),
    }
  },

  async mail(context) {
    const problem = await explainMail(context)
    if (problem === undefined) return ok(say('mailAccepted', { server: context.mailer?.server ?? '' }))
    if (problem !== null) {
      return {
        state: 'error',
        found: problem,
        advice: say('mailFailsDo'),
      }
    }
    if (context.settings.sandbox) return ok(say('mailNotNeeded'))
    return {
      state: 'warning',
      found: say('mailNone'),
      advice: say('mailNoneDo'),
    }
  },

  async databaseRole({ sql }) {
    const { name, rights } = await findRole(sql)
    if (rights.length === 0) return ok(say('roleOrdinary', { role: name }))
    return {
      state: 'warning',
      found: say('rolePowerful', { role: name, rights: rights.join(', ') }),
      advice: say('rolePowerfulDo'),
    }
  },

  async databaseVersion({ sql }) {
    const { version } = await findDatabaseSettings(sql)
    if (version >= oldestDatabase) return ok(say('databaseSupported', { version: String(version) }))
    return {
      state: 'error',
      found: say('databaseOld', { version: String(version) }),
      advice: say('databaseOldDo', { version: String(oldestDatabase) }),
    }
  },

  async databaseSettings({ sql }) {
    const { fsync, synchronousCommit, fullPageWrites } = await findDatabaseSettings(sql)
    const off = [
      ['fsync', fsync],
      ['synchronous_commit', synchronousCommit],
      ['full_page_writes', fullPageWrites],
    ].filter(([, value]) => value === 'off')
    if (off.length === 0) return ok(say('databaseDurable'))
    return {
      state: 'error',
      found: say('databaseLoses', { settings: off.map(([name]) => name).join(', ') }),
      advice: say('databaseLosesDo'),
    }
  },

  async databaseConnections({ sql, process: { databaseConnections = 0, hasPooler } }) {
    const { processes, limits, limitsLocks } = await findConnectionFigures(sql)
    if (!limitsLocks) {
      return {
        state: 'error',
        found: say('timeoutsMissing'),
        advice: say('timeoutsMissingDo'),
      }
    }
    if (hasPooler) {
      // The sizes of its pools are not known here, and processes that connect directly have other limits.
      const { kind, name, available, open } = findTightest(limits, ({ available, open }) => available - open)
      const found = say('connectionsOpen', { open: String(open), available: String(available) })
      if (open + databaseConnections <= available) return ok(found)
      return {
        state: 'warning',
        found: [found, say('connectionsFull')],
        advice:
          kind === 'server' ? say('poolServerDo') : say(kind === 'role' ? 'poolRoleDo' : 'poolDatabaseDo', { name }),
      }
    }
    const { kind, name, available } = findTightest(limits, ({ available }) => available)
    const needed = processes * databaseConnections
    const found = say('connectionsNeeded', {
      needed: String(needed),
      available: String(available),
      each: String(databaseConnections),
      processes: String(processes),
    })
    if (needed + databaseConnections <= available) return ok(found)
    return {
      state: needed > available ? 'error' : 'warning',
      found: needed > available ? found : [found, say('connectionsFull')],
      advice:
        kind === 'server'
          ? say('connectionsServerDo')
          : say(kind === 'role' ? 'connectionsRoleDo' : 'connectionsDatabaseDo', { name }),
    }
  },

  async jobs({ sql }) {
    const count = await countWorkers(sql)
    if (count > 0) return ok(say('jobsRun', { count }))
    return {
      state: 'error',
      found: say('jobsStopped'),
      advice: say('jobsStoppedDo'),
    }
  },

  async clock({ sql, clock }) {
    if (clock.isWrong()) {
      return {
        state: 'error',
        found: [sayWrongClock(clock), say('clockStops')],
        advice: say('clockDo'),
      }
    }
    const before = clock.real()
    const { time } = await findDatabaseSettings(sql)
    const after = clock.real()
    const skew = time < before ? before - time : time > after ? time - after : 0
    if (skew <= maxSkew) return ok(say('clocksAgree'))
    return {
      state: 'error',
      found: say('clocksDiffer', { seconds: (skew / second).toFixed(1) }),
      advice: say('clockDo'),
    }
  },

  async disk({ process: { dataDir, archiveFolder } }) {
    if (dataDir === undefined) return ok(say('diskNone'))
    const figures = await Promise.all([
      freeSpaceIn(dataDir),
      // The first archive creates the folder.
      archiveFolder !== undefined && existsSync(archiveFolder) ? freeSpaceIn(archiveFolder) : [],
    ])
    const folders = figures.flat()
    const found = folders.map(({ sentence }) => sentence)
    if (folders.every(({ free }) => free >= minFree)) return ok(found)
    return {
      state: 'error',
      found,
      advice: say('diskFullDo'),
    }
  },

  async storage(context) {
    const { found, problem } = await explainStorage(context)
    if (problem === undefined) return ok(found)
    if (problem === 'misplaced') {
      return { state: 'warning', found, advice: say('storageMoveDo', { place: context.storage ?? 'database' }) }
    }
    return { state: 'error', found, advice: say('storageFailsDo') }
  },

  async backup({ sql, clock, settings: { sandbox } }) {
    const last = await findLastBackup(sql)
    const age = last && clock.real() - last.time
    if (age !== undefined && age <= maxBackupAge) return ok(sayBackup(age))
    if (await findArchiving(sql)) return ok(say('backupArchived'))
    if (sandbox) return ok(say('backupNotNeeded'))
    const advice = say('backupDo')
    if (age === undefined) return { state: 'error', found: say('backupNone'), advice }
    return { state: 'warning', found: sayBackup(age), advice }
  },

  async restoreCheck({ sql, clock, settings: { sandbox } }) {
    const check = await findLastRestoreCheck(sql)
    if (check?.failure) {
      return {
        state: 'error',
        found: say('restoreCheckFailed', { code: check.failure }),
        advice: say('restoreCheckFailedDo'),
      }
    }
    const age = check?.backupTime == null ? undefined : clock.real() - check.backupTime
    const passed = say('restoreCheckPassed', { days: Math.floor((age ?? 0) / day) })
    if (age !== undefined && age <= maxRestoredAge) return ok(passed)
    if (sandbox) return ok(say('restoreCheckNotNeeded'))
    if (!(await findLastBackup(sql)) && (await findArchiving(sql))) return ok(say('backupArchived'))
    return {
      state: 'warning',
      found: age === undefined ? say('restoreCheckNone') : passed,
      advice: say('restoreCheckDo'),
    }
  },
}

/** Returns the limit with the fewest connections of `count`. */
function findTightest(limits: ConnectionLimit[], count: (limit: ConnectionLimit) => number): ConnectionLimit {
  return limits.reduce((tightest, each) => (count(each) < count(tightest) ? each : tightest))
}

const sayBackup = (age: number) =>
  age < 2 * day
    ? say('backupHours', { hours: String(Math.floor(age / hour)) })
    : say('backupDays', { days: Math.floor(age / day) })

function sayWrongClock({ difference }: Clock): DoctorSentence {
  if (difference === 0) return say('clockSet')
  const seconds = Math.round(Math.abs(difference) / second).toLocaleString('en')
  return say(difference > 0 ? 'clockAhead' : 'clockBehind', { seconds })
}

async function freeSpaceIn(folder: string): Promise<{ free: number; sentence: DoctorSentence }> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  return { free, sentence: say('diskFree', { size: (free / 1024 ** 3).toFixed(1), folder }) }
}

/** Requests the public URL as a client does. Some networks do not let the server reach it, which is not an error. */
async function checkTls(egress: Egress, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/healthz`
  const request = { purpose: 'doctor', url, method: 'GET', headers: {}, timeout: 5 * second, maxBytes: 100 } as const
  try {
    const { status, body } = await egress.request({ ...request, extraHosts: [new URL(publicUrl).hostname] })
    if (status === 200 && body === '{"status":"ok"}') return ok(say('tlsWorks', { url: publicUrl }))
    return {
      state: 'error',
      found: say('otherServer', { url: publicUrl, status: String(status) }),
      advice: say('otherServerDo'),
    }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    const isCertificate = /CERT|SIGNATURE|SSL|TLS/.test(code)
    return {
      state: isCertificate ? 'error' : 'warning',
      found: say('urlUnreachable', { url: publicUrl, reason: code || message }),
      advice: isCertificate ? say('certificateDo') : say('urlUnreachableDo', { url }),
    }
  }
}
