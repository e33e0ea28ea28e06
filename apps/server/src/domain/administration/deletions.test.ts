import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { newMiniApp, newRecipients } from '../../../test/recipients.ts'
import { deleteSomeUsers } from './deletions.store.ts'

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
