import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Sql } from '../../src/kernel/db/pool.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'
import { addIssuer, expectRetryLater } from '../databaseFailures.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

describe('a request that the database cannot process now gets 503 with Retry-After', () => {
  let fresh: FreshDatabase
  let souk: TestSouk
  let sql: Sql

  beforeAll(async () => {
    fresh = await freshDatabase()
    souk = await startTestSouk({ database: { ...fresh, url: `${fresh.url}?lock_timeout=100` } })
    sql = connect(fresh.url, { max: 2 })
  })
  afterAll(async () => {
    await sql.end({ timeout: 0 })
    await souk.stop()
    await fresh.drop()
  })

  test('while another transaction holds a lock, in the open API too', async () => {
    const app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
    await sql.begin(async (tx) => {
      await tx`lock table issuers, trades in access exclusive mode`
      expectRetryLater(await addIssuer(souk))
      const answer = await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/tradeclose', {
        tradeNo: '0'.repeat(32),
      })
      expect(answer).toMatchObject({ http: 503, code: 'unavailable' })
      expect(answer.headers.get('retry-after')).toBe('2')
    })
  })

  test('and the log names it, as for a failure of Souk, so that the cause is found by the request id', async () => {
    const expectLogged = async (message: string, request: Promise<JsonAnswer>) => {
      const { body } = await request
      const lines = souk.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
      expect(lines.at(-1)).toMatchObject({ level: 50, requestId: body.requestId })
    }
    await sql.begin(async (tx) => {
      await tx`lock table issuers in access exclusive mode`
      await expectLogged('database unavailable', addIssuer(souk))
    })
    await sql`alter table issuers rename to elsewhere`
    await expectLogged('failed', addIssuer(souk))
    await sql`alter table elsewhere rename to issuers`
  })

  test('on a host that became read-only, which it leaves', async () => {
    const write = () => souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })
    let answer = await write()
    // The pool has several connections, any of which may be used.
    while (answer.status === 200) {
      await souk.context.sql`set default_transaction_read_only = on`
      answer = await write()
    }
    expectRetryLater(answer)
    await expect.poll(async () => (await write()).status).toBe(200)
  })

  test('and /readyz refuses within two seconds, until writes are possible', async () => {
    const name = new URL(fresh.url).pathname.slice(1)
    const ready = () => souk.raw('GET', '/readyz', {})
    expect((await ready()).status).toBe(200)
    await sql.unsafe(`alter database ${name} set default_transaction_read_only = on`)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and application_name = 'souk' and pid <> pg_backend_pid()`
    // The last write counts for five seconds.
    await expect.poll(async () => (await ready()).status).toBe(503)
    expectRetryLater(await ready())
    await sql`set default_transaction_read_only = off`
    await sql.unsafe(`alter database ${name} reset default_transaction_read_only`)
    await expect.poll(async () => (await ready()).status).toBe(200)
  })
})
