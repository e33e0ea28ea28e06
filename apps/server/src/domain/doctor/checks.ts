import { statfs } from 'node:fs/promises'
import { type DoctorCheck, second } from '@souk/contract'
import type { Context } from '../context.ts'
import { explainUnreachable } from '../issuers/index.ts'
import { countAdministrators, countProviderAccounts, findDatabaseSettings } from './store.ts'

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

/** One function per check. */
export const checks: Record<DoctorCheck, (context: Context) => Promise<Finding>> = {
  async publicUrl({ settings: { publicUrl, sandbox } }) {
    if (publicUrl.startsWith('https:')) return ok(`${publicUrl} is reached over TLS.`)
    if (sandbox) return ok(`${publicUrl} is enough for a sandbox.`)
    return {
      state: 'error',
      found: `${publicUrl} is not reached over TLS, so sessions and signs can be read on the way.`,
      advice: 'Put a reverse proxy with TLS in front, and set SOUK_PUBLIC_URL to its https address.',
    }
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

  async providers({ sql, settings }) {
    const count = await countProviderAccounts(sql)
    if (settings.sandbox || count > 0) return ok(`${count} provider accounts are enabled.`)
    return {
      state: 'warning',
      found: 'No provider account is enabled, so nobody can pay.',
      advice: 'Add one under Providers in the console.',
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

  async clock({ sql, clock }) {
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

  async disk({ settings: { dataDir } }) {
    if (dataDir === undefined) return ok('The server has no data directory.')
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const shown = `${(free / 1024 ** 3).toFixed(1)} GiB are free in ${dataDir}.`
    if (free >= minFree) return ok(shown)
    return { state: 'error', found: shown, advice: 'Free or add space: without it, the database stops.' }
  },
}
