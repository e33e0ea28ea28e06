import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { InspectedValue, InspectionEntry } from '@souk/contract/inspection'
import { type RecordingLine, recordingLine } from '@souk/contract/recording'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { unpackChromium, variablesOf } from '../../../../e2e/chromium.ts'
import { runIn } from '../../test/command.ts'

// `souk test` repeats a recording of a small mini app in Chromium, and of others that differ from it.

const device = {
  width: 390,
  height: 844,
  statusBarHeight: 47,
  safeAreaBottom: 34,
  language: 'ar',
  theme: 'dark',
} as const
const home = `<template>
<view><view>Menu of {{ locale }} {{ width }}</view><view><text @tap="order">Order</text></view></view>
</template>
<script setup>
import { ref } from 'vue'
const { language: locale, windowWidth: width } = neu.getSystemInfoSync()
neu.login({})
async function order() {
  const data = { drink: 'tea', at: Date.now(), id: crypto.randomUUID() }
  const { data: order } = await neu.request({ url: 'https://api.example/orders', method: 'POST', data })
  await neu.navigateTo({ url: '/pages/detail/detail?id=' + order.id })
}
</script>`
const detail = `<template><view><text @tap="share">Share</text></view></template>
<script setup>
const share = () => neu.getAuthCode({ scope: 'user.phone' }).then(() => { throw new Error('not ready 7') })
</script>`

const source: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'pages.json': JSON.stringify({ pages: [{ path: 'pages/home/home' }, { path: 'pages/detail/detail' }] }),
  'pages/home/home.vue': home,
  'pages/detail/detail.vue': detail,
}

const object = (fields: Record<string, string | number>): InspectedValue => ({
  type: 'object',
  text: 'Object',
  entries: Object.entries(fields).map(([name, value]) => [
    name,
    { type: typeof value as 'string', text: String(value) },
  ]),
})
const text = '"drink":"tea","at":1700000000000,"id":"6b1f0b1e-7d2a-4c1f-9d35-2f1f6a0f7c11"'
const pages = (...stack: [path: string, query?: string][]): InspectionEntry => ({
  kind: 'pages',
  pages: stack.map(([path, query = ''], id) => ({ id, path, query, data: object({}), changes: object({}) })),
})
const tap = (time: number, page: string): InspectionEntry => ({
  kind: 'tap',
  time,
  page,
  target:
    page === 'pages/home/home'
      ? 'neu-view:nth-of-type(1)>neu-view:nth-of-type(2)>neu-text:nth-of-type(1)'
      : 'neu-view:nth-of-type(1)>neu-text:nth-of-type(1)',
})
/** A launch in which the user orders and shares, and goes back and shares again. */
const launch: InspectionEntry[] = [
  { kind: 'start', time: 1000 },
  { kind: 'mark', mark: 'start', time: 1000 },
  { kind: 'call', id: 1, time: 1100, method: 'login', params: object({}) },
  { kind: 'answer', id: 1, time: 1110, result: object({ code: '******' }) },
  pages(['pages/home/home']),
  { kind: 'request', id: 1, time: 1300, method: 'POST', url: 'http://10.0.0.7/orders', headers: [], body: `{${text}}` },
  tap(1300, 'pages/home/home'),
  {
    kind: 'response',
    id: 1,
    time: 1310,
    status: 200,
    headers: [['content-type', 'application/json']],
    body: '{"id":"8"}',
    size: 10,
  },
  pages(['pages/home/home'], ['pages/detail/detail', 'id=8']),
  { kind: 'call', id: 2, time: 1501, method: 'getAuthCode', params: object({ scope: 'user.phone' }) },
  { kind: 'answer', id: 2, time: 1502, result: object({ code: '******' }) },
  tap(1500, 'pages/detail/detail'),
  {
    kind: 'console',
    time: 1503,
    level: 'error',
    values: [{ type: 'string', text: 'Uncaught Error: not ready 7' }],
    stack: 'Error: not ready 7',
  },
  { kind: 'bar', time: 1700, action: 'back' },
  pages(['pages/home/home']),
]
const recording = (...launches: InspectionEntry[][]): string => {
  const lines: RecordingLine[] = [
    { souk: 'recording', version: 1, appid: 'demoapp00000001', time: 1 },
    { kind: 'build', platform: 'App', os: 'Android', device },
    ...launches.flat(),
    { kind: 'end', time: 2, reason: 'stopped', omitted: 0 },
  ]
  return lines.map(recordingLine).join('')
}

let folder: string
let chromium: string
beforeAll(async () => {
  chromium = await unpackChromium()
  folder = await mkdtemp(join(tmpdir(), 'souk-test-'))
  await writeAll('app', source)
  await writeFile(join(folder, 'session.jsonl'), recording(launch))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function writeAll(name: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name, path)), { recursive: true })
    await writeFile(join(folder, name, path), content)
  }
}

