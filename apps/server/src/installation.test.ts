import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../test/database.ts'
import { untilWaiting } from '../test/locks.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { checkInstallation, openVault } from './installation.ts'
import { Vault } from './kernel/vault.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const sandbox: Config = readConfig({})
const live: Config = readConfig({ SOUK_ENVIRONMENT: 'live' })
const vault = new Vault(() => [Buffer.alloc(32, 1)])

test('the environment of an installation cannot change', async () => {
  await checkInstallation(database.sql, sandbox, vault)
  await checkInstallation(database.sql, sandbox, vault)
  await expect(checkInstallation(database.sql, live, vault)).rejects.toThrow(
    /belongs to a sandbox installation, but SOUK_ENVIRONMENT is live/,
  )
})

test('rejects another master key with a message that contains neither key', async () => {
  const other = Buffer.alloc(32, 2)
  const refusal = await checkInstallation(database.sql, sandbox, new Vault(() => [other])).catch(
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(ConfigError)
  expect(String(refusal)).toMatch(/encrypted with the master key [0-9a-f]{16}.*SOUK_MASTER_KEY/)
  expect(String(refusal)).not.toContain(other.toString('hex'))
})

test('the second of two concurrent first starts leaves no key behind', async () => {
  const fresh = await freshDatabase()
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'souk-first-'))))
  const results = await fresh.sql.begin(async (tx) => {
    await tx`lock table installation in share mode`
    const starts = folders.map((dataDir) => openVault(fresh.sql, { ...sandbox, dataDir, masterKeys: undefined }))
    await untilWaiting(fresh.sql, 2)
    return [Promise.allSettled(starts)]
  })
  const states = (await results[0])!.map(({ status }) => status)
  expect([...states].sort()).toEqual(['fulfilled', 'rejected'])
  const files = folders.map((dataDir) => existsSync(join(dataDir, 'master-key')))
  expect(files).toEqual(states.map((status) => status === 'fulfilled'))
  await fresh.drop()
  for (const dataDir of folders) await rm(dataDir, { recursive: true })
})

test('the origin of mini apps must have another host than the installation, and no path', () => {
  const read = (SOUK_MINI_APPS_URL: string) =>
    readConfig({ SOUK_PUBLIC_URL: 'https://souk.example', SOUK_MINI_APPS_URL }).miniAppsUrl
  expect(read('')).toBeUndefined()
  expect(read('https://mini.example/')).toBe('https://mini.example')
  expect(read('HTTPS://Mini.Example:443')).toBe('https://mini.example')
  expect(read('http://mini.localhost:7070')).toBe('http://mini.localhost:7070')
  for (const value of [
    'https://SOUK.example:8443',
    'https://a:b@mini.example',
    'https://mini.example/apps',
    'mini.example',
    'ftp://mini.example',
    'x',
  ])
    expect(() => read(value)).toThrow(ConfigError)
})

test('the URL of map tiles has its placeholders in the path', () => {
  const read = (SOUK_MAP_TILES: string) => readConfig({ SOUK_MAP_TILES, SOUK_MAP_ATTRIBUTION: ' © Maps ' }).mapTiles
  const url = 'https://tiles.example/osm/{z}/{x}/{y}.png?key=1'
  expect(read('')).toBeUndefined()
  expect(read(` ${url} `)).toEqual({ url, attribution: '© Maps' })
  for (const value of [
    'https://{z}.tiles.example/{x}/{y}.png',
    'https://tiles.example/{z}/{x}.png',
    'tiles.example/{z}/{x}/{y}.png',
    "https://tiles.example; script-src 'none'/{z}/{x}/{y}.png",
  ])
    expect(() => read(value)).toThrow(ConfigError)
})

test('approvals are required in a live installation, and can be rehearsed in a sandbox', () => {
  expect(sandbox).toMatchObject({ approvals: 'automatic', projectCreation: 'everyone' })
  expect(live).toMatchObject({ approvals: 'required', projectCreation: 'allowed' })
  expect(readConfig({ SOUK_APPROVALS: 'required' }).approvals).toBe('required')
  expect(() => readConfig({ SOUK_ENVIRONMENT: 'live', SOUK_APPROVALS: 'automatic' })).toThrow(ConfigError)
})
