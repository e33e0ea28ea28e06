import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../test/database.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { holdToInstallation } from './installation.ts'
import { Vault } from './kernel/crypto.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const sandbox: Config = readConfig({})
const live: Config = readConfig({ SOUK_ENVIRONMENT: 'live' })
const vault = new Vault(Buffer.alloc(32, 1))

test('an installation stays what it was at its first start', async () => {
  await holdToInstallation(database.sql, sandbox, vault)
  await holdToInstallation(database.sql, sandbox, vault)
  await expect(holdToInstallation(database.sql, live, vault)).rejects.toThrow(
    /is sandbox, and SOUK_ENVIRONMENT says live/,
  )
})

test('a server with another master key does not start, and the message holds neither key', async () => {
  const other = Buffer.alloc(32, 2)
  const refusal = await holdToInstallation(database.sql, sandbox, new Vault(other)).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ConfigError)
  expect(String(refusal)).toMatch(/sealed with the master key [0-9a-f]{16}.*SOUK_MASTER_KEY/)
  expect(String(refusal)).not.toContain(other.toString('hex'))
})
