import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunningServer } from '../apps/server/test/server.ts'

const root = join(import.meta.dirname, '..')

/** Publishes Souk Coffee on a server and starts its backend. Returns a function that ends the backend. */
export async function startCoffee(server: RunningServer): Promise<() => Promise<unknown>> {
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  const example = spawn(process.execPath, [...flags, join(root, 'examples/coffee/main.ts')], {
    cwd: root,
    env: { ...process.env, SOUK_URL: server.url, SOUK_DATA_DIR: server.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(example, 'exit')
  await Promise.race([once(example.stdout, 'data'), ended.then(() => Promise.reject(new Error('no coffee')))])
  return () => {
    example.kill()
    return ended
  }
}
