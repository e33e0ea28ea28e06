import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../test/database.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { checkInstallation } from './installation.ts'
import { Vault } from './kernel/crypto.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const sandbox: Config = readConfig({})
const live: Config = readConfig({ SOUK_ENVIRONMENT: 'live' })
const vault = new Vault(Buffer.alloc(32, 1))

test('the environment of an installation cannot change', async () => {
  await checkInstallation(database.sql, sandbox, vault)
  await checkInstallation(database.sql, sandbox, vault)
  await expect(checkInstallation(database.sql, live, vault)).rejects.toThrow(
    /belongs to a sandbox installation, but SOUK_ENVIRONMENT is live/,
  )
})

test('rejects another master key with a message that contains neither key', async () => {
  const other = Buffer.alloc(32, 2)
  const refusal = await checkInstallation(database.sql, sandbox, new Vault(other)).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ConfigError)
  expect(String(refusal)).toMatch(/encrypted with the master key [0-9a-f]{16}.*SOUK_MASTER_KEY/)
  expect(String(refusal)).not.toContain(other.toString('hex'))
})

test('the origin of mini apps must have another host than the installation, and no path', () => {
  const read = (SOUK_MINI_APPS_URL: string) =>
    readConfig({ SOUK_PUBLIC_URL: 'https://souk.example', SOUK_MINI_APPS_URL }).miniAppsUrl
  expect(read('')).toBeUndefined()
  expect(read('https://mini.example/')).toBe('https://mini.example')
  expect(read('http://mini.localhost:7070')).toBe('http://mini.localhost:7070')
  for (const value of [
    'https://souk.example:8443',
    'https://mini.example/apps',
    'mini.example',
    'ftp://mini.example',
    'x',
  ])
    expect(() => read(value)).toThrow(ConfigError)
})

test('approvals are required in a live installation, and can be rehearsed in a sandbox', () => {
  expect(sandbox).toMatchObject({ approvals: 'automatic', projectCreation: 'everyone' })
  expect(live).toMatchObject({ approvals: 'required', projectCreation: 'allowed' })
  expect(readConfig({ SOUK_APPROVALS: 'required' }).approvals).toBe('required')
  expect(() => readConfig({ SOUK_ENVIRONMENT: 'live', SOUK_APPROVALS: 'automatic' })).toThrow(ConfigError)
})
