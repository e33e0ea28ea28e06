import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createObjectStorage, type ObjectStorageSettings } from '../src/kernel/objectStorage.ts'
import { freePort } from './server.ts'

const hasSwift =
  existsSync('/usr/lib/python3/dist-packages/swift/common/middleware/s3api') && existsSync('/usr/bin/memcached')

/** Skips tests where Debian's OpenStack Swift is not installed. */
export const swift = {
  isMissing: !hasSwift,
  name: (name: string) =>
    hasSwift
      ? name
      : `${name} (skipped: needs apt-get install swift-proxy swift-object swift-container swift-account memcached)`,
}

/** An S3 server with an empty bucket. */
export interface TestStorage {
  settings: ObjectStorageSettings
  /** Environment variables for a server or a command. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** Starts OpenStack Swift with its S3 API, which checks signatures and digests as Amazon does. */
export async function startTestStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-swift-'))
  const cachePort = String(await freePort())
  const cache = spawn('memcached', ['-u', 'nobody', '-l', '127.0.0.1', '-p', cachePort], { stdio: 'ignore' })
  const script = join(import.meta.dirname, 'openstackSwift.py')
  const server = spawn('/usr/bin/python3', [script, folder, cachePort], { stdio: ['ignore', 'pipe', 'inherit'] })
  const failed = once(server, 'exit').then(() => {
    throw new Error('OpenStack Swift did not start.')
  })
  const stop = async () => {
    await Promise.all([server, cache].map(end))
    await rm(folder, { recursive: true, force: true })
  }
  const [port] = (await Promise.race([once(createInterface(server.stdout), 'line'), failed]).catch(async (error) => {
    await stop()
    throw error
  })) as [string]
  failed.catch(() => {})
  const credentials = { region: 'us-east-1', accessKeyId: 'test:tester', secretAccessKey: 'testing' }
  const settings = { url: `http://127.0.0.1:${port}/souk/`, ...credentials }
  // A bucket is created like an object without a name.
  const bucket = createObjectStorage(settings)
  await bucket.put({ name: '', hash: emptyHash, size: 0, open: () => new Uint8Array() })
  await bucket.close()
  return {
    settings,
    env: {
      SOUK_S3_URL: settings.url,
      SOUK_S3_ACCESS_KEY_ID: settings.accessKeyId,
      SOUK_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    stop,
  }
}

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill()
  await once(child, 'exit')
}
