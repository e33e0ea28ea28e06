import type { InspectionEntry } from '@souk/contract/inspection'
import { readRecording } from '@souk/contract/recording'
import { expect, test } from 'vitest'
import { createSessionRecorder } from './sessionRecorder.ts'

const appid = 'demoapp00000001'
const device = {
  width: 390,
  height: 844,
  statusBarHeight: 47,
  safeAreaBottom: 34,
  language: 'en',
  theme: 'light',
} as const
const build = { platform: 'Mini App', os: 'iOS', device } as const
const tap = { kind: 'tap', time: 2, page: 'pages/a/a', target: 'view' } as const
const start = { kind: 'start', time: 1 } as const

const unpacked = (recording = '') => {
  const bytes = Uint8Array.from(atob(recording), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}

test('a recording begins with the next launch, is masked, and can be read', async () => {
  const recorder = createSessionRecorder(appid)
  recorder.add([tap])
  const text = (value: string) => ({ type: 'string', text: value }) as const
  recorder.add([
    start,
    tap,
    { kind: 'call', id: 1, time: 3, method: 'login', params: { type: 'object', text: 'Object' } },
    {
      kind: 'answer',
      id: 1,
      time: 4,
      result: { type: 'object', text: 'Object', entries: [['code', text('once-only')]] },
    },
  ])
  const file = await unpacked(await recorder.finish(build))
  expect(file).not.toContain('once-only')
  expect(await readRecording(file.split('\n'))).toMatchObject({
    appid,
    build,
    entries: [start, tap, { kind: 'call' }, { kind: 'answer', result: { entries: [['code', { text: '******' }]] } }],
    end: { reason: 'stopped', omitted: 0 },
    unknown: 0,
  })
})

test('a recording has limits, compressed and uncompressed', async () => {
  const long = (text: string): InspectionEntry => {
    return { kind: 'console', time: 1, level: 'log', values: [{ type: 'string', text }] }
  }
  const recorder = createSessionRecorder(appid)
  const randomText = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  const letters = randomText()
  recorder.add([start, ...Array.from({ length: 10 }, () => long(letters))])
  expect(await recorder.finish(build)).toBeDefined()
  expect(recorder.isFull()).toBe(false)
  recorder.add(Array.from({ length: 25 }, () => long(randomText())))
  expect(await recorder.finish(build)).toBeUndefined()
  recorder.add(Array.from({ length: 50 }, () => long(letters)))
  expect(recorder.isFull()).toBe(true)
})
