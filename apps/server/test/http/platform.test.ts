import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { avatarUrl } from '../../src/domain/users/index.ts'
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

const fields = [
  { name: 'title', type: 'string', required: true },
  { name: 'amount', type: 'integer' },
  { name: 'ratio', type: 'number' },
  { name: 'done', type: 'boolean' },
  { name: 'due', type: 'time' },
  { name: 'extra', type: 'json' },
]

let datasets = 0
async function newDataset(of: KeyHolder = owner, own: object[] = fields): Promise<string> {
  const { status, body } = await of.api('POST', '/datasets', { projectId, name: `set${++datasets}`, fields: own })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.datasetId
}

describe('authentication', () => {
  const get = (headers: Record<string, string>) => souk.raw('GET', '/api/v1/datasets', headers)

  test('a key grants what its account may see', async () => {
    const { status, body } = await get({ 'X-API-Key': owner.key, 'Content-Type': 'application/json' })
    expect(status).toBe(200)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual([
      'activities',
      'callbacks',
      'events',
      'notifications',
      'trades',
      'users',
    ])
    expect((await owner.api('GET', '/me')).body).toEqual({
      accountId: owner.accountId,
      username: owner.username,
      name: owner.username,
      administrator: false,
      via: 'apiKey',
      environment: 'sandbox',
    })
  })

  test('responds 401 with advice for a missing, an invalid or several keys', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { 'X-API-Key': '' },
      { 'X-API-Key': 'souk_test_nothing' },
      { 'X-API-Key': `${owner.key}, ${owner.key}` },
      { 'X-API-Key': owner.key.slice(0, -1) },
    ]
    for (const headers of wrong) {
      const answer = await get(headers)
      expect(answer).toMatchObject({ status: 401, body: { status: 401, code: 'api_key_invalid' } })
      expect(answer.headers.get('content-type')).toMatch('application/problem+json')
      expect(answer.headers.get('www-authenticate')).toMatch(/^ApiKey .*Bearer /)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
    }
  })

  test('responds 401 for the old key immediately after a refresh', async () => {
    const user = await newKeyHolder(souk, projectId, 'viewer')
    expect((await user.api('GET', '/me')).status).toBe(200)
    const { key } = (await user.call('POST', '/console/v1/api-key/refresh', {})).body
    expect(await user.api('GET', '/me')).toMatchObject({ status: 401, body: { code: 'api_key_invalid' } })
    expect((await get({ 'X-API-Key': key })).status).toBe(200)
  })

  test('Authorization takes priority over the key, even if it is invalid', async () => {
    const { token } = (await owner.call('POST', '/console/v1/tokens', {})).body
    const ended = (await owner.call('POST', '/console/v1/tokens', {})).body.token
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ended))
    await souk.context.sql`update account_tokens set valid_until = 0 where token_hash = ${Buffer.from(digest)}`
    const key = { 'X-API-Key': owner.key }
    const me = async (headers: Record<string, string>) => (await souk.raw('GET', '/api/v1/me', headers)).body.via
    expect(await me({ Authorization: `Bearer ${token}` })).toBe('token')
    expect(await me({ Authorization: `bearer ${token}`, 'X-API-Key': 'nonsense' })).toBe('token')
    expect(await me({ Authorization: `Bearer ${souk.adminToken}`, ...key })).toBe('adminToken')
    const invalid = [
      'Bearer',
      'Bearer nonsense',
      `Bearer ${ended}`,
      `Bearer ${token}x`,
      `Bearer ${owner.key}`,
      `ApiKey ${owner.key}`,
      `Basic ${Buffer.from(`${owner.username}:${owner.password}`).toString('base64')}`,
      token,
      'Digest username="x"',
    ]
    for (const authorization of invalid) {
      const answer = await get({ Authorization: authorization, ...key })
      expect([authorization, answer.status, answer.body.code]).toEqual([authorization, 401, 'token_invalid'])
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    expect((await get(key)).status).toBe(200)
  })

  test('an empty Authorization counts as present', async () => {
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${souk.url}/api/v1/me`, { headers: { Authorization: '', 'X-API-Key': owner.key } })
      sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      sent.end()
    })
    expect(status).toBe(401)
  })

  test('refuses a console session', async () => {
    expect((await get({ Cookie: owner.cookie, 'X-Souk-CSRF': owner.csrf })).status).toBe(401)
  })

  test('does not read a large body without a key', async () => {
    const answer = await souk.raw(
      'POST',
      `/api/v1/datasets/${'f'.repeat(32)}/records`,
      {},
      { records: ['x'.repeat(2e6)] },
    )
    expect(answer.body.code).toBe('api_key_invalid')
  })
})

describe('the examples of the specification', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/spec/open-api.md'), 'utf8')
  const block = (start: string) => new RegExp(`\`\`\`\\w+\\n(${start}[^]*?)\\n\`\`\``).exec(text)![1]!

  test('a dataset that the user may not view is answered with 403, an unknown one with 404 (open-api §5.1)', async () => {
    const elsewhere = (await souk.console('POST', '/console/v1/projects', { name: 'Elsewhere' })).body.projectId
    const stranger = await newKeyHolder(souk, elsewhere, 'owner')
    const get = (id: string) =>
      souk.raw('GET', `/api/v1/datasets/${id}`, { 'X-API-Key': stranger.key, 'Content-Type': 'application/json' })
    for (const id of [await newDataset(), `${projectId}.trades`]) {
      expect(await get(id)).toMatchObject({ status: 403, body: { status: 403, code: 'permission_denied' } })
      expect((await owner.api('GET', `/datasets/${id}`)).status).toBe(200)
    }
    for (const id of ['f'.repeat(32), `${'f'.repeat(32)}.trades`]) {
      expect(await get(id)).toMatchObject({ status: 404, body: { status: 404, code: 'dataset_not_found' } })
    }
  })

  test('records are answered word for word (open-api §4.2)', async () => {
    const [, path = ''] = block('GET /api/v1/datasets/').split(' ')
    const example = JSON.parse(block('\\{\\s+"items"'))
    const [, id = ''] = /datasets\/(\w+)\.trades/.exec(path)!
    const { sql } = souk.context
    await sql`update projects set project_id = ${id}
      where project_id = ${(await souk.console('POST', '/console/v1/projects', { name: 'Shop' })).body.projectId}`
    const { appid } = (await souk.console('POST', '/console/v1/apps', { projectId: id, name: 'Shop' })).body
    const [{ merchantId }] = await sql<[{ merchantId: string }]>`
      insert into merchants (merchant_id, appid, ctime) values (gen_random_uuid(), ${appid}, 0)
      returning merchant_id`
    const insert = (tradeNo: string, amount: number, currency: string) => sql`
      insert into trades
        (appid, trade_no, merchant_id, out_trade_no, amount, currency, open_id, payer, notify_url, time_expire,
         transaction_status, ctime, mtime)
      values
        (${appid}, ${tradeNo}, ${merchantId}, ${tradeNo}, ${amount}, ${currency}, gen_random_uuid(), 1,
         'https://shop.example/paid', 9, 2, ${Number.parseInt(tradeNo.slice(0, 12), 16)}, 0)`
    for (const { tradeNo, amount } of example.items) await insert(tradeNo, amount, 'SAR')
    await insert('019b779f2b7b7c1e8d5f4a3b2c1d0e9f', 999, 'SAR')
    await insert('019b779f2b7c7c1e8d5f4a3b2c1d0e9f', 1000, 'USD')
    await insert('019b779f2b797c1e8d5f4a3b2c1d0e9f', 1000, 'SAR')
    const { key } = await newKeyHolder(souk, id, 'viewer')
    expect(key).toMatch(/^souk_test_/)
    const { status, body } = await souk.raw('GET', path, { 'X-API-Key': key })
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...example, next: expect.stringMatching(`^${example.next.slice(0, -1)}`) },
    })
  })

  test('an invalid key is answered word for word (open-api §7)', async () => {
    const [head = '', body = ''] = block('HTTP/1.1 401').split('\n\n')
    const answer = await souk.raw('GET', '/api/v1/datasets', { 'X-API-Key': 'souk_test_nothing' })
    expect(answer.body).toEqual({ ...JSON.parse(body), requestId: expect.stringMatching(/^[0-9a-f]{32}$/) })
    for (const line of head.split('\n').slice(1)) {
      const [name = '', value] = line.split(': ')
      expect(answer.headers.get(name)).toBe(value)
    }
  })
})

