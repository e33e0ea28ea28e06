import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readRecording } from '../../packages/contract/src/recording.ts'
import { builtMiniApp, hostPage, neu, newUser, openShop, serverUrl, started } from './fixture.ts'

const souk = join(import.meta.dirname, '../../packages/cli/src/main.ts')

test('souk inspect records a mini app whose user agrees, from its launch, without codes', async () => {
  const shop = await openShop('Corner Bakery')
  await shop.upload('1.0.0', await builtMiniApp())
  const folder = await mkdtemp(join(tmpdir(), 'souk-recording-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'session.jsonl')
  const options = ['inspect', '--appid', shop.appid, '--record', file, '--json']
  const recorder = spawn(process.execPath, ['--conditions=souk-source', '--no-warnings', souk, ...options], {
    env: { ...process.env, SOUK_URL: serverUrl(), SOUK_ADMIN_TOKEN: inject('emptyServer').adminToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void recorder.kill())
  const [printed, notes] = [createInterface(recorder.stdout), createInterface(recorder.stderr)]
  const isRecording = once(notes, 'line')
  const { link } = JSON.parse((await once(printed, 'line'))[0]) as { link: string }

  const page = await hostPage(await newUser('Huda'))
  await page.goto(link)
  const question = page.getByRole('dialog', { name: /watch Corner Bakery/ })
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
  const frame = await started(page, shop)
  const { code } = (await neu(frame, 'login')) as unknown as { code: string }
  await frame.getByText('Date cake').click()
  const lines = async () => (await readFile(file, 'utf8')).split('\n').slice(0, -1)
  await expect.poll(async () => (await lines()).some((line) => line.includes('"tap"'))).toBe(true)
  recorder.kill('SIGINT')
  expect(await once(recorder, 'exit')).toEqual([0, null])

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
