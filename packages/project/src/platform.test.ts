import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { choosePlatform, PlatformError } from './platform.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-platform-'))
  await mkdir(join(folder, 'src'))
  vi.stubEnv('SOUK_PLATFORM', undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const write = (content: string) => writeFile(join(folder, 'package.json'), content)

test('a project that names no platform is for App', async () => {
  const app = { platform: 'App', source: 'default' }
  expect(choosePlatform(folder, undefined)).toEqual(app)
  for (const content of ['{}', '{ "souk": {} }', '{ "souk": null }', 'null', '{ broken']) {
    await write(content)
    expect(choosePlatform(folder, undefined)).toEqual(app)
  }
})

test('package.json names the platform, SOUK_PLATFORM overrides it, and an option overrides both', async () => {
  await write('\uFEFF{ "souk": { "platform": "H5" } }')
  for (const path of ['', 'pages.json', 'src', 'src/pages.json'])
    expect(choosePlatform(join(folder, path), undefined)).toEqual({ platform: 'H5', source: 'package' })
  vi.stubEnv('SOUK_PLATFORM', 'Mini App')
  expect(choosePlatform(folder, undefined)).toEqual({ platform: 'Mini App', source: 'variable' })
  expect(choosePlatform(folder, 'App')).toEqual({ platform: 'App', source: 'option' })
})

test('names the place of an unknown platform', async () => {
  await write('{ "souk": { "platform": "web" } }')
  expect(() => choosePlatform(folder, undefined)).toThrow(PlatformError)
  expect(() => choosePlatform(folder, undefined)).toThrow(/package\.json is "web"; expected one of: H5, App, Mini App/)
  vi.stubEnv('SOUK_PLATFORM', 'TV')
  expect(() => choosePlatform(folder, undefined)).toThrow('SOUK_PLATFORM is "TV"')
})
