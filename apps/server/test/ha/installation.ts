import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const commands = join(import.meta.dirname, '../../../../deploy/ha')
const state = process.env.SOUK_HA_STATE ?? '/var/lib/souk-ha'
const net = process.env.SOUK_HA_NET ?? '10.88.0'

/** The installation of deploy/ha on this machine, controlled by its commands. */
export interface Installation {
  /** URL of the balancer. */
  url: string
  /** Address of this machine that the installation's machines reach. */
  host: string
  /** URL for the role `souk`, with all databases as hosts. */
  databaseUrl: string
  adminToken: string
}

/** Runs a command of deploy/ha and returns what it prints. @throws Error with its messages */
export async function command(name: string, ...args: string[]): Promise<string> {
  return (await run(join(commands, name), args)).stdout.trim()
}

/** Takes the installation down immediately, for a process that ends. */
export function takeDownNow(): void {
  execFileSync(join(commands, 'down'))
}

/** Brings the installation up. @throws Error with `code` 3 if this machine lacks what it needs */
export async function bringUp(): Promise<Installation> {
  if (existsSync(state)) throw new Error(`${state} exists: an installation is up. Run deploy/ha/down first.`)
  try {
    await command('up')
  } catch (error) {
    if ((error as { code?: number }).code !== 3) await command('down')
    throw error
  }
  const secrets = await readFile(join(state, 'secrets'), 'utf8')
  const secret = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(secrets)?.[1] ?? ''
  const hosts = [11, 12, 13].map((last) => `${net}.${last}:5432`)
  return {
    url: `http://${net}.10:7070`,
    host: `${net}.1`,
    databaseUrl: `postgres://souk:${secret('SOUK_PASSWORD')}@${hosts.join()}/souk`,
    adminToken: secret('ADMIN_TOKEN'),
  }
}
