import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { lockProject } from '../../console/index.ts'
import { createApp, lockArchive } from '../apps/index.ts'
import { createInspection } from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('an inspection that is created while the mini app is being archived waits for that', async () => {
  const { sql } = database
  const context = identityContext(sql)
  const { appid } = await createApp(context, admin, { name: 'Tea House' })
  const { projectId } = (await context.apps.find(appid))!
  let created: ReturnType<typeof createInspection> | undefined
  await sql.begin(async (tx) => {
    await lockProject(tx, projectId)
    created = createInspection(context, admin, { appid })
    await untilWaiting(sql, 1)
    expect(await lockArchive(tx, appid)).toMatchObject({ projectId })
  })
  expect(await created).toMatchObject({ code: expect.stringMatching(/^souk_inspect_/) })
})