function souk(...args: string[]) {
  for (const [name, value] of Object.entries(variablesOf(chromium))) vi.stubEnv(name, value)
  const untilInterrupted = () => new AbortController().signal
  return runIn(folder, ['test', ...args], { untilInterrupted, chromium: () => join(chromium, 'chromium') })
}

test('passes if the mini app does what was recorded, also after its user has started it again', async () => {
  await writeFile(join(folder, 'twice.jsonl'), recording(launch, launch.slice(0, 5)))
  const { status, out, err } = await souk('session.jsonl', 'twice.jsonl', '--project', 'app')
  expect({ status, out, err }).toEqual({
    status: 0,
    out: [
      '✓ session.jsonl: 1 launch, 3 actions, 2 calls, 1 request',
      '✓ twice.jsonl: 2 launches, 3 actions, 3 calls, 1 request',
      '',
    ].join('\n'),
    err: '',
  })
})

test.each([
  [
    'a page with another name',
    { ...source, 'pages.json': source['pages.json']!.replaceAll('detail', 'order'), 'pages/order/order.vue': detail },
    (home: string) => home.replaceAll('detail', 'order'),
    2,
    [
      {
        kind: 'page',
        expected: 'pages/home/home > pages/detail/detail?id=8',
        actual: 'pages/home/home > pages/order/order?id=8',
      },
    ],
  ],
  [
    'a call that is missing',
    source,
    (home: string) => home.replace('neu.login({})', ''),
    1,
    [{ kind: 'call', expected: 'login({})' }],
  ],
  [
    'a request with another body',
    source,
    (home: string) => home.replace("'tea'", "'milk'"),
    2,
    [
      { kind: 'page', expected: 'pages/home/home > pages/detail/detail?id=8', actual: 'pages/home/home' },
      {
        kind: 'request',
        expected: `POST http://10.0.0.7/orders {${text}}`,
        actual: expect.stringMatching(/^POST https:\/\/api.example\/orders \{"drink":"milk","at":\d+,/),
      },
    ],
  ],
  [
    'an element that is gone',
    source,
    (home: string) => home.replace('<text @tap="order">Order</text>', ''),
    2,
    [
      {
        kind: 'action',
        expected: expect.stringMatching(/^tap on pages\/home\/home, /),
        actual: 'it is not on the page',
      },
    ],
  ],
])('fails for %s, and says what differs', async (_, files, change, step, differences) => {
  await writeAll('changed', { ...files, 'pages/home/home.vue': change(home) })
  const { status, out } = await souk('session.jsonl', '--project', 'changed', '--timeout', '2', '--json')
  const { passed, files: reports } = JSON.parse(out)
  expect({ status, passed }).toEqual({ status: 1, passed: false })
  const { failure } = reports[0]
  expect(failure).toMatchObject({ launch: 1, step, screenshot: 'session.png' })
  expect(failure.differences).toEqual(expect.arrayContaining(differences))
  expect((await readFile(join(folder, 'session.png'))).subarray(1, 4).toString()).toBe('PNG')
})

test('says which parameter of a call differs, and which error is new or gone', async () => {
  const broken = "const share = () => { neu.getAuthCode({ scope: 'user.email' }); throw new TypeError('broken') }"
  const changed = detail.replace(/const share = .*/, broken)
  await writeAll('changed', { ...source, 'pages/detail/detail.vue': changed })
  const { out } = await souk('session.jsonl', '--project', 'changed')
  expect(out).toContain(
    'Call differs in scope: expected getAuthCode({"scope":"user.phone"}); came: getAuthCode({"scope":"user.email"})',
  )
  expect(out).toContain('Not recorded, but thrown: TypeError: broken')
  await writeAll('changed', { 'pages/detail/detail.vue': detail.replace("{ throw new Error('not ready 7') }", '{}') })
  const mended = await souk('session.jsonl', '--project', 'changed')
  expect(mended.status).toBe(0)
  expect(mended.out).toContain('This error has not happened again: Error: not ready 7\n')
})

test('ends with 2 for a file that is not a recording, and without Chromium', async () => {
  await writeFile(join(folder, 'broken.jsonl'), 'x')
  const broken = await souk('session.jsonl', 'broken.jsonl', '--project', 'app')
  expect(broken).toMatchObject({ status: 2, out: '' })
  expect(broken.err).toContain('broken.jsonl: The file is not a recording')
  const none = await runIn(folder, ['test', 'session.jsonl'], { chromium: () => undefined })
  expect(none.status).toBe(2)
  expect(none.err).toContain('No Chromium was found.')
  expect(none.err).toContain('set CHROMIUM')
  const wrong = await runIn(folder, ['test', 'session.jsonl', '--project', 'app'], { chromium: () => '/none/chromium' })
  expect(wrong.status).toBe(2)
  expect(wrong.err).toContain('Chromium does not start: /none/chromium')
})
