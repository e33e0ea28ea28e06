import { execFile, spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './server.ts'

const run = promisify(execFile)
const packages = '/usr/lib/postgresql'

/** The programs of Debian's newest PostgreSQL, or undefined if `postgresql` is not installed. */
export const debianPostgres = existsSync(packages)
  ? readdirSync(packages)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(packages, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'postgres')))
  : undefined

/** Returns the name of a test that is skipped where Debian's PostgreSQL is not installed. */
export const withDebianPostgres = (name: string) =>
  debianPostgres ? name : `${name} (skipped: needs apt-get install postgresql)`

/** A cluster of Debian's PostgreSQL, as an administrator of databases runs it. */
export interface DebianCluster {
  /** A folder that the user of PostgreSQL may write to; the cluster is in its folder `data`. */
  folder: string
  /** URL of a superuser. */
  url: string
  /** Runs a script as the user of PostgreSQL, with its programs in PATH. Returns what it prints. */
  run(script: string, env?: Record<string, string>): Promise<string>
  /** Creates a role that is not a superuser and owns a new database. Returns its URL. */
  createDatabase(name: string): Promise<string>
  /** Stops the cluster in `data`, and removes the folder. */
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Creates and starts a cluster. */
export async function startDebianCluster(): Promise<DebianCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-debian-'))
  if (user.uid) chownSync(folder, user.uid, user.gid)
  await chmod(folder, 0o755)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const execute = async (script: string, env: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { PATH: `${debianPostgres}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', ...env } }
    return (await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], { ...options, ...user })).stdout
  }
  await execute(
    `initdb --pgdata data --username postgres --auth trust --no-sync >/dev/null
    cat >> data/postgresql.conf <<END
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
END
    pg_ctl start --pgdata data --log data/server.log --wait >/dev/null`,
  )
  return {
    folder,
    url,
    run: execute,
    async createDatabase(name) {
      await execute(`psql "${url}" -c 'create role ${name} login' -c 'create database ${name} owner ${name}'`)
      return url.replace('postgres@', `${name}@`).replace(/postgres$/, name)
    },
    async stop() {
      spawnSync(join(debianPostgres!, 'pg_ctl'), ['stop', '-D', join(folder, 'data'), '-m', 'immediate'], user)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
