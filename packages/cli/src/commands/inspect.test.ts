import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectionEnds } from '@souk/contract'
import { readRecording, recordingLimits } from '@souk/contract/recording'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isolated, run } from '../../test/command.ts'
import { systemEnvironment } from '../environment.ts'
import { startRecorder } from '../recording/recorder.ts'

const appid = 'aaaaaaaaaaaaaaa'
const inspectionId = '0123456789abcdef0123456789abcdef'

let server: Server
let url: string
let folder: string
let interrupt: AbortController
/** Methods and paths of requests, and commands to the phone. */
let requests: string[]
/** What happens on each connection to the stream. */
let streams: ((send: (event: string, data: object) => void, response: ServerResponse) => void | Promise<void>)[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-recording-'))
  interrupt = new AbortController()
  requests = []
  streams = []
  server = createServer(async (request, response) => {
    const { method, url: path = '' } = request
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push(`${method} ${path.replace(`/console/v1/apps/${appid}/inspections`, '')} ${body}`.trim())
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      const send = (event: string, data: object) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      await streams.shift()?.(send, response)
      return
    }
    const created = { inspectionId, code: 'souk_inspect_1', validUntil: 1 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(path.endsWith('/inspections') ? created : true))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  await rm(folder, { recursive: true })
})

const inspect = (...more: string[]) =>
  run(['inspect', '--appid', appid, '--record', 'session.jsonl', ...more], {
    ...isolated,
    folder,
    createFile: (path, options) => systemEnvironment().createFile(join(folder, path), options),
    serverUrl: async () => url,
    adminToken: () => ({ token: 'admin', source: 'a test' }),
    untilInterrupted: () => interrupt.signal,
  })
const file = () => join(folder, 'session.jsonl')
const recording = async () => readRecording((await readFile(file(), 'utf8')).split('\n'))

const paired = (after: number) => ({ paired: true, connected: true, joined: 1, after })
const message = (messageId: number, entries: object[], more = {}) => ({
  messageId,
  message: JSON.stringify({ entries, ...more }),
})
const tap = { kind: 'tap', time: 1, page: 'pages/a/a', target: 'view' }
const start = { kind: 'start', time: 1 }
const device = { width: 390, height: 844, statusBarHeight: 47, safeAreaBottom: 34, language: 'en', theme: 'light' }

test('records what the phone reports, masked, from a restart on, and connects again', async () => {
  const login = {
    kind: 'answer',
    id: 1,
    time: 3,
    result: { type: 'object', text: 'Object', entries: [['code', { type: 'string', text: 'once-only' }]] },
  }
  let beforeConnection: string[] = []
  streams = [
    async (send, response) => {
      send('state', { paired: false, connected: false, joined: null, after: 4 })
      // The user has agreed. A command to a phone that has not connected yet would be lost.
      send('state', { paired: true, connected: false, joined: null, after: 4 })
      await new Promise((done) => setTimeout(done, 100))
      beforeConnection = [...requests]
      send('state', paired(4))
      send('message', message(5, [start, login], { source: { text: '{}', platform: 'App', os: 'iOS', device } }))
      send('message', message(6, [{ kind: 'call' }, tap], { omitted: 3 }))
      response.end()
    },
    (send) => {
      send('state', paired(6))
      send('message', message(7, [tap]))
      send('ended', { reason: 'left' })
    },
  ]
  const { status, out, err } = await inspect()
  expect([status, out]).toEqual([0, expect.stringContaining(`/host/apps/${appid}#inspect=souk_inspect_1`)])
  expect(out).toMatch(
    /Recorded to session\.jsonl \(ended by the phone\): 1 launch, .* 2 taps, 0 errors, 3 left out\.\n$/,
  )
  expect(err).toContain('Lost the connection')
  expect(await recording()).toMatchObject({
    appid,
    build: { platform: 'App', os: 'iOS', device },
    entries: [start, { kind: 'answer', result: { entries: [['code', { text: '******' }]] } }, tap, tap],
    end: { reason: 'left', omitted: 3 },
    unknown: 0,
  })
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  const stream = `GET /${inspectionId}/messages`
  const restart = { message: '{"type":"restart"}' }
  expect(beforeConnection).toEqual(['POST  {}', stream])
  expect(requests).toEqual([
    'POST  {}',
    stream,
    `POST /${inspectionId}/messages ${JSON.stringify(restart)}`,
    `${stream}?after=6`,
    `DELETE /${inspectionId}`,
  ])
})

test('Ctrl-C ends the recording, and what was recorded until then stays', async () => {
  streams = [
    (send) => {
      send('state', paired(0))
      send('message', message(1, [start, tap]))
    },
  ]
  const inspected = inspect('--json')
  await vi.waitFor(async () => expect(await readFile(file(), 'utf8')).toContain('"tap"'), 30_000)
  interrupt.abort()
  const { status, out } = await inspected
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([status, lines]).toMatchObject([
    0,
    [{ link: expect.any(String) }, { file: 'session.jsonl', reason: 'stopped', launches: 1, taps: 1 }],
  ])
  expect(await recording()).toMatchObject({ entries: [start, tap], end: { reason: 'stopped' } })
  expect(requests.at(-1)).toBe(`DELETE /${inspectionId}`)
})

test.each(inspectionEnds)('leaves no file, and fails, if it ends before a phone has accepted: %s', async (reason) => {
  streams = [(send) => send('ended', { reason })]
  const { status, err } = await inspect()
  expect([status, err]).toEqual([1, expect.stringContaining('nothing was recorded')])
  expect(await readdir(folder)).toEqual([])
})

test('replaces a file only with --force, and only when a phone has accepted', async () => {
  await writeFile(file(), 'mine', { mode: 0o644 })
  expect(await inspect()).toMatchObject({ status: 2, err: expect.stringContaining('session.jsonl exists already') })
  expect(requests).toEqual([])
  streams = [(send) => send('ended', { reason: 'declined' })]
  expect((await inspect('--force')).status).toBe(1)
  expect(await readFile(file(), 'utf8')).toBe('mine')
  streams = [
    (send) => {
      send('state', paired(0))
      send('message', message(1, [tap]))
      send('ended', { reason: 'left' })
    },
  ]
  expect((await inspect('--force')).status).toBe(0)
  expect((await recording()).entries).toEqual([tap])
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})

test('a recording ends at its limits, and says so', async () => {
  const start = async (limits: object) => {
    let text = ''
    const recorder = await startRecorder(
      {
        append: async (more) => {
          text += more
        },
        close: async () => {},
      },
      { appid, now: () => 1, limits: { ...recordingLimits, ...limits } as typeof recordingLimits },
    )
    return { recorder, read: async () => readRecording(text.split('\n')), size: () => text.length }
  }
  const entries = [tap, tap, tap] as never
  const few = await start({ entries: 2 })
  expect(await few.recorder.add({ entries })).toBe(false)
  await few.recorder.end('full')
  expect(await few.read()).toMatchObject({ entries: [tap, tap], end: { reason: 'full' } })

  const small = await start({ bytes: 1200 })
  expect(await small.recorder.add({ entries })).toBe(false)
  await small.recorder.end('full')
  expect(small.size()).toBeLessThanOrEqual(1200)
  expect((await small.read()).end).toEqual({ reason: 'full', omitted: 0 })

  const short = await start({ line: 50 })
  expect(await short.recorder.add({ entries })).toBe(true)
  expect(short.recorder.numbers.omitted).toBe(3)
})
