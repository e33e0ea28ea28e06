import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { DatabaseAwayError } from './connection.ts'
import { explainDatabaseFailure } from './explainFailure.ts'
import { migrate } from './migrate.ts'
import { connect } from './pool.ts'
import { Session } from './session.ts'

const failure = (code: string, message = 'it failed') => Object.assign(new Error(message), { code })

test.each([
  ['53300', /\(53300\)\. It has no free connection: .*SOUK_DATABASE_CONNECTIONS/],
  ['53400', /\(53400\)\. Give it more resources\.$/],
  ['53100', /Free space/],
  ['28P01', /user and password/],
  ['28000', /user and password/],
  ['3D000', /Create the database/],
  ['42501', /owner/],
  ['25006', /primary/],
  ['55P03', /pg_stat_activity/],
  ['57014', /took too long/],
  ['57P01', /was stopped/],
  ['57P03', /was stopped/],
  ['08006', /firewall/],
  ['58030', /Read its log/],
  ['XX001', /damaged/],
  ['ECONNREFUSED', /^The database cannot be reached: it failed\. /],
  ['ECONNRESET', /cannot be reached/],
  ['ENOTFOUND', /cannot be reached/],
  ['ETIMEDOUT', /cannot be reached/],
  ['EAI_AGAIN', /cannot be reached/],
])('%s is a sentence that says what to do', (code, expected) => {
  expect(explainDatabaseFailure(failure(code))).toMatch(expected)
})

test('a connection that ended is a sentence, with or without a code', () => {
  expect(explainDatabaseFailure(new DatabaseAwayError('CONNECTION_CLOSED', 'the connection to db:5432 ended'))).toBe(
    'The database cannot be reached: the connection to db:5432 ended. ' +
      'Check that it runs and that no firewall or pooler ends its connections.',
  )
  for (const message of ['Connection terminated unexpectedly', 'the connection to the database ended']) {
    expect(explainDatabaseFailure(new Error(message))).toContain(message)
  }
})

test.each([
  failure('42601', 'syntax error'),
  failure('23505'),
  failure('EACCES'),
  new TypeError('x'),
  'text',
  undefined,
])('other errors are none of the database: %o', (error) => {
  expect(explainDatabaseFailure(error)).toBeUndefined()
})

test('both drivers name a role without free connections, and a port that does not speak', async () => {
  const database = await emptyDatabase()
  const role = `limited_${new URL(database.url).pathname.slice(6)}`
  await database.sql.unsafe(`create role ${role} login password 'secret' connection limit 0`)
  const url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href
  const silent = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const sql = connect(url, { max: 1 })
  const away = `postgres://souk:secret@127.0.0.1:${port}/souk`
  const reasonOf = (work: Promise<unknown>) => work.then(() => 'succeeded', explainDatabaseFailure)
  try {
    const full = /^The database reports: .*too many connections for role.* \(53300\)\. It has no free connection/
    expect(await reasonOf(sql`select`.then())).toMatch(full)
    expect(await reasonOf(Session.open(url, 'test'))).toMatch(full)
    expect(await reasonOf(migrate(url))).toMatch(full)
    expect(await reasonOf(Session.open(away, 'test'))).toMatch(/^The database cannot be reached: /)
    expect(await reasonOf(migrate(away))).toMatch(/^The database cannot be reached: /)
  } finally {
    silent.close()
    await sql.end({ timeout: 0 })
    await database.sql.unsafe(`drop role ${role}`)
    await database.drop()
  }
})
