import { day } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { examine } from '../../src/domain/doctor/index.ts'
import { connect } from '../../src/kernel/db/pool.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
/** The context of a live installation, which a test can change. */
let context: Context

beforeAll(async () => {
  souk = await startTestSouk()
  await souk.setUp()
})
afterAll(() => souk.stop())
beforeEach(() => {
  const settings = { ...souk.context.settings, sandbox: false, publicUrl: 'https://souk.example', dataDir: '/' }
  context = { ...souk.context, settings }
})

const stateOf = async (check: string) => (await examine(context)).find((each) => each.check === check)

test('an administrator gets a finding for every check', async () => {
  const { body } = await souk.console('GET', '/console/v1/doctor')
  expect(body.map(({ check, state }: { check: string; state: string }) => `${check} ${state}`)).toEqual([
    'publicUrl ok',
    'administrator warning',
    'issuers ok',
    'providers ok',
    'databaseVersion ok',
    // The tests' database is faster without fsync.
    'databaseSettings error',
    'clock ok',
    'disk ok',
  ])
})

test('a live installation without TLS, issuer or provider account is told what to do', async () => {
  context.settings.publicUrl = 'http://souk.example'
  expect(await stateOf('publicUrl')).toMatchObject({
    state: 'error',
    advice: expect.stringContaining('SOUK_PUBLIC_URL'),
  })
  expect(await stateOf('issuers')).toMatchObject({
    state: 'warning',
    advice: expect.stringContaining('souk issuers add'),
  })
  expect(await stateOf('providers')).toMatchObject({ state: 'warning' })
})

test('an issuer whose keys cannot be read is named', async () => {
  const issuer = 'http://localhost:9'
  const { body } = await souk.console('POST', '/console/v1/issuers', { issuer, audience: 'souk' })
  expect(await stateOf('issuers')).toMatchObject({ state: 'error', found: expect.stringContaining(issuer) })
  await souk.console('DELETE', `/console/v1/issuers/${body.issuerId}`)
})

test('a database that can lose confirmed payments is an error that names the settings', async () => {
  const off = async () => (await stateOf('databaseSettings'))?.found.split('off: ')[1]
  const sql = connect(souk.database.url, { max: 1 })
  context.sql = sql
  await sql`set synchronous_commit to off`
  expect(await off()).toBe('fsync, synchronous_commit, full_page_writes.')
  await sql`set synchronous_commit to on`
  expect(await off()).toBe('fsync, full_page_writes.')
  await sql.end()
})

test('a clock that is wrong is an error', async () => {
  context.clock = { now: () => 0, real: () => Date.now() + day }
  expect(await stateOf('clock')).toMatchObject({ state: 'error', found: expect.stringContaining('differ by 86') })
})

test('a data directory that cannot be read is an error', async () => {
  context.settings.dataDir = '/nowhere'
  expect(await stateOf('disk')).toMatchObject({ state: 'error' })
})

test('an installation without an administrator is an error', async () => {
  await souk.context.sql`update accounts set enabled = false`
  expect(await stateOf('administrator')).toMatchObject({ state: 'error' })
  await souk.context.sql`update accounts set enabled = true`
})
