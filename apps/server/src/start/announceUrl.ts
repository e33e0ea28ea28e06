import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../kernel/log.ts'

/** Addresses at which this machine reaches the server as `localhost`. */
const local = ['0.0.0.0', '127.0.0.1', '[::]', '[::1]']

/**
 * Writes the URL at which programs on this machine reach the server into the data directory, where `souk` reads it. It
 * stays when the server stops: `souk` then says that Souk cannot be reached there.
 * @param address origin on which the server listens: an address of this machine, which `souk` checks, and a port
 */
export async function announceUrl(
  { dataDir, role }: Pick<Config, 'dataDir' | 'role'>,
  address: string,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  // It serves health and metrics only.
  if (role === 'worker') return
  const { hostname, port } = new URL(address)
  const name = local.includes(hostname) ? 'localhost' : hostname
  try {
    await writeFile(join(dataDir, 'url'), `http://${name}:${port || 80}\n`)
  } catch (error) {
    // With an external database and a master key in the environment, the directory can be read-only.
    log.warn({ reason: (error as Error).message }, 'the URL for souk could not be written')
  }
}
