import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Locator } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type InspectionEntry, readInspection } from '../../packages/contract/src/inspection.ts'
import { readRecording } from '../../packages/contract/src/recording.ts'
import { release } from '../../packages/vite-plugin/src/index.ts'
import { unpackChromium, variablesOf } from '../chromium.ts'
import { consolePage, faults, otherLooks, settled } from '../console.ts'
import { saveScreenshot } from '../screenshot.ts'
import {
  browserPage,
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

/** Answers a question, which takes no input too early. */
async function answer(question: Locator, button: string): Promise<void> {
  await question.waitFor()
  await expect
    .poll(async () => {
      await question
        .getByRole('button', { name: button, exact: true })
        .click({ timeout: 1000 })
        .catch(() => {})
      return question.count()
    })
    .toBe(0)
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
  await answer(question, 'Allow')
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

/** Runs the command in a folder, as the administrator of the server. */
async function souk(folder: string, args: string[]): Promise<{ status: number | null; out: string }> {
  const home = await unpackChromium()
  const env = {
    ...process.env,
    ...variablesOf(home),
    CHROMIUM: join(home, 'chromium'),
    INIT_CWD: folder,
    NO_COLOR: '1',
    SOUK_URL: serverUrl(),
    SOUK_ADMIN_TOKEN: inject('emptyServer').adminToken,
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...command, ...args], { cwd: folder, env }, (_, out, err) =>
      resolve({ status: child.exitCode, out: out + err }),
    )
  })
}

/** Repeats the recording of a project. */
const repeat = (folder: string, file = 'session.jsonl') =>
  souk(folder, ['test', file, '--project', 'shop', '--timeout', '60'])

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

  const { status, out } = await repeat(folder)
  expect({ status, out }).toEqual({ status: 0, out: '✓ session.jsonl: 1 launch, 4 actions, 3 calls, 0 requests\n' })

  await writeFile(page, (await readFile(page, 'utf8')).replace('Hello $', 'Welcome $'))
  const changed = await repeat(folder)
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
  await saveScreenshot(host, 'recording-question')
  await answer(question, 'Record')
  const mark = host.getByRole('region', { name: 'Recording of this session' })
  await mark.getByText('Recording until an error happens').waitFor()
  await saveScreenshot(host, 'recording-mark')
  const frame = await started(host, shop)
  const sayHello = frame.getByText('Say hello')
  await sayHello.click()
  await host.getByText('Hello 1').waitFor()
  await sayHello.click()
  await host.getByText('The developers have received a recording of this error.').waitFor()
  await expect.poll(() => mark.count()).toBe(0)
  // Sends what was counted.
  await host.close()

  const { projectId } = await manage<{ projectId: string }>('GET', `apps/${shop.appid}`)
  const address = `projects/${projectId}/apps/${shop.appid}/analytics?days=1`
  const editor = await memberOf(shop, 'editor')
  const developer = await consolePage({}, editor, serverUrl())
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
  await saveScreenshot(developer, 'recordings-of-testers', { fullPage: true })
  const downloading = developer.waitForEvent('download')
  await developer.getByRole('link', { name: new RegExp(`Download the recording of tester ${uid}`) }).click()
  await (await downloading).saveAs(join(folder, 'session.jsonl'))
  expect(await repeat(folder)).toEqual({
    status: 0,
    out: '✓ session.jsonl: 1 launch, 2 actions, 3 calls, 0 requests\n',
  })
  for (const look of otherLooks) {
    const other = await consolePage(look, editor, serverUrl())
    await other.goto(address)
    await other.getByText('out of greetings').first().click()
    await other.locator('a[download]').waitFor()
    expect(await faults(other)).toEqual([])
    await saveScreenshot(other, `recordings-of-testers-${look.language}`, { fullPage: true })
  }
  const viewer = await consolePage({}, await memberOf(shop, 'viewer'), serverUrl())
  await viewer.goto(address)
  await viewer.getByText('out of greetings').first().click()
  await settled(viewer)
  expect(await viewer.getByText('Recordings of testers').count()).toBe(0)
  const path = `${serverUrl()}/console/v1/apps/${shop.appid}/analytics/recordings`
  expect((await viewer.request.get(path)).status()).toBe(403)

  const listed = await souk(folder, ['recordings', 'list', '--appid', shop.appid, '--json'])
  const [{ recordingId }] = JSON.parse(listed.out) as [{ recordingId: string }]
  await souk(folder, ['recordings', 'get', recordingId, '--appid', shop.appid, '--out', 'again.jsonl'])
  expect(await readFile(join(folder, 'again.jsonl'), 'utf8')).toBe(
    await readFile(join(folder, 'session.jsonl'), 'utf8'),
  )

  const replaying = spawn(process.execPath, [...command, 'dev', 'shop', '--replay', 'again.jsonl', '--json'], {
    env: { ...process.env, INIT_CWD: folder },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void replaying.kill())
  let answered = ''
  replaying.stderr.on('data', (text) => {
    answered += text
  })
  const { url } = JSON.parse((await once(createInterface(replaying.stdout), 'line'))[0]) as { url: string }
  const replayed = await browserPage()
  const errors: string[] = []
  replayed.on('pageerror', ({ message }) => errors.push(message))
  replayed.on('console', (message) => errors.push(message.text()))
  await replayed.goto(url)
  const greet = replayed.frameLocator('iframe').getByText('Say hello')
  await greet.click()
  await replayed.getByText('Hello 1').waitFor()
  await greet.click()
  await expect.poll(() => errors.join()).toContain('out of greetings')
  expect(answered.match(/✓ login/g)).toHaveLength(2)
})
