import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunningServer } from '../apps/server/test/server.ts'

const root = join(import.meta.dirname, '..')

/** Publishes Souk Coffee on a server and starts its backend. Returns the address of the backend, and what ends it. */
export async function startCoffee(server: Pick<RunningServer, 'url' | 'dataDir'>) {
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  const example = spawn(process.execPath, [...flags, join(root, 'examples/coffee/main.ts')], {
    cwd: root,
    env: { ...process.env, SOUK_URL: server.url, SOUK_DATA_DIR: server.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(example, 'exit')
  const printed = once(example.stdout, 'data') as Promise<[Buffer]>
  const [text] = await Promise.race([printed, ended.then(() => Promise.reject(new Error('no coffee')))])
  return {
    address: /http:\S+/.exec(String(text))![0],
    async end(): Promise<void> {
      example.kill()
      await ended
    },
  }
}
