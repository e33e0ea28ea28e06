import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { announceUrl } from './announceUrl.ts'

let dataDir: string
let warnings: unknown[]
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'souk-announce-'))
  warnings = []
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))
const log = { warn: (...line: unknown[]) => void warnings.push(line) }

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080', 'http://localhost:8080'],
  ['0.0.0.0', 'http://127.0.0.1:7070', 'http://localhost:7070'],
  ['::', 'http://[::1]:7070', 'http://localhost:7070'],
  ['localhost', 'http://127.0.0.1:80', 'http://localhost:80'],
  ['10.0.0.5', 'http://10.0.0.5:7070', 'http://10.0.0.5:7070'],
  ['fd00::5', 'http://[fd00::5]:7070', 'http://[fd00::5]:7070'],
])('a server that listens on %s is reached on its machine', async (host, address, url) => {
  await announceUrl({ dataDir, host, role: 'all' }, address, log)
  expect(await readFile(join(dataDir, 'url'), 'utf8')).toBe(`${url}\n`)
  expect(warnings).toEqual([])
})

test('a process that runs jobs only leaves the URL of another one', async () => {
  await announceUrl({ dataDir, host: '::', role: 'worker' }, 'http://[::1]:7070', log)
  expect(await readdir(dataDir)).toEqual([])
})

test('a data directory that cannot be written is a warning', async () => {
  await announceUrl({ dataDir: join(dataDir, 'missing'), host: '::', role: 'api' }, 'http://[::1]:7070', log)
  expect(warnings).toEqual([[{ reason: expect.stringContaining('ENOENT') }, expect.any(String)]])
})
