import { describe, expect, test } from 'vitest'
import type { InspectedValue, InspectionEntry } from './inspection.ts'
import { openOperations } from './open/index.ts'
import {
  createRecordingMasks,
  RecordingError,
  type RecordingHeader,
  readRecording,
  recordingLimits,
  recordingLine,
} from './recording.ts'

const header: RecordingHeader = { souk: 'recording', version: 1, appid: 'demoapp00000001', time: 1 }
const device = {
  width: 390,
  height: 844,
  statusBarHeight: 47,
  safeAreaBottom: 34,
  language: 'ar',
  theme: 'dark',
} as const
const tap = { kind: 'tap', time: 2, page: 'pages/a/a', target: 'view:nth-of-type(1)' } as const
const text = (value: string): InspectedValue => ({ type: 'string', text: value })
const object = (fields: Record<string, InspectedValue>): InspectedValue => ({
  type: 'object',
  text: 'Object',
  entries: Object.entries(fields),
})

describe('a file', () => {
  const linesOf = (...entries: Parameters<typeof recordingLine>[0][]) =>
    entries.map((entry) => recordingLine(entry).trimEnd())

  test('is read with its build, entries and end', async () => {
    const lines = linesOf(
      header,
      { kind: 'build', platform: 'App', os: 'iOS', device },
      tap,
      { kind: 'bar', time: 3, action: 'tab', index: 1 },
      { kind: 'end', time: 4, reason: 'full', omitted: 2 },
    )
    expect(await readRecording(lines)).toEqual({
      appid: header.appid,
      time: 1,
      build: { platform: 'App', os: 'iOS', device },
      entries: [tap, { kind: 'bar', time: 3, action: 'tab', index: 1 }],
      end: { reason: 'full', omitted: 2 },
      unknown: 0,
    })
  })

  test('is read up to where it was cut off, at every place after its header', async () => {
    const whole = linesOf(header, tap, tap, { kind: 'end', time: 3, reason: 'stopped', omitted: 0 }).join('\n')
    const first = JSON.stringify(header).length
    for (let length = first; length < whole.length; length++) {
      const read = await readRecording(whole.slice(0, length).split('\n'))
      expect(read.end).toBeUndefined()
      expect(read.entries.length).toBe(whole.slice(first, length).split(JSON.stringify(tap)).length - 1)
    }
  })

  test('may have lines and fields of newer versions that do not change the others', async () => {
    const lines = [...linesOf({ ...header, more: 1 } as never, { kind: 'smell' } as never), '1', ...linesOf(tap)]
    expect(await readRecording(lines)).toMatchObject({ entries: [tap], unknown: 2 })
  })

  test.each([
    ['an empty file', []],
    ['another file', ['{"name":"package"}']],
    ['a text', ['Dear diary']],
    ['a newer version', [JSON.stringify({ ...header, version: 2 })]],
  ])('is refused: %s', async (_, lines) => {
    await expect(readRecording(lines)).rejects.toThrow(RecordingError)
  })

  test('has limits of its size and entries', async () => {
    const lines = [header, tap, tap, tap].map((line) => JSON.stringify(line))
    expect((await readRecording(lines, { ...recordingLimits, entries: 2 })).entries).toEqual([tap, tap])
    const large = 'x'.repeat(recordingLimits.bytes)
    await expect(readRecording([JSON.stringify(header), large])).rejects.toThrow('larger than 64 MB')
  })
})

