import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SoukApiError, SoukPlatform } from '../../../../packages/sdk/src/index.ts'
import { type KeyHolder, newKeyHolder } from '../keyHolder.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let projectId: string
let holder: KeyHolder
let platform: SoukPlatform

beforeAll(async () => {
  souk = await startTestSouk()
  projectId = (await souk.console('POST', '/console/v1/projects', { name: 'Coffee' })).body.projectId
  holder = await newKeyHolder(souk, projectId, 'owner')
  platform = new SoukPlatform({ baseUrl: souk.url, apiKey: holder.key })
})
afterAll(() => souk.stop())

test('creates, fills, reads and deletes a dataset', async () => {
  expect(await platform.me()).toMatchObject({ accountId: holder.accountId, via: 'apiKey' })
  const projects: string[] = []
  for await (const project of platform.projects.iterate({ limit: 1 })) projects.push(project.projectId)
  expect(projects).toEqual([projectId])
  expect(await platform.projects.get(projectId)).toMatchObject({ role: 'owner' })

  const { datasetId } = await platform.datasets.create({
    projectId,
    name: 'visits',
    description: 'Who came',
    fields: [
      { name: 'page', type: 'string', required: true },
      { name: 'at', type: 'time' },
    ],
  })
  const records = Array.from({ length: 2500 }, (_, i) => ({ page: `page, "${i}"`, at: i }))
  expect(await platform.datasets.append(datasetId, records)).toEqual({ appended: 2500 })

  const right = records.toReversed()
  const selection = { fields: ['page', 'at'] }
  const seen: { page: string; at: number }[] = []
  for await (const record of platform.datasets.records<(typeof records)[0]>(datasetId, { ...selection, limit: 400 })) {
    seen.push(record)
  }
  expect(seen).toEqual(right)
  const exported: object[] = []
  for await (const record of platform.datasets.export(datasetId, selection)) exported.push(record)
  expect(exported).toEqual(right)
  const csv = await new Response(
    await platform.datasets.exportStream(datasetId, { ...selection, format: 'csv' }),
  ).text()
  expect(parse(csv, { columns: true, cast: (value, { column }) => (column === 'at' ? Number(value) : value) })).toEqual(
    right,
  )

  const one = { filter: [{ field: 'page', operator: '=', value: 'page, "7"' }] as const }
  expect((await platform.datasets.page(datasetId, { ...one, ...selection })).items).toEqual([records[7]])
  expect(await platform.datasets.deleteRecords(datasetId, one.filter)).toEqual({ deleted: 1 })
  expect((await platform.datasets.page(datasetId, one)).items).toEqual([])

  const names: string[] = []
  for await (const { name } of platform.datasets.iterate({ projectId, limit: 2 })) names.push(name)
  expect(names).toEqual(['activities', 'callbacks', 'events', 'notifications', 'trades', 'users', 'visits'])
  expect((await platform.datasets.get(datasetId)).fields.map(({ name }) => name)).toContain('at')
  expect(await platform.datasets.delete(datasetId)).toBe(true)
  await expect(platform.datasets.get(datasetId)).rejects.toMatchObject({ status: 404, code: 'dataset_not_found' })
})

test('leaving an export early ends its query', async () => {
  const { datasetId } = await platform.datasets.create({
    projectId,
    name: 'long',
    fields: [{ name: 'text', type: 'string' as const }],
  })
  await souk.context.sql`
    insert into dataset_records (dataset_id, record_id, ctime, record)
    select ${datasetId}, uuidv7(), n, jsonb_build_object('text', repeat('x', 200)) from generate_series(1, 100000) as n`
  for await (const _ of platform.datasets.export(datasetId)) break
  await expect
    .poll(async () => {
      const rows = await souk.context.sql`
        select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'copy (%'`
      return rows.length
    })
    .toBe(0)
})

test('accepts a token, and reports errors with code and request id', async () => {
  const { token } = (await holder.call('POST', '/console/v1/tokens', {})).body
  expect(await new SoukPlatform({ baseUrl: souk.url, token }).me()).toMatchObject({ via: 'token' })
  const failure = await platform.datasets.page(`${projectId}.trades`, { filter: 'amuont>5' }).catch((error) => error)
  expect(failure).toBeInstanceOf(SoukApiError)
  expect(failure).toMatchObject({
    code: 'parameter_invalid',
    status: 400,
    data: { didYouMean: 'amount' },
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})