test('limits the requests of each account, and reports what remains of the limit', async () => {
  const limited = await startTestSouk({ rateLimit: 2 })
  limited.clock.stop()
  const project = (await limited.console('POST', '/console/v1/projects', { name: 'P' })).body.projectId
  const [user, other] = [await newKeyHolder(limited, project, 'viewer'), await newKeyHolder(limited, project, 'viewer')]
  const first = await user.api('GET', '/me')
  expect(first.headers.get('ratelimit')).toBe('"account";r=3;t=2')
  expect(first.headers.get('ratelimit-policy')).toBe('"account";q=4;w=2')
  for (let i = 0; i < 3; i++) await user.api('GET', '/me')
  const refused = await user.api('GET', '/me')
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await other.api('GET', '/me')).status).toBe(200)
  await limited.stop()
})

describe('projects', () => {
  test('are paged, each once', async () => {
    const user = await newKeyHolder(souk, projectId, 'viewer')
    for (let i = 0; i < 4; i++) await user.call('POST', '/console/v1/projects', { name: `P${i}` })
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await user.api('GET', `/projects?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.items.map(({ name }: { name: string }) => name))
      cursor = body.next
    }
    expect(seen).toEqual(['P3', 'P2', 'P1', 'P0', 'Coffee'])
    expect((await user.api('GET', `/projects/${projectId}`)).body).toMatchObject({ name: 'Coffee', role: 'viewer' })
  })

  test('lists datasets page by page, of all projects and of one', async () => {
    const user = await newKeyHolder(souk, projectId, 'viewer')
    const { projectId: second } = (await user.call('POST', '/console/v1/projects', { name: 'Second' })).body
    await user.api('POST', '/datasets', { projectId: second, name: 'extra', fields })
    const ids = async (query: string) => {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await user.api('GET', `/datasets?limit=2${query}${cursor && `&cursor=${cursor}`}`)
        seen.push(...body.items.map((item: { projectId: string; name: string }) => `${item.projectId} ${item.name}`))
        cursor = body.next
      }
      return seen
    }
    const all = await ids('')
    expect(all).toEqual([...new Set(all)].sort())
    expect(all).toContain(`${second} extra`)
    expect(all).toContain(`${projectId} trades`)
    expect(await ids(`&projectId=${second}`)).toEqual(all.filter((each) => each.startsWith(second)))
  })
})

describe('datasets created by members', () => {
  test('a dataset has the given schema after the system fields', async () => {
    const { body } = await owner.api('POST', '/datasets', {
      projectId,
      name: 'orders',
      description: 'What was sold',
      fields,
    })
    expect(body).toMatchObject({ projectId, name: 'orders', description: 'What was sold', kind: 'own' })
    expect(body.fields.map(({ name }: { name: string }) => name)).toEqual([
      ...['recordId', 'recordTime', 'title', 'amount', 'ratio', 'done', 'due', 'extra'],
    ])
    expect(body.fields[2]).toEqual({
      name: 'title',
      type: 'string',
      required: true,
      description: null,
      generated: false,
    })
    expect((await owner.api('GET', `/datasets/${body.datasetId}`)).body).toEqual(body)
  })

  test('a name is unique per project, even for concurrent requests, and built-in names are reserved', async () => {
    const create = (name: string) => owner.api('POST', '/datasets', { projectId, name, fields })
    const answers = await Promise.all([1, 2, 3, 4].map(() => create('race')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const { datasetId } = answers.find(({ status }) => status === 200)!.body
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'dataset_name_taken',
      data: { datasetId },
    })
    expect((await create('trades')).body.code).toBe('dataset_name_taken')
  })

  test.each([
    ['no fields', []],
    ['an invalid name', [{ name: 'a-b', type: 'string' }]],
    ['a name with a quote', [{ name: `a"'b`, type: 'string' }]],
    ['a type that is none', [{ name: 'a', type: 'text' }]],
    [
      'a field twice',
      [
        { name: 'a', type: 'string' },
        { name: 'a', type: 'json' },
      ],
    ],
    ['a field of the platform’s', [{ name: 'recordId', type: 'string' }]],
    ['a property that no field has', [{ name: 'a', type: 'string', unique: true }]],
    ['something else than fields', 'a,b'],
  ])('a schema with %s is refused', async (_what, bad) => {
    const answer = await owner.api('POST', '/datasets', { projectId, name: 'bad', fields: bad })
    expect(answer).toMatchObject({ status: 400, body: { data: { parameters: ['fields'] } } })
  })

  test('returns appended records, newest first, each with id and time', async () => {
    const id = await newDataset()
    const records = [
      { title: '一', amount: -5, ratio: 1e-7, done: false, due: 1_700_000_000_000, extra: { a: [1, null, 'x'] } },
      { title: '', amount: null, extra: [] },
      { title: 'last', amount: Number.MAX_SAFE_INTEGER, ratio: 1e21 },
    ]
    expect((await owner.api('POST', `/datasets/${id}/records`, { records })).body).toEqual({ appended: 3 })
    const { items, next } = (await owner.api('GET', `/datasets/${id}/records`)).body
    expect(next).toBeNull()
    const none = { amount: null, ratio: null, done: null, due: null, extra: null }
    expect(items).toEqual(
      records.toReversed().map((record) => ({
        recordId: expect.stringMatching(/^[0-9a-f]{32}$/),
        recordTime: expect.any(Number),
        ...none,
        ...record,
      })),
    )
    expect((await owner.api('GET', `/datasets/${id}/records?fields=amount,title`)).body.items[0]).toEqual({
      amount: Number.MAX_SAFE_INTEGER,
      title: 'last',
    })
  })

  test('names invalid records and stores nothing of the batch', async () => {
    const id = await newDataset()
    const records = [{ title: 'good' }, { title: 5 }, { amount: 1.5, titel: 'x' }]
    const { status, body } = await owner.api('POST', `/datasets/${id}/records`, { records })
    expect([status, body.code]).toEqual([400, 'parameter_invalid'])
    expect(body.data.mistakes).toEqual([
      { record: 1, field: 'title', reason: 'must be a string without the character U+0000' },
      { record: 2, field: 'amount', reason: 'must be an integer between -(2^53 - 1) and 2^53 - 1' },
      { record: 2, field: 'titel', reason: 'is not a field of this dataset; did you mean title?' },
      { record: 2, field: 'title', reason: 'is required' },
    ])
    expect((await owner.api('GET', `/datasets/${id}/records`)).body.items).toEqual([])
  })

  test('refuses values that the database cannot store', async () => {
    const id = await newDataset()
    let deep: unknown = 1
    for (let i = 0; i < 50; i++) deep = [deep]
    const bad = [
      { title: 'a\0b' },
      { title: '\ud800' },
      { title: 'x', extra: { a: '\0' } },
      { title: 'x', extra: { '\0': 1 } },
      { title: 'x', extra: deep },
      { title: 'x'.repeat(70_000) },
      { title: 'x', recordId: 'f'.repeat(32) },
      { title: 'x', amount: 2 ** 53 },
    ]
    for (const record of bad) {
      const answer = await owner.api('POST', `/datasets/${id}/records`, { records: [record] })
      expect(answer).toMatchObject({ status: 400, body: { code: 'parameter_invalid' } })
    }
    // The last one is counted before it is parsed.
    for (const records of [[], 'x', [5], new Array(1001).fill({ title: 'x' }), new Array(40_000).fill({})]) {
      const answer = await owner.api('POST', `/datasets/${id}/records`, { records })
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'parameter_invalid',
          detail: expect.stringContaining('records must be a list of 1 to 1000 objects.'),
        },
      })
    }
    const proto = await owner.api('POST', `/datasets/${id}/records`, {
      records: [JSON.parse('{"title":"x","__proto__":1}')],
    })
    expect(proto.status).toBe(400)
  })

  test('fields may have names of Object.prototype', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
    const id = await newDataset(
      owner,
      names.map((name) => ({ name, type: 'string' })),
    )
    const record = Object.fromEntries(names.map((name) => [name, name]))
    await owner.api('POST', `/datasets/${id}/records`, { records: [record, {}] })
    const { items } = (await owner.api('GET', `/datasets/${id}/records?fields=${names.join()}`)).body
    expect(items).toEqual([Object.fromEntries(names.map((name) => [name, null])), record])
  })

  test('stores a repeated batch once, also concurrently, and refuses other records with its id', async () => {
    const id = await newDataset()
    const append = (title: string) =>
      owner.api('POST', `/datasets/${id}/records`, { records: [{ title }], batchId: 'b-1' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => append('once')))
    for (const { body } of answers) expect(body).toEqual({ appended: 1 })
    expect((await append('other')).body.code).toBe('batch_conflict')
    expect((await owner.api('GET', `/datasets/${id}/records`)).body.items).toHaveLength(1)
  })

  test('deletes only the records that match the filter, and never all by accident', async () => {
    const id = await newDataset()
    const other = await newDataset()
    for (const each of [id, other]) {
      const records = [1, 2, 3, 4].map((amount) => ({ title: 'x', amount }))
      await owner.api('POST', `/datasets/${each}/records`, { records })
    }
    const path = `/datasets/${id}/records`
    expect((await owner.api('DELETE', path)).body.code).toBe('parameter_missing')
    expect((await owner.api('DELETE', `${path}?filter=amount%3E2`)).body).toEqual({ deleted: 2 })
    const left = (await owner.api('GET', path)).body.items
    expect(left.map(({ amount }: { amount: number }) => amount)).toEqual([2, 1])
    expect((await owner.api('DELETE', `${path}?filter=recordId%3D${left[0].recordId}`)).body).toEqual({ deleted: 1 })
    expect((await owner.api('GET', `/datasets/${other}/records`)).body.items).toHaveLength(4)
  })

  test('the console changes fields of a record, under the rules of an import, and counts records', async () => {
    const id = await newDataset()
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'x', amount: 1 }, { title: 'y' }] })
    const path = `/console/v1/datasets/${id}/records`
    const records = async (query = '') => (await owner.call('GET', `${path}${query}`)).body
    const [y, x] = (await records()).items
    const change = (recordId: string, values: object) => owner.call('PATCH', `${path}/${recordId}`, { values })
    expect((await change(x.recordId, { title: 'z' })).body).toBe(true)
    expect((await records()).items).toEqual([y, { ...x, title: 'z' }])
    expect((await change(x.recordId, { amount: null })).body).toBe(true)
    expect((await records()).items).toEqual([y, { ...x, title: 'z', amount: null }])
    for (const values of [{ title: null }, { amount: 'many' }, { recordId: x.recordId }, { nothing: 1 }]) {
      expect((await change(x.recordId, values)).body).toMatchObject({
        code: 'parameter_invalid',
        detail: expect.stringContaining(`values.${Object.keys(values)[0]} `),
      })
    }
    const other = await newDataset()
    const elsewhere = await owner.call('PATCH', `/console/v1/datasets/${other}/records/${x.recordId}`, { values: {} })
    expect(elsewhere.body.code).toBe('record_not_found')
    expect(await records('?total=true&limit=1')).toMatchObject({ items: [y], total: { count: 2, isCapped: false } })
    expect((await records('?total=true&filter=title%3Dz')).total).toEqual({ count: 1, isCapped: false })
    expect((await owner.call('GET', `/console/v1/datasets/${projectId}.trades/records?total=true`)).status).toBe(200)
    const { items } = (await owner.call('GET', `/console/v1/audit?projectId=${projectId}&limit=10`)).body
    expect(items).toContainEqual(
      expect.objectContaining({
        action: 'dataset.changeRecord',
        subject: id,
        accountId: owner.accountId,
        detail: { recordId: x.recordId, fields: ['title'] },
      }),
    )
  })

  test('a deleted dataset disappears immediately, its name is free, and a job deletes its records', async () => {
    const { clearDataset } = await import('../../src/domain/miniApps/index.ts')
    const id = await newDataset()
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'x' }] })
    const removed = await souk.raw('DELETE', `/api/v1/datasets/${id}`, {
      'X-API-Key': owner.key,
      'Content-Type': 'application/json',
    })
    expect(removed).toMatchObject({ status: 200, body: true })
    for (const path of ['', '/records', '/export']) {
      expect((await owner.api('GET', `/datasets/${id}${path}`)).body.code).toBe('dataset_not_found')
    }
    expect((await owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'x' }] })).status).toBe(404)
    expect((await owner.api('POST', '/datasets', { projectId, name: `set${datasets}`, fields })).status).toBe(200)
    const records = async () => (await souk.context.sql`select from dataset_records where dataset_id = ${id}`).length
    expect(await records()).toBe(1)
    await clearDataset(souk.context, id)
    expect(await records()).toBe(0)
  })

  test('an append that races the deletion of its dataset leaves no records', async () => {
    const { clearDataset } = await import('../../src/domain/miniApps/index.ts')
    for (let round = 0; round < 10; round++) {
      const id = await newDataset()
      const append = () => owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'x' }] })
      const [, , , removed] = await Promise.all([append(), append(), append(), owner.api('DELETE', `/datasets/${id}`)])
      expect(removed.status).toBe(200)
      await clearDataset(souk.context, id)
      expect(await souk.context.sql`select from dataset_records where dataset_id = ${id}`).toHaveLength(0)
    }
  })

  test('built-in datasets are read-only', async () => {
    const trades = `/datasets/${projectId}.trades`
    for (const [method, path, input] of [
      ['DELETE', trades, undefined],
      ['DELETE', `${trades}/records?filter=amount%3E1`, undefined],
      ['POST', `${trades}/records`, { records: [{ tradeNo: 'x' }] }],
    ] as const) {
      expect((await owner.api(method, path, input)).body.code).toBe('dataset_built_in')
    }
  })

  test('every change is in the audit log of the project, with account and IP address', async () => {
    const id = await newDataset()
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'x' }, { title: 'y' }] })
    await owner.api('DELETE', `/datasets/${id}/records?filter=title%3Dx`)
    await owner.api('DELETE', `/datasets/${id}`)
    const { items } = (await owner.call('GET', `/console/v1/audit?projectId=${projectId}&limit=4`)).body
    expect(items).toMatchObject([
      { action: 'dataset.delete', subject: id, accountId: owner.accountId, address: '127.0.0.1' },
      { action: 'dataset.deleteRecords', detail: { fields: ['title'], deleted: 1 } },
      { action: 'dataset.append', detail: { records: 2 } },
      { action: 'dataset.create' },
    ])
  })

  test('the audit log names the fields of a deletion, not the values, which can be personal data', async () => {
    const id = await newDataset()
    const filter = encodeURIComponent('title="layla@mail.example",title!=null')
    expect((await owner.api('DELETE', `/datasets/${id}/records?filter=${filter}`)).body).toEqual({ deleted: 0 })
    const { items } = (await owner.call('GET', `/console/v1/audit?projectId=${projectId}&limit=1`)).body
    expect(items).toMatchObject([{ action: 'dataset.deleteRecords', subject: id }])
    expect(items[0].detail).toEqual({ fields: ['title'], deleted: 0 })
  })
})

