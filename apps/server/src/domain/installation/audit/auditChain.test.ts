import { text } from 'node:stream/consumers'
import { type AuditHead, emptyAuditChain, nextAuditHead } from '@souk/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import type { FullContext } from '../../context.ts'
import { audit, exportAudit } from './index.ts'

const admin = { kind: 'admin', address: '192.0.2.1' } as const

let database: FreshDatabase
let context: FullContext

beforeEach(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterEach(() => database.drop())

const write = (subject: string, detail: Record<string, unknown> = {}) =>
  database.sql.begin((tx) => audit(context, tx, admin, { action: 'app.update', subject, detail }))

async function exported(): Promise<string[]> {
  const { stream } = await exportAudit(context, admin)
  return (await text(stream)).split('\n').slice(0, -1)
}

/** Verifies an export and returns its head. @throws Error naming the first bad line, counted from 1 */
function verify(lines: readonly string[]): AuditHead {
  let head = emptyAuditChain
  for (const [index, line] of lines.entries()) {
    try {
      head = nextAuditHead(head, line)
    } catch (error) {
      throw new Error(`Line ${index + 1} ${(error as Error).message}`)
    }
  }
  return head
}

/** Changes the tables as someone with all rights in the database can. */
const tamper = (statement: string) =>
  database.sql.unsafe(`begin; set local session_replication_role = replica; ${statement}; commit`)

test.each(['audit_log', 'audit_chain'])('the database refuses to change or remove rows of %s', async (table) => {
  await write('1')
  for (const statement of [
    `update ${table} set audit_id = default`,
    `delete from ${table}`,
    `delete from ${table} where false`,
    `truncate ${table} cascade`,
  ]) {
    await expect(database.sql.unsafe(statement), statement).rejects.toThrow(/never changed or deleted/)
  }
})

test('concurrent transactions form one chain without gaps, in the order of their commits', async () => {
  const first = Promise.withResolvers<void>()
  const slow = database.sql.begin(async (tx) => {
    await audit(context, tx, admin, { action: 'app.update', subject: 'slow' })
    await first.promise
  })
  await Promise.all(Array.from({ length: 40 }, (_, n) => write(String(n))))
  first.resolve()
  await slow
  await expect(
    database.sql.begin(async (tx) => {
      await audit(context, tx, admin, { action: 'app.update', subject: 'rolled back' })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')

  const lines = await exported()
  expect(verify(lines).position).toBe(42)
  expect(lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
    { subject: 'slow' },
    { action: 'audit.export', actor: 'admin', address: '192.0.2.1' },
  ])
})

test('one transaction with several rows chains them in their order', async () => {
  await database.sql.begin(async (tx) => {
    for (const subject of ['1', '2', '3']) await audit(context, tx, admin, { action: 'app.update', subject })
  })
  const lines = await exported()
  verify(lines)
  expect(lines.map((line) => JSON.parse(line).subject)).toEqual(['1', '2', '3', 'audit log'])
})

test('the export of any text is verifiable', async () => {
  const awkward = 'Ünïcode عربي 中文 🙂 "quoted" \\ \\n \n\r\t \u0001\u007f\u2028\u2029 </script> ,"hash":"'
  await write(awkward, { awkward, number: 1.5e300, list: [null, true, { [awkward]: 0 }], empty: {} })
  const lines = await exported()
  verify(lines)
  expect(JSON.parse(lines[0]!)).toMatchObject({ subject: awkward, detail: { awkward } })
})

test('each column of the audit log is part of the hash', async () => {
  const columns = await database.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns where table_name = 'audit_log'`
  const [line] = await exported()
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(Object.keys(JSON.parse(line!)).sort()).toEqual(
    [...columns.map(({ name }) => camelCase(name)), 'position', 'previous', 'hash'].sort(),
  )
})

describe('verification names the first row', () => {
  beforeEach(async () => {
    for (const subject of ['1', '2', '3', '4', '5']) await write(subject)
  })

  test.each([
    ['changed', `update audit_log set detail = '{"amount": 1}' where subject = '3'`, /^Line 3 is row 3 .* was changed/],
    ['removed', `delete from audit_log where subject = '3'`, /^Line 3 is row 4 .*, expected row 3/],
    ['removed at the start', `delete from audit_log where subject = '1'`, /^Line 1 is row 2 .*, expected row 1/],
    [
      'inserted',
      `insert into audit_log (time, actor, action, subject) values (0, 'admin', 'app.update', 'late')`,
      /^Line 8 has a row outside the chain/,
    ],
    [
      'moved',
      `update audit_chain set position = 10 where position = 2;
      update audit_chain set position = 2 where position = 4;
      update audit_chain set position = 4 where position = 10`,
      /^Line 2 is row 2 .* was changed/,
    ],
    [
      'removed together with its link, closing the gap',
      `delete from audit_chain where position = 3;
      delete from audit_log where subject = '3';
      update audit_chain set position = position - 1 where position > 3`,
      /^Line 3 is row 3 .* was changed/,
    ],
    [
      'replaced together with its hash',
      `update audit_log set subject = 'other' where subject = '3';
      update audit_chain set hash = sha256(convert_to(audit_line(
        (select hash from audit_chain where position = 2), 3, (select l from audit_log l where subject = 'other')), 'UTF8'))
      where position = 3`,
      /^Line 4 is row 4 .* was changed/,
    ],
  ])('that was %s in the database', async (_, statement, message) => {
    expect(verify(await exported()).position).toBe(6)
    await tamper(statement)
    const lines = await exported()
    expect(() => verify(lines)).toThrow(message)
  })

  test('that was changed, removed, repeated, inserted or moved in a file', async () => {
    const lines = await exported()
    const [first, second, third, ...rest] = lines as [string, string, string, ...string[]]
    expect(() => verify([first, second.replace('"2"', '"20"'), third, ...rest])).toThrow(/^Line 2 .* was changed/)
    expect(() => verify([first, third, ...rest])).toThrow(/^Line 2 is row 3 .*, expected row 2/)
    expect(() => verify([first, first, second])).toThrow(/^Line 2 is row 1 .*, expected row 2/)
    expect(() => verify([second, first, third])).toThrow(/^Line 1 is row 2 .*, expected row 1/)
    expect(() => verify([first, '{"a":1}', second])).toThrow('Line 2 is not a line of an audit export')
    expect(() => verify([first, '', second])).toThrow('Line 2 is not a line of an audit export')
  })

  test('that does not continue the row before it, even if its own hash is right', async () => {
    const own = await exported()
    await tamper(`delete from audit_chain; delete from audit_log`)
    for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) await write(subject)
    const other = await exported()
    expect(() => verify([...own.slice(0, 2), ...other.slice(2)])).toThrow(
      /^Line 3 is row 3 .* does not continue the row before it/,
    )
  })
})
