import { once } from 'node:events'
import { connect } from 'node:net'
import { escapeFormulas } from '@souk/contract'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KeyHolder, newKeyHolder } from '../keyHolder.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let projectId: string
let owner: KeyHolder

beforeAll(async () => {
  souk = await startTestSouk()
  projectId = (await souk.console('POST', '/console/v1/projects', { name: 'Coffee' })).body.projectId
  owner = await newKeyHolder(souk, projectId, 'owner')
})
afterAll(() => souk.stop())

let datasets = 0
async function newDataset(fields: object[]): Promise<string> {
  return (await owner.api('POST', '/datasets', { projectId, name: `set${++datasets}`, fields })).body.datasetId
}
const texts = [
  { name: 'text', type: 'string' },
  { name: 'other', type: 'string' },
]

/** Inserts this many records directly into the table. */
async function fill(datasetId: string, count: number): Promise<void> {
  await souk.context.sql`
    insert into dataset_records (dataset_id, record_id, ctime, record)
    select ${datasetId}, uuidv7(), n, jsonb_build_object('text', 'record number ' || n, 'other', repeat('x', 100))
    from generate_series(1, ${count}::integer) as n`
}

/** Returns the queries that are streaming. */
async function copying(): Promise<number> {
  const rows = await souk.context.sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like 'copy (%'`
  return rows.length
}

describe('CSV', () => {
  const awkward = [
    'plain',
    '',
    'with "quotes"',
    'a,b;c\td',
    'two\nlines',
    'two\r\nlines',
    ' space around ',
    'نص عربي 中文 🙂',
    '\\.',
    '\\n',
    'NULL',
    "'",
    "''",
  ]
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "'=1", '=cmd|"/c calc"!A1', '＝1+1', '-']
  const inside = ['tea;=1+1', 'tea\t@SUM(A1)', 'tea\r\n-1;+1', "tea;'=1", ';=1', 'tea,=1; 1', '\n\t=1']

  test('an RFC 4180 parser reads what was appended', async () => {
    const id = await newDataset(texts)
    const records = [...awkward, ...formulas].map((text) => ({ text, other: 'x' }))
    await owner.api('POST', `/datasets/${id}/records`, { records })
    const csv = await owner.export(id, { format: 'csv', formulas: 'keep', fields: 'text,other' })
    expect(parse(csv, { columns: true, record_delimiter: '\r\n' })).toEqual(records.toReversed())
    expect(csv.startsWith('text,other\r\n')).toBe(true)
    expect(csv.endsWith('\r\n')).toBe(true)
  })

  test('puts an apostrophe before values that a spreadsheet would run as a formula', async () => {
    const id = await newDataset(texts)
    const records = [...awkward, ...formulas].map((text) => ({ text, other: 'x' }))
    await owner.api('POST', `/datasets/${id}/records`, { records })
    const csv = await owner.export(id, { format: 'csv', fields: 'text' })
    const cells = parse(csv, { record_delimiter: '\r\n', from_line: 2 }).map(([cell]: string[]) => cell!)
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u)
    expect(cells).toEqual(records.map(({ text }) => escapeFormulas(text)).toReversed())
    expect(cells.filter((cell: string) => cell.startsWith("'"))).toHaveLength(formulas.length + 2)
  })

  test('also does so behind separators of other countries inside a value, and quotes all texts', async () => {
    const id = await newDataset(texts)
    await owner.api('POST', `/datasets/${id}/records`, { records: inside.map((text) => ({ text, other: 'x' })) })
    const csv = await owner.export(id, { format: 'csv', fields: 'other,text' })
    expect(csv).toBe(
      `other,text\r\n${inside
        .toReversed()
        .map((text) => `"x","${escapeFormulas(text)}"\r\n`)
        .join('')}`,
    )
    expect(escapeFormulas(inside[0]!)).toBe("tea;'=1+1")
    const unchanged = await owner.export(id, { format: 'csv', fields: 'text', formulas: 'keep' })
    expect(parse(unchanged, { columns: true, record_delimiter: '\r\n' })).toEqual(
      inside.toReversed().map((text) => ({ text })),
    )
    const json = await newDataset([{ name: 'j', type: 'json' }])
    await owner.api('POST', `/datasets/${json}/records`, { records: [{ j: [';=1+1;'] }] })
    const [, line] = (await owner.export(json, { format: 'csv', fields: 'j' })).split('\r\n')
    expect(line).toBe('"[""\\u003b=1+1\\u003b""]"')
  })

  test('keeps numbers, and distinguishes null from the empty string', async () => {
    const id = await newDataset([
      { name: 'n', type: 'integer' },
      { name: 'r', type: 'number' },
      { name: 'b', type: 'boolean' },
      { name: 't', type: 'time' },
      { name: 'j', type: 'json' },
      { name: 's', type: 'string' },
    ])
    const records = [{ n: -5, r: -0.25, b: true, t: 0, j: { a: ['"', 1] }, s: '' }, {}]
    await owner.api('POST', `/datasets/${id}/records`, { records })
    const csv = await owner.export(id, { format: 'csv', fields: 'n,r,b,t,j,s' })
    expect(csv).toBe('n,r,b,t,j,s\r\n,,,,,\r\n-5,-0.25,true,0,"{""a"": [""\\"""", 1]}",""\r\n')
    expect(await owner.export(id, { format: 'csv', fields: 'n' })).toBe('n\r\n""\r\n-5\r\n')
  })

  test('NDJSON has one JSON object per line for any content', async () => {
    const id = await newDataset([...texts, { name: 'j', type: 'json' }])
    const records = [...awkward, '\u0001\u0002\u001f\u2028'].map((text) => ({
      text,
      other: null,
      j: { [text]: [text] },
    }))
    await owner.api('POST', `/datasets/${id}/records`, { records })
    const ndjson = await owner.export(id, { fields: 'text,other,j' })
    const lines = ndjson
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual(records.toReversed())
  })

  test('starts with a byte order mark in the console only, for spreadsheets', async () => {
    const id = await newDataset(texts)
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ text: 'قهوة' }] })
    const download = async (format: string) => {
      const answer = await fetch(`${souk.url}/console/v1/datasets/${id}/export?fields=text&format=${format}`, {
        headers: { Authorization: `Bearer ${souk.adminToken}` },
      })
      return Buffer.from(await answer.arrayBuffer()).toString()
    }
    expect(await download('csv')).toBe('\uFEFFtext\r\n"قهوة"\r\n')
    expect(await download('ndjson')).toBe('{"text":"قهوة"}\n')
    expect(await owner.export(id, { fields: 'text', format: 'csv' })).toBe('text\r\n"قهوة"\r\n')
  })

  test('sets content type, file name and no-store', async () => {
    const answer = await fetch(`${souk.url}/api/v1/datasets/${projectId}.trades/export?format=csv`, {
      headers: { 'X-API-Key': owner.key },
    })
    await answer.arrayBuffer()
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="trades.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    })
  })
})

describe('long exports', () => {
  let id: string
  beforeAll(async () => {
    id = await newDataset(texts)
    await fill(id, 200_000)
  })

  test('contain each record once, newest first, and leave the connection usable', async () => {
    for (const format of ['ndjson', 'csv']) {
      const text = await owner.export(id, { format, fields: 'text' })
      const numbers = [...text.matchAll(/record number (\d+)/g)].map(([, number]) => Number(number))
      expect(numbers).toHaveLength(200_000)
      expect(numbers[0]).toBe(200_000)
      expect(numbers.every((number, index) => number === 200_000 - index)).toBe(true)
    }
    expect(await copying()).toBe(0)
    for (let i = 0; i < 15; i++) await owner.api('POST', '/datasets', { projectId, name: `after${i}`, fields: texts })
  })

  test('read one snapshot, regardless of concurrent appends and deletions', async () => {
    const reading = fetch(`${souk.url}/api/v1/datasets/${id}/export?fields=text`, {
      headers: { 'X-API-Key': owner.key },
    })
    const reader = (await reading).body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader.read()).value!
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ text: 'too late' }] })
    await owner.api('DELETE', `/datasets/${id}/records?filter=recordTime%3C100`)
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += value
    }
    expect(text).not.toContain('too late')
    expect(text.trimEnd().split('\n')).toHaveLength(200_000)
  })

  test('wait for a slow reader with constant memory', async () => {
    const socket = await slowReader(id)
    await expect.poll(copying).toBe(1)
    // PostgreSQL is blocked on sending, so nothing is buffered.
    await expect
      .poll(async () => {
        const [row] = await souk.context.sql`
          select wait_event from pg_stat_activity where datname = current_database() and query like 'copy (%'`
        return row?.waitEvent
      })
      .toBe('ClientWrite')
    socket.destroy()
    await expect.poll(copying).toBe(0)
  })

  test('end when the reader disconnects, and free the connection', async () => {
    for (let round = 0; round < 12; round++) {
      const leave = new AbortController()
      const answer = await fetch(`${souk.url}/api/v1/datasets/${id}/export`, {
        headers: { 'X-API-Key': owner.key },
        signal: leave.signal,
      })
      await answer.body!.getReader().read()
      leave.abort()
      await expect.poll(copying).toBe(0)
    }
    expect((await owner.export(id, { filter: 'text="record number 777"' })).trimEnd().split('\n')).toHaveLength(1)
  })

  test('are limited to two per caller; the third gets Retry-After', async () => {
    const sockets = [await slowReader(id), await slowReader(id)]
    const refused = await owner.api('GET', `/datasets/${id}/export`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    for (const socket of sockets) socket.destroy()
    await expect.poll(copying).toBe(0)
    await expect.poll(async () => (await owner.export(id, { filter: 'text=nothing' })).length).toBe(0)
  })

  test('are limited to two per project, so that its members leave room for others', async () => {
    const admin = `Authorization: Bearer ${souk.adminToken}`
    const sockets = [await slowReader(id), await slowReader(id, admin)]
    const refused = await owner.api('GET', `/datasets/${id}/export`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.body.detail).toContain('2 exports of the project are running')
    // The audit log belongs to no project.
    const audit = await fetch(`${souk.url}/console/v1/audit/export`, {
      headers: { Authorization: `Bearer ${souk.adminToken}` },
    })
    expect(audit.status).toBe(200)
    await audit.body!.cancel()
    for (const socket of sockets) socket.destroy()
    await expect.poll(copying).toBe(0)
  })

  test('count together with exports of the console', async () => {
    const admin = `Authorization: Bearer ${souk.adminToken}`
    const sockets = [await slowReader(id, admin), await slowReader(id, admin)]
    const refused = await souk.console('GET', '/console/v1/audit/export')
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    for (const socket of sockets) socket.destroy()
    await expect.poll(copying).toBe(0)
  })

  test('are aborted on failure, never ended as if complete', async () => {
    const reading = await fetch(`${souk.url}/api/v1/datasets/${id}/export`, { headers: { 'X-API-Key': owner.key } })
    expect(reading.status).toBe(200)
    const reader = reading.body!.getReader()
    await reader.read()
    await souk.context.sql`
      select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%'`
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow()
    await expect.poll(copying).toBe(0)
    expect((await owner.api('GET', '/me')).status).toBe(200)
  })

  test('end with their connection without crashing the server', async () => {
    const reading = await fetch(`${souk.url}/api/v1/datasets/${id}/export`, { headers: { 'X-API-Key': owner.key } })
    expect(reading.status).toBe(200)
    const reader = reading.body!.getReader()
    await reader.read()
    await souk.context.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'copy (%'`
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow()
    for (let i = 0; i < 12; i++) {
      expect((await owner.api('POST', '/datasets', { projectId, name: `again${i}`, fields: texts })).status).toBe(200)
    }
  })
})

/** Opens a connection that starts an export and stops reading. */
async function slowReader(datasetId: string, credentials = `X-API-Key: ${owner.key}`) {
  const { hostname, port } = new URL(souk.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `GET /api/v1/datasets/${datasetId}/export HTTP/1.1\r\nHost: localhost\r\n${credentials}\r\nConnection: close\r\n\r\n`,
  )
  await once(socket, 'data')
  return socket.pause()
}
