import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type InspectionEntry, readInspection } from '../../packages/contract/src/inspection.ts'
import { readRecording } from '../../packages/contract/src/recording.ts'
import { release } from '../../packages/vite-plugin/src/index.ts'
import { unpackChromium, variablesOf } from '../chromium.ts'
import { consolePage, faults, settled } from '../console.ts'
import {
  builtMiniApp,
  hostPage,
  manage,
  memberOf,
  neu,
  newUser,
  openShop,
  type Shop,
  serverUrl,
  started,
} from './fixture.ts'

const command = [
  '--conditions=souk-source',
  '--no-warnings',
  join(import.meta.dirname, '../../packages/cli/src/main.ts'),
]
const templateFolder = join(import.meta.dirname, '../../packages/create-miniapp/template')

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'souk-recording-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Starts a session of a mini app whose user agrees to be recorded. Returns its frame. */
async function record(shop: Shop, name: string, file: string) {
  const options = ['inspect', '--appid', shop.appid, '--record', file, '--json']
  const recorder = spawn(process.execPath, [...command, ...options], {
    env: { ...process.env, SOUK_URL: serverUrl(), SOUK_ADMIN_TOKEN: inject('emptyServer').adminToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void recorder.kill())
  const [printed, notes] = [createInterface(recorder.stdout), createInterface(recorder.stderr)]
  const isRecording = once(notes, 'line')
  const { link } = JSON.parse((await once(printed, 'line'))[0]) as { link: string }

  const page = await hostPage(await newUser('Huda'))
  await page.goto(link)
  const question = page.getByRole('dialog', { name: new RegExp(`watch ${name}`) })
  await question.waitFor()
  // It takes no input too early.
  await expect
    .poll(async () => {
      await question
        .getByRole('button', { name: 'Allow', exact: true })
        .click({ timeout: 1000 })
        .catch(() => {})
      return question.count()
    })
    .toBe(0)
  expect(await isRecording).toEqual([`Recording to ${file}. Ctrl-C ends.`])
  const lines = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  return {
    page,
    frame: await started(page, shop),
    lines,
    /** Waits until such an entry is recorded. */
    recorded: (isSuch: (entry: InspectionEntry) => boolean) =>
      expect
        .poll(async () =>
          readInspection({ entries: (await lines()).slice(-200).map((line) => JSON.parse(line)) }).some(isSuch),
        )
        .toBe(true),
    async stop() {
      recorder.kill('SIGINT')
      expect(await once(recorder, 'exit')).toEqual([0, null])
    },
  }
}

test('souk inspect records a mini app whose user agrees, from its launch, without codes', async () => {
  const shop = await openShop('Corner Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const file = join(await temporaryFolder(), 'session.jsonl')
  const { frame, lines, recorded, stop } = await record(shop, 'Corner Bakery', file)
  const { code } = (await neu(frame, 'login')) as unknown as { code: string }
  await frame.getByText('Date cake').click()
  await recorded(({ kind }) => kind === 'tap')
  await stop()

  const { appid, build, entries, end, unknown } = await readRecording(await lines())
  expect({ appid, build, end, unknown }).toEqual({
    appid: shop.appid,
    build: {
      platform: 'Mini App',
      os: expect.any(String),
      device: expect.objectContaining({ width: expect.any(Number), language: 'en', theme: 'light' }),
    },
    end: { reason: 'stopped', omitted: 0 },
    unknown: 0,
  })
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['mark', 'pages', 'answer']))
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'call', method: 'login' }))
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'tap', page: 'pages/home/home' }))
  expect(await readFile(file, 'utf8')).not.toContain(code)
})

/** Makes and builds a mini app that greets once, and fails at the second greeting. */
async function greetings() {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  await cp(templateFolder, project, { recursive: true })
  const page = join(project, 'pages/index/index.vue')
  const greeting = `await neu.showToast({ title: \`Hello \${count.value}\`, icon: 'none' })`
  const template = await readFile(page, 'utf8')
  const more = `await neu.login({})
  if (count.value === 2) throw new Error('out of greetings')`
  await writeFile(page, template.replace(greeting, `${more}\n  ${greeting}`))
  const built = await release({ project, platform: 'Mini App', out: join(folder, 'release') })
  const files = built.files.map(async ({ path }) => [path, await readFile(join(built.folder, path))] as const)
  return { folder, page, files: Object.fromEntries(await Promise.all(files)) }
}

