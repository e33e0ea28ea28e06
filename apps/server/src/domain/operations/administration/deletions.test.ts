import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import { newMiniApp, newRecipients } from '../../../../test/recipients.ts'
import { archiveApp, createApp, updateApp } from '../../miniApps/index.ts'
import { deleteSomeUsers } from './deletions.store.ts'
import { approveChange, rejectChange } from './index.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('the erasure of a deleted mini app waits for that of a user', async () => {
  const { sql } = database
  const caller = (await newMiniApp(sql))()
  const { appid } = caller.app
  const [recipient] = await newRecipients(sql, caller, 1)
  const { uid } = recipient!
  await sql`insert into login_codes (code_hash, appid, uid, scopes, token_id, valid_until, ctime)
    values ('', ${appid}, ${uid}, '{}', gen_random_uuid(), 0, 0)`
  await sql`insert into consents (appid, uid, scopes, mtime) values (${appid}, ${uid}, '{}', 0)`
  let deleted: Promise<number> | undefined
  await sql.begin(async (tx) => {
    await tx`select from users where uid = ${uid} for update`
    await tx`delete from consents where uid = ${uid}`
    deleted = deleteSomeUsers(sql, appid, 10)
    await untilWaiting(sql, 1)
    await tx`delete from login_codes where uid = ${uid}`
  })
  expect(await deleted).toBe(1)
})

test('the changes that a mini app waits for cannot be decided once it is deleted', async () => {
  const { sql } = database
  const context = identityContext(sql)
  context.rules.approvals = 'required'
  const admin = { kind: 'admin' } as const
  const { appid } = await createApp(context, admin, { name: 'Tea House' })
  await updateApp(context, admin, { appid, name: 'Coffee House' })
  const [change] = await sql<{ changeId: string }[]>`
    select change_id from change_requests where appid = ${appid}`
  const { changeId } = change!
  await archiveApp(context, admin, { appid })

  let rejected: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`select from apps where appid = ${appid} for update`
    rejected = rejectChange(context, admin, { changeId, reason: 'It is a bank.' }).catch((error: unknown) => error)
    await untilWaiting(sql, 1)
    await tx`update apps set deleted_time = 1 where appid = ${appid}`
  })
  const notFound = expect.objectContaining({ code: 'change_request_not_found' })
  expect(await rejected).toEqual(notFound)
  await expect(approveChange(context, admin, { changeId })).rejects.toEqual(notFound)
})
