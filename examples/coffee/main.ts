// Sets up Souk Coffee in a sandbox; `npm start` runs this when the server is ready. Creates the mini app, starts its
// backend and publishes its release, using only the console's API, the command line and the open API (ADR 180).
//
//   SOUK_URL        URL of Souk                 (default http://localhost:7070)
//   SOUK_DATA_DIR   its data directory          (default .souk)
//   HOST            address of the backend      (default 127.0.0.1)
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Souk } from '@souk/sdk'
import { hashSources } from '../../setup/webApps.mjs'
import { backend, listen } from './backend/server.ts'
import { Shop } from './backend/shop.ts'
import { Store } from './backend/store.ts'
import packageJson from './package.json' with { type: 'json' }

const here = import.meta.dirname
const root = join(here, '../..')
const { SOUK_URL = 'http://localhost:7070', SOUK_DATA_DIR = '.souk', HOST } = process.env
const dataDir = resolve(SOUK_DATA_DIR)
const port = 7071
/** The note of releases made by this script, which distinguishes them from manual uploads. */
const note = 'npm start'
/** Number of old releases to keep. A mini app can have at most 100. */
const keptReleases = 10
/** In ms. */
const brewingTime = 8_000

interface Release {
  releaseId: string
  version: string
  note: string | null
  stage: 'development' | 'review' | 'published'
  current: boolean
}

/** Calls the console's API. */
async function callConsole<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, input?: object): Promise<T> {
  const token = (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim()
  const response = await fetch(`${SOUK_URL}/console/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Creates the mini app at the first start. Stores its secret in the data directory, because it is shown only once. */
async function findOrCreateApp(): Promise<{ appid: string; secret: string }> {
  const file = join(dataDir, 'coffee.json')
  const stored = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  const known = stored && (await callConsole<{ items: unknown[] }>('GET', `/apps?appids=${stored.appid}`))
  if (known && known.items.length > 0) return stored
  const created = await callConsole<{ appid: string; secret: string }>('POST', '/apps', { name: 'Souk Coffee' })
  await writeFile(file, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 })
  return created
}

async function updateApp(appid: string, iconUrl: string): Promise<void> {
  const app = await callConsole<{ iconUrl: string | null }>('GET', `/apps/${appid}`)
  if (app.iconUrl === iconUrl) return
  const languages = ['en_US', 'zh_CN', 'ar_SA']
  const merchant = { merchantName: 'Souk Coffee', merchantLogoUrl: iconUrl }
  await callConsole('PATCH', `/apps/${appid}`, { iconUrl, languages, ...merchant })
}

/** Publishes the mini app with the URL of its backend. Builds it only if this version has not been uploaded before. */
async function publish(appid: string, address: string): Promise<void> {
  const packages = ['pages', 'project', 'runtime', 'tags', 'vite-plugin'].map((name) => `packages/${name}/src`)
  const sources = hashSources(root, { folder: 'examples/coffee/src', sources: [...packages, 'package-lock.json'] })
  const build = createHash('sha256').update(sources).update(address).digest('hex').slice(0, 8)
  const version = `${packageJson.version}+${build}`

  const releases = await callConsole<Release[]>('GET', `/apps/${appid}/releases`)
  const found = releases.find((release) => release.version === version)
  if (found?.current) return
  if (found) {
    const verb = found.stage === 'published' ? 'roll-back' : 'publish'
    await callConsole('POST', `/apps/${appid}/releases/${found.releaseId}/${verb}`, {})
    return
  }
  const earlier = releases.filter((release) => release.note === note && !release.current)
  for (const { releaseId } of earlier.slice(keptReleases)) {
    await callConsole('DELETE', `/apps/${appid}/releases/${releaseId}`)
  }

  console.error('Building Souk Coffee …')
  const souk = [...process.execArgv, join(root, 'packages/cli/src/main.ts')]
  const upload = ['upload', here, '--appid', appid, '--version', version, '--note', note, '--publish']
  const env = { ...process.env, SOUK_URL, SOUK_DATA_DIR: dataDir, VITE_BACKEND: address }
  await promisify(execFile)(process.execPath, [...souk, ...upload], { env })
}

try {
  const { appid, secret } = await findOrCreateApp()
  const souk = new Souk({ baseUrl: SOUK_URL, appid, secret })
  const { url: iconUrl } = await souk.fileUpload(await readFile(join(here, 'src/static/icon.png')))
  await updateApp(appid, iconUrl)

  const { server, port: actualPort } = await listen(port, HOST)
  const shop = new Shop({
    souk,
    store: new Store(join(dataDir, 'coffee.db')),
    notifyUrl: `http://127.0.0.1:${actualPort}/payment-result`,
    iconUrl,
    brew: (done) => void setTimeout(done, brewingTime),
  })
  server.on('request', backend(shop, souk))

  const address = `http://${new URL(SOUK_URL).hostname}:${actualPort}`
  await publish(appid, address)
  console.log(`  Souk Coffee   is available in the host; its backend is at ${address}\n`)
} catch (error) {
  console.error(`Souk Coffee could not be started: ${(error as Error).message}`)
  process.exit(1)
}