/** Runs `souk test` for the recording of a project. */
async function souk(folder: string): Promise<{ status: number | null; out: string }> {
  const home = await unpackChromium()
  const env = {
    ...process.env,
    ...variablesOf(home),
    CHROMIUM: join(home, 'chromium'),
    INIT_CWD: folder,
    NO_COLOR: '1',
  }
  return new Promise((resolve) => {
    const args = ['test', 'session.jsonl', '--project', 'shop', '--timeout', '60']
    const child = execFile(process.execPath, [...command, ...args], { cwd: folder, env }, (_, out, err) =>
      resolve({ status: child.exitCode, out: out + err }),
    )
  })
}

test('souk test repeats what was recorded through the host, with its error, and names what has changed', async () => {
  const { folder, page, files } = await greetings()
  const shop = await openShop('Greetings')
  await shop.upload('1.0.0', files)
  const { page: host, frame, recorded, stop } = await record(shop, 'Greetings', join(folder, 'session.jsonl'))
  const sayHello = frame.getByText('Say hello')
  const shownPages = (length: number) => (entry: InspectionEntry) =>
    entry.kind === 'pages' && entry.pages.length === length
  await sayHello.click()
  await recorded((entry) => entry.kind === 'answer' && entry.result !== undefined)
  await recorded((entry) => entry.kind === 'call' && entry.method === 'showToast')
  await sayHello.click()
  await recorded((entry) => entry.kind === 'console' && entry.stack !== undefined)
  await frame.getByText('Open a detail page').click()
  await recorded(shownPages(2))
  await host.getByRole('button', { name: 'Back' }).click()
  await recorded(({ kind }) => kind === 'bar')
  await recorded(shownPages(1))
  await stop()

  const { status, out } = await souk(folder)
  expect({ status, out }).toEqual({ status: 0, out: '✓ session.jsonl: 1 launch, 4 actions, 3 calls, 0 requests\n' })

  await writeFile(page, (await readFile(page, 'utf8')).replace('Hello $', 'Welcome $'))
  const changed = await souk(folder)
  expect(changed.status).toBe(1)
  expect(changed.out).toMatch(/session\.jsonl: step 2, tap on pages\/index\/index, .* "Say hello"/)
  expect(changed.out).toMatch(
    /Call differs in title: expected showToast\(.*"Hello 1".*; came: showToast\(.*"Welcome 1"/,
  )
})

test('a tester records a session, whose error lists the recording, which repeats it', async () => {
  const { folder, files } = await greetings()
  const shop = await openShop('Tested Greetings')
  await shop.upload('1.0.0', files, false)
  const uid = await newUser('Sami')
  await manage('POST', `apps/${shop.appid}/testers`, { uids: [uid] })
  const host = await hostPage(uid)
  await host.goto(`apps/${shop.appid}`)
  await started(host, shop)
  await host.getByRole('button', { name: 'Mini app menu' }).click()
  await host.getByRole('button', { name: 'Record this session' }).click()
  const question = host.getByRole('dialog', { name: 'Record Tested Greetings?' })
  await question.waitFor()
  expect(await faults(host)).toEqual([])
  await question.getByRole('button', { name: 'Record', exact: true }).click()
  const mark = host.getByRole('region', { name: 'Recording of this session' })
  await mark.getByText('Recording until an error happens').waitFor()
  const frame = await started(host, shop)
  const sayHello = frame.getByText('Say hello')
  await sayHello.click()
  await frame.getByText('Hello 1').waitFor()
  await sayHello.click()
  await host.getByText('The developers have received a recording of this error.').waitFor()
  await expect.poll(() => mark.count()).toBe(0)
  // Sends what was counted.
  await host.close()

  const { projectId } = await manage<{ projectId: string }>('GET', `apps/${shop.appid}`)
  const address = `projects/${projectId}/apps/${shop.appid}/analytics?days=1`
  const developer = await consolePage({}, await memberOf(shop, 'editor'), serverUrl())
  const error = developer.getByText('out of greetings').first()
  await expect
    .poll(
      async () => {
        await developer.goto(address)
        await settled(developer)
        return error.count()
      },
      { timeout: 120_000 },
    )
    .toBe(1)
  await error.click()
  await developer.getByText(`Tester ${uid}`).waitFor()
  expect(await faults(developer)).toEqual([])
  const downloading = developer.waitForEvent('download')
  await developer.getByRole('link', { name: new RegExp(`Download the recording of tester ${uid}`) }).click()
  await (await downloading).saveAs(join(folder, 'session.jsonl'))
  expect(await souk(folder)).toEqual({
    status: 0,
    out: expect.stringMatching(/^✓ session\.jsonl: 1 launch, 2 actions, 3 calls, 0 requests\n$/),
  })
})
