import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { createAccount, createProject, lockProject } from '../../console/index.ts'
import { updateAccount } from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('an account that has become the last owner while it was being disabled stays enabled', async () => {
  const { sql } = database
  const context = identityContext(sql)
  const { projectId } = await createProject(context, admin, { name: 'Tea' })
  const omar = { username: 'omar', name: 'Omar', language: 'en', hashedPassword: '', administrator: false } as const
  const { accountId } = await sql.begin((tx) => createAccount(context, tx, undefined, omar))
  await sql`
    insert into project_members (project_id, account_id, role, ctime) values (${projectId}, ${accountId}, 'viewer', 0)`
  let disabled: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await lockProject(tx, projectId)
    await tx`update project_members set role = 'owner' where account_id = ${accountId}`
    disabled = updateAccount(context, admin, { accountId, enabled: false }).catch((error: unknown) => error)
    await untilWaiting(sql, 1)
  })
  expect(await disabled).toEqual(expect.objectContaining({ code: 'last_owner' }))
  expect(await sql`select from accounts where account_id = ${accountId} and enabled`).toHaveLength(1)
})
