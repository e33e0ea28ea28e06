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
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://0.0.0.0:7070', 'http://localhost:7070'],
  ['http://[::]:7070', 'http://localhost:7070'],
  ['http://[::1]:80', 'http://localhost:80'],
  ['http://10.0.0.5:7070', 'http://10.0.0.5:7070'],
  ['http://[fd00::5]:7070', 'http://[fd00::5]:7070'],
])('a server that listens at %s is reached on its machine at %s', async (address, url) => {
  await announceUrl({ dataDir, role: 'all' }, address, log)
  expect(await readFile(join(dataDir, 'url'), 'utf8')).toBe(`${url}\n`)
  expect(warnings).toEqual([])
})

test('a process that runs jobs only leaves the URL of another one', async () => {
  await announceUrl({ dataDir, role: 'worker' }, 'http://[::1]:7070', log)
  expect(await readdir(dataDir)).toEqual([])
})

test('a data directory that cannot be written is a warning', async () => {
  await announceUrl({ dataDir: join(dataDir, 'missing'), role: 'api' }, 'http://[::1]:7070', log)
  expect(warnings).toEqual([[{ reason: expect.stringContaining('ENOENT') }, expect.any(String)]])
})
