import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './commandLine.ts'
import { emptyDatabase, type FreshDatabase, freshDatabase } from './database.ts'
import { startServer } from './server.ts'

/** Starts a server that fails, and returns what it printed last. */
async function lastLineOf(env: Record<string, string>): Promise<string> {
  const failure: Error = await startServer({ env, isBundled: false }).then(
    () => new Error('the server has started'),
    (error: Error) => error,
  )
  return failure.message.trim().split('\n').at(-1)!
}

test.each([
  [{ HOST: '192.0.2.1' }, 'This machine does not have the address 192.0.2.1. Set HOST to one of its addresses, or'],
  [{ HOST: 'nowhere.invalid' }, 'This machine does not have the address nowhere.invalid. Set HOST to'],
  [
    { SOUK_DATA_DIR: fileURLToPath(import.meta.url) },
    `The data directory ${fileURLToPath(import.meta.url)} cannot be used: EEXIST`,
  ],
  [{ SOUK_PRIVATE_HOSTS: 'pay.example:80' }, 'SOUK_PRIVATE_HOSTS contains "pay.example:80"'],
])('a server with %o says what to correct instead of printing a stack', async (env, message) => {
  const line = await lastLineOf(env)
  expect(line.slice(0, message.length)).toBe(message)
})

test('a server that may not migrate says so, and the command migrates the database for it', async () => {
  const database = await emptyDatabase()
  const env = { DATABASE_URL: database.url, SOUK_MIGRATIONS: 'refuse' }
  expect(await lastLineOf(env)).toMatch(
    /^The database has not been migrated to Souk \S+\. Run souk database migrate, or/,
  )
  const migrate = async () => {
    const { status, out, err } = await runCommand(['database', 'migrate', '--json'], { folder: tmpdir(), env })
    expect(status, err).toBe(0)
    return JSON.parse(out).applied as string[]
  }
  expect((await migrate()).length).toBeGreaterThan(0)
  expect(await migrate()).toEqual([])
  const server = await startServer({ env })
  await server.stop()
  await database.drop()
})

describe('a role', () => {
  let database: FreshDatabase
  let dataDir: string
  let url: string
  const role = `limited_${process.pid}`
  const limitTo = (connections: number) => database.sql.unsafe(`alter role ${role} connection limit ${connections}`)
  const full = /The database reports: too many connections for role .* \(53300\)\. It has no free connection: /

  beforeAll(async () => {
    database = await emptyDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'souk-limited-'))
    await database.sql.unsafe(`create role ${role} login password 'secret'`)
    await database.sql.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${role}`)
    url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href
    const server = await startServer({ env: { DATABASE_URL: url }, dataDir })
    await server.stop()
  })
  afterAll(async () => {
    await database.sql.unsafe(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`)
    await database.drop()
    await rm(dataDir, { recursive: true })
  })

  /** Runs a command and returns the only line that it prints. */
  async function lineOf(command: string, databaseUrl: string): Promise<string> {
    const env = {
      DATABASE_URL: databaseUrl,
      SOUK_DATA_DIR: dataDir,
      SOUK_BACKUP_PASSPHRASE: 'a long passphrase',
      SOUK_S3_URL: 'http://127.0.0.1:1/souk/',
      SOUK_S3_ACCESS_KEY_ID: 'id',
      SOUK_S3_SECRET_ACCESS_KEY: 'secret',
    }
    const { out, err, status } = await runCommand(command.split(' '), { folder: dataDir, env })
    expect([status, out, err.trim().split('\n').length], err).toEqual([1, '', 1])
    return err
  }

  test('without rights stops the start of a server and all commands with a sentence', async () => {
    const other = await freshDatabase()
    const without = Object.assign(new URL(other.url), { username: role, password: 'secret' }).href
    const denied = /The database reports: permission denied for .* \(42501\)\. Make the user of DATABASE_URL the owner/
    expect(await lastLineOf({ DATABASE_URL: without, SOUK_DATA_DIR: dataDir })).toMatch(denied)
    const commands = ['backup file', 'partitions list', 'recover', 'storage status', 'move --undo']
    const lines = await Promise.all(commands.map((command) => lineOf(command, without)))
    for (const line of lines) expect(line).toMatch(denied)
    await other.drop()
  })

  test.each([1, 4])('with %d connections stops the start of a server with a sentence', async (connections) => {
    await limitTo(connections)
    expect(await lastLineOf({ DATABASE_URL: url, SOUK_DATA_DIR: dataDir })).toMatch(full)
  })

  test('with one connection stops commands that need more with a sentence', async () => {
    await limitTo(1)
    for (const command of ['storage status', 'storage verify']) expect(await lineOf(command, url)).toMatch(full)
  })
})