describe('masks', () => {
  const secret = 'zq81-Vanilla ü/7'
  /** Records the entries, and returns what the file contains. */
  const recorded = (...entries: InspectionEntry[]) => entries.map(createRecordingMasks())

  const names = [
    ...new Set(Object.values(openOperations).flatMap(({ redact }) => redact)),
    ...['Authorization', 'Set-Cookie', 'X-Api-Key', 'refresh_token', 'PASSWORD', 'contactPhone', 'user_email'],
  ]
  test.each(names)('hide %s wherever it is sent', (name) => {
    const params = object({ deep: object({ [name]: text(secret) }), json: text(JSON.stringify({ [name]: secret })) })
    const form = new URLSearchParams({ a: '1', [name]: secret, z: '2' })
    const request = { kind: 'request' as const, id: 1, time: 1, method: 'POST', headers: [] }
    const url = 'https://coffee.example/orders'
    const entries: InspectionEntry[] = [
      { kind: 'call', id: 1, time: 1, method: 'callHostFunction', params },
      { ...request, url: `${url}?${form}` },
      { ...request, url: `${url}?a=1&${name}=${encodeURIComponent(secret)}` },
      { ...request, url, headers: [[name, secret]] },
      { ...request, url, body: JSON.stringify({ list: [{ [name]: secret }] }) },
      { ...request, url, body: String(form) },
      { ...request, url, body: `a: 1\n${name}: ${secret}` },
      { kind: 'storage', items: [{ key: name, text: secret, size: 1 }] },
      { kind: 'storage', items: [{ key: 'user', text: JSON.stringify({ [name]: secret }), size: 1 }] },
      { kind: 'pages', pages: [{ id: 1, path: 'a', query: String(form), data: params, changes: params }] },
      { kind: 'console', time: 1, level: 'log', values: [params, text(`sent {"${name}": "${secret}"}`)] },
    ]
    for (const entry of entries) {
      const line = JSON.stringify(recorded(entry))
      expect(line).not.toMatch(/Vanilla/)
      expect(line).toContain('******')
    }
  })

  test('hide a value wherever it occurs after its name was seen', () => {
    const entries: InspectionEntry[] = [
      { kind: 'call', id: 1, time: 1, method: 'login', params: object({}) },
      { kind: 'answer', id: 1, time: 1, result: object({ code: text(secret) }) },
      { kind: 'console', time: 1, level: 'error', values: [text(`got ${secret}`)], stack: `Error: ${secret}` },
      {
        kind: 'request',
        id: 2,
        time: 1,
        method: 'GET',
        url: `https://a.example/${encodeURIComponent(secret)}`,
        headers: [],
      },
      { kind: 'response', id: 2, time: 1, status: 0, headers: [], error: `no ${secret}` },
      { kind: 'answer', id: 3, time: 1, errMsg: `login:fail ${secret}` },
    ]
    expect(JSON.stringify(recorded(...entries))).not.toMatch(/Vanilla/)
  })

  test.each(['getLocation', 'chooseLocation', 'getClipboardData', 'scanCode', 'readRecording', 'readFiles'])(
    'hide all that %s returns, and keep the types',
    (method) => {
      const result = object({ place: object({ at: { type: 'number', text: '24.7136' } }), text: text(secret) })
      const [, answer] = recorded(
        { kind: 'call', id: 1, time: 1, method, params: object({}) },
        { kind: 'answer', id: 1, time: 1, result },
      )
      const hidden = object({ place: object({ at: { type: 'number', text: '******' } }), text: text('******') })
      expect(answer).toMatchObject({ result: hidden })
    },
  )

  test('hide bodies and texts that were cut, credentials in addresses, and tokens in texts', () => {
    const start = `{"attributes":{"team":"${secret}","rest":"`
    const cut = start.padEnd(65_535, 'x').concat('…')
    const entries: InspectionEntry[] = [
      { kind: 'response', id: 1, time: 1, status: 200, headers: [], body: cut },
      { kind: 'storage', items: [{ key: 'profile', text: cut, size: 99_999 }] },
      { kind: 'console', time: 1, level: 'log', values: [{ type: 'string', text: start, omitted: 9 }] },
      { kind: 'request', id: 1, time: 1, method: 'GET', url: 'https://me:Vanilla@a.example/', headers: [] },
      { kind: 'console', time: 1, level: 'log', values: [text('curl -H "x: Bearer Vanilla123"')] },
    ]
    expect(JSON.stringify(recorded(...entries))).not.toMatch(/Vanilla/)
    expect(recorded(entries[0]!)[0]).not.toHaveProperty('body')
  })

  test('leave everything else as it was', () => {
    const order = object({
      code: { type: 'number', text: '200' },
      name: text('Latte'),
      isPaid: { type: 'boolean', text: 'true' },
    })
    const entries: InspectionEntry[] = [
      { kind: 'start', time: 1 },
      { kind: 'mark', mark: 'ready', time: 1 },
      tap,
      { kind: 'bar', time: 1, action: 'searchConfirmed', text: 'latte' },
      { kind: 'call', id: 1, time: 1, method: 'showToast', params: order },
      { kind: 'answer', id: 1, time: 1, result: order },
      {
        kind: 'request',
        id: 1,
        time: 1,
        method: 'GET',
        url: 'https://a.example/b?size=L&milk=oat',
        headers: [['accept', '*/*']],
      },
      {
        kind: 'response',
        id: 1,
        time: 1,
        status: 200,
        headers: [],
        body: '{ "code": "SUCCESS", "items": [1, 2] }',
        size: 9,
      },
      { kind: 'storage', items: [{ key: 'cart', text: '[ 1 ]', size: 5 }] },
      { kind: 'pages', pages: [{ id: 1, path: 'a', query: 'table=7', data: order, changes: object({}) }] },
      { kind: 'console', time: 1, level: 'log', values: [order] },
    ]
    expect(recorded(...entries)).toEqual(entries)
  })
})
