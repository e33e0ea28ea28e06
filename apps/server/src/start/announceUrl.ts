import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../kernel/log.ts'

/** Hosts that stand for this machine, whichever name is used. */
const local = ['0.0.0.0', '127.0.0.1', '::', '::1']

/**
 * Writes the URL at which programs on this machine reach the server into the data directory, where `souk` reads it. It
 * stays when the server stops: `souk` then says that Souk cannot be reached there.
 * @param address origin on which the server listens, with its actual port
 */
export async function announceUrl(
  { dataDir, host, role }: Pick<Config, 'dataDir' | 'host' | 'role'>,
  address: string,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  // It serves health and metrics only.
  if (role === 'worker') return
  const port = new URL(address).port || '80'
  const name = local.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  try {
    await writeFile(join(dataDir, 'url'), `http://${name}:${port}\n`)
  } catch (error) {
    // With an external database and a master key in the environment, the directory can be read-only.
    log.warn({ reason: (error as Error).message }, 'the URL for souk could not be written')
  }
}