describe('invalid filters and fields', () => {
  const records = (query: Record<string, string>) =>
    owner.api('GET', `/datasets/${projectId}.trades/records?${new URLSearchParams(query)}`)

  test('refuses an unknown field with a suggestion', async () => {
    for (const query of [{ filter: 'ammount>5' }, { fields: 'tradeNo,ammount' }]) {
      const { status, body } = await records(query as unknown as Record<string, string>)
      expect([status, body.code, body.data.didYouMean]).toEqual([400, 'parameter_invalid', 'amount'])
      expect(body.detail).toContain('did you mean amount?')
    }
  })

  test.each([
    'amount>abc',
    'amount>1.5',
    'amount>99999999999999999',
    'amount~5',
    'amount',
    'amount=',
    'amount=1,',
    ',amount=1',
    'amount==1',
    'amount>null',
    'description="a',
    'description="a"b',
    'description="\\u0000"',
    'description="\\ud800"',
    'notifySuccess>true',
    'notifySuccess=yes',
    'ctime>yesterday',
    'ctime<2030-02-31',
    'ctime<2030-04-31T08:00:00Z',
    'amount=1;drop table trades;--',
    "description') or 1=1 --=x",
    Array.from({ length: 21 }, () => 'amount=1').join(),
  ])('%s is refused, and says why', async (filter) => {
    const { status, body } = await records({ filter })
    expect([status, body.code]).toEqual([400, 'parameter_invalid'])
    expect(body.detail).toMatch(/^A parameter is not valid\. filter/)
  })

  test('users without a picture have the generated one that their host shows', async () => {
    const { appid } = (await souk.console('POST', '/console/v1/apps', { projectId, name: 'Pictures' })).body
    for (const nickname of ['Layla', '寿司', '😀 Sam']) {
      const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname })).body
      await souk.context.sql`insert into open_ids (appid, uid, open_id) values (${appid}, ${uid}, gen_random_uuid())`
      const [row] = await souk.context.sql<[{ avatar: null }]>`select avatar from users where uid = ${uid}`
      const filter = `appid="${appid}",nickName="${nickname}"`
      const path = `/datasets/${projectId}.users/records?filter=${encodeURIComponent(filter)}`
      const { items } = (await owner.api('GET', path)).body
      expect(items).toMatchObject([{ avatar: avatarUrl(souk.context, { nickName: nickname, ...row }) }])
    }
  })

  test('treats SQL in a value as a value', async () => {
    for (const value of ["' or 1=1 --", "'); drop table trades; --", '$1', '\\', '%', "E'\\x27"]) {
      const { status, body } = await records({ filter: `description=${JSON.stringify(value)}` })
      expect([status, body.items]).toEqual([200, []])
      expect(await owner.export(`${projectId}.trades`, { filter: `description=${JSON.stringify(value)}` })).toBe('')
    }
  })

  test('refuses a forged cursor or one of another list', async () => {
    const id = await newDataset()
    await owner.api('POST', `/datasets/${id}/records`, { records: [{ title: 'a' }, { title: 'b' }] })
    const { next } = (await owner.api('GET', `/datasets/${id}/records?limit=1`)).body
    expect(next).toEqual(expect.any(String))
    const forge = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const trades = `${projectId}.trades`
    for (const cursor of [next, 'x', forge({}), forge([trades]), forge([trades, 1, 2]), forge([trades, '1', 'zz'])]) {
      expect((await records({ cursor })).body).toMatchObject({ status: 400, data: { parameters: ['cursor'] } })
    }
    const other = await newDataset()
    expect((await owner.api('GET', `/datasets/${other}/records?cursor=${next}`)).status).toBe(400)
    expect((await owner.api('GET', '/projects?cursor=zz')).status).toBe(400)
    expect((await owner.api('GET', `/projects?cursor=${forge(['zz'])}`)).status).toBe(400)
    expect((await owner.api('GET', `/datasets?cursor=${forge(['datasets', 'zz', 'x'])}`)).status).toBe(400)
  })
})
