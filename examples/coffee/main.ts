// Brings Souk Coffee up beside a sandbox: `npm start` runs this once the server is ready. It sees to the mini app, its backend and its
// release, with what anybody has: the console's operations, the command line, the open API (ADR 180).
//
//   SOUK_URL        where Souk is          (default http://localhost:7070)
//   SOUK_DATA_DIR   its data directory     (default .souk)
//   HOST            what to listen on      (default 127.0.0.1)
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
/** What its releases are noted as, to be told from those of whoever tries something out. */
const note = 'npm start'
/** So many of them stay besides the one that users have: a mini app has 100 at most. */
const keptReleases = 10
/** How long the barista takes, in ms. */
const brewing = 8_000

interface Release {
  releaseId: string
  version: string
  note: string | null
  stage: 'development' | 'review' | 'published'
  current: boolean
}

/** One operation of the console. */
async function operate<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, input?: object): Promise<T> {
  const token = (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim()
  const answer = await fetch(`${SOUK_URL}/console/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { body: JSON.stringify(input) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** The mini app, made at the first start. Its secret is shown once, so it is kept beside Souk's own data. */
async function miniApp(): Promise<{ appid: string; secret: string }> {
  const file = join(dataDir, 'coffee.json')
  const kept = await readFile(file, 'utf8').then(JSON.parse, () => undefined)
  const apps = await operate<{ appid: string }[]>('GET', '/apps')
  if (apps.some(({ appid }) => appid === kept?.appid)) return kept
  const made = await operate<{ appid: string; secret: string }>('POST', '/apps', { name: 'Souk Coffee' })
  await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  return made
}

async function dress(appid: string, iconUrl: string): Promise<void> {
  const app = await operate<{ iconUrl: string | null }>('GET', `/apps/${appid}`)
  if (app.iconUrl === iconUrl) return
  const languages = ['en_US', 'zh_CN', 'ar_SA']
  const merchant = { merchantName: 'Souk Coffee', merchantLogoUrl: iconUrl }
  await operate('PATCH', `/apps/${appid}`, { iconUrl, languages, ...merchant })
}

/** Users get the mini app as it is here, with this address of its backend. What has been uploaded once is not built again. */
async function publish(appid: string, address: string): Promise<void> {
  const packages = ['pages', 'project', 'runtime', 'tags', 'vite-plugin'].map((name) => `packages/${name}/src`)
  const sources = hashSources(root, { folder: 'examples/coffee/src', sources: [...packages, 'package-lock.json'] })
  const build = createHash('sha256').update(sources).update(address).digest('hex').slice(0, 8)
  const version = `${packageJson.version}+${build}`

  const releases = await operate<Release[]>('GET', `/apps/${appid}/releases`)
  const found = releases.find((release) => release.version === version)
  if (found?.current) return
  if (found) {
    const verb = found.stage === 'published' ? 'roll-back' : 'publish'
    await operate('POST', `/apps/${appid}/releases/${found.releaseId}/${verb}`, {})
    return
  }
  const earlier = releases.filter((release) => release.note === note && !release.current)
  for (const { releaseId } of earlier.slice(keptReleases)) {
    await operate('DELETE', `/apps/${appid}/releases/${releaseId}`)
  }

  console.error('Building Souk Coffee …')
  const souk = [...process.execArgv, join(root, 'packages/cli/src/main.ts')]
  const upload = ['upload', here, '--appid', appid, '--version', version, '--note', note, '--publish']
  const env = { ...process.env, SOUK_URL, SOUK_DATA_DIR: dataDir, VITE_BACKEND: address }
  await promisify(execFile)(process.execPath, [...souk, ...upload], { env })
}

try {
  const { appid, secret } = await miniApp()
  const souk = new Souk({ baseUrl: SOUK_URL, appid, secret })
  const { url: iconUrl } = await souk.fileUpload(await readFile(join(here, 'src/static/icon.png')))
  await dress(appid, iconUrl)

  const { server, port: taken } = await listen(port, HOST)
  const shop = new Shop({
    souk,
    store: new Store(join(dataDir, 'coffee.db')),
    notifyUrl: `http://127.0.0.1:${taken}/payment-result`,
    iconUrl,
    brew: (done) => void setTimeout(done, brewing),
  })
  server.on('request', backend(shop, souk))

  const address = `http://${new URL(SOUK_URL).hostname}:${taken}`
  await publish(appid, address)
  console.log(`  Souk Coffee   is open in the host; its backend is at ${address}\n`)
} catch (error) {
  console.error(`Souk Coffee could not be opened: ${(error as Error).message}`)
  process.exit(1)
}
