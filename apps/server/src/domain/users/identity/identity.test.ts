import { day, SoukError, second } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { untilWaiting } from '../../../../test/locks.ts'
import type { AdminCaller } from '../../caller.ts'
import {
  avatarUrl,
  createUser,
  drawAvatar,
  endHostSession,
  findUser,
  listSandboxUsers,
  listUsersByOpenId,
  me,
  sessionUser,
  signIn,
  upsertOpenId,
  upsertUnionId,
} from './index.ts'

const admin: AdminCaller = { kind: 'admin' }
const anyone = { kind: 'anyone' } as const
const projects = ['0190000000007000800000000000000a', '0190000000007000800000000000000b'] as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  const { sql } = database
  for (const project of projects) await sql`insert into projects (project_id, name, ctime) values (${project}, 'P', 0)`
  for (const [appid, project] of [
    ['a11111111111111', projects[0]],
    ['a22222222222222', projects[0]],
    ['b11111111111111', projects[1]],
  ] as const) {
    await sql`
      insert into apps (appid, project_id, name, capabilities, default_language, ctime)
      values (${appid}, ${project}, 'App', '{}', 'en_US', 0)`
  }
})
afterAll(() => database.drop())

async function newUser(nickname = 'Layla'): Promise<number> {
  return (await createUser(context, admin, { nickname })).uid
}

function soukError(code: string) {
  return expect.objectContaining({ name: SoukError.name, code })
}

describe('users', () => {
  test('stores the profile of a user; omitted fields are null', async () => {
    const full = {
      nickname: 'Omar',
      country: '+966',
      phone: '500000001',
      email: 'o@example.com',
      avatar: 'https://a/b',
    }
    const { uid } = await createUser(context, admin, full)
    const { nickname: nickName, ...rest } = full
    expect(await findUser(context.sql, uid)).toEqual({ uid, nickName, ...rest })
    const plain = await newUser('Sam')
    expect(await findUser(context.sql, plain)).toEqual({
      uid: plain,
      nickName: 'Sam',
      avatar: null,
      email: null,
      country: null,
      phone: null,
    })
    expect(await findUser(context.sql, 1)).toBeUndefined()
  })

  test('lists mock users without e-mail addresses and phone numbers', async () => {
    const { uid } = await createUser(context, admin, { nickname: 'Omar', phone: '500000001', email: 'o@example.com' })
    const users = await listSandboxUsers(context)
    expect(users.find((user) => user.uid === uid)).toEqual({
      uid,
      nickName: 'Omar',
      avatar: 'http://souk.test/files/avatars/4f.svg',
    })
  })
})

describe('pictures', () => {
  const avatarOf = (nickName: string) => avatarUrl(context, { nickName, avatar: null })

  test('a user without a picture gets one that depends on the first letter only', () => {
    expect(avatarUrl(context, { nickName: 'Omar', avatar: 'https://a/b' })).toBe('https://a/b')
    expect(avatarOf('Omar')).toBe('http://souk.test/files/avatars/4f.svg')
    expect(avatarOf('Olga')).toBe(avatarOf('Omar'))
  })

  test.each([
    ['ليلى', 'ل'],
    ['李雷', '李'],
    ['élodie', 'É'],
    ['ßeta', 'S'],
    ['🦊 Fox', '🦊'],
    ['<script>', '<'],
    ['\u0301', '?'],
    ['\u00a0', '?'],
  ])('draws the first letter of %s as %s', (nickName, letter) => {
    const drawing = drawAvatar(/([^/]+)\.svg$/.exec(avatarOf(nickName))![1]!)
    const [, drawn] = />([^<>]+)<\/text>/.exec(drawing)!
    expect(drawn === '?' ? drawn : String.fromCodePoint(Number(/^&#(\d+);$/.exec(drawn!)![1]))).toBe(letter)
  })

  test.each(['', 'zz', '110000', '0x41', '4F', '41 ', 'ffffffffff'])('does not draw %j', (hex) => {
    expect(() => drawAvatar(hex)).toThrow(soukError('file_not_found'))
  })
})

describe('openId and unionId', () => {
  test('gives a user a stable openId per app', async () => {
    const uid = await newUser()
    const first = await upsertOpenId(context.sql, 'a11111111111111', uid)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(await upsertOpenId(context.sql, 'a11111111111111', uid)).toBe(first)
    expect(await upsertOpenId(context.sql, 'a22222222222222', uid)).not.toBe(first)
    expect(await upsertOpenId(context.sql, 'a11111111111111', await newUser())).not.toBe(first)
  })

  test('gives a user a stable unionId per project', async () => {
    const uid = await newUser()
    const first = await upsertUnionId(context.sql, projects[0], uid)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(await upsertUnionId(context.sql, projects[0], uid)).toBe(first)
    expect(await upsertUnionId(context.sql, projects[1], uid)).not.toBe(first)
  })

  test('creates one openId and one unionId for 50 concurrent first uses', async () => {
    const uid = await newUser()
    const created = await Promise.all(
      Array.from({ length: 50 }, () =>
        context.sql.begin(async (tx) => [
          await upsertOpenId(tx, 'a11111111111111', uid),
          await upsertUnionId(tx, projects[0], uid),
        ]),
      ),
    )
    expect(new Set(created.map(([openId]) => openId)).size).toBe(1)
    expect(new Set(created.map(([, unionId]) => unionId)).size).toBe(1)
  })

  test('finds users by openIds of the same app only and skips malformed ones', async () => {
    const uid = await newUser()
    const own = await upsertOpenId(context.sql, 'a11111111111111', uid)
    const foreign = await upsertOpenId(context.sql, 'a22222222222222', uid)
    const openIds = [own, foreign, 'not-an-openId', own.toUpperCase(), 'f'.repeat(32), '']
    expect(await listUsersByOpenId(context.sql, 'a11111111111111', openIds)).toEqual(new Map([[own, uid]]))
    expect(await listUsersByOpenId(context.sql, 'a11111111111111', [])).toEqual(new Map())
  })
})

describe('host sessions', () => {
  test('keeps a session until it is signed out, and other sessions after that', async () => {
    const uid = await newUser('Layla')
    const one = await signIn(context, anyone, { uid })
    const other = await signIn(context, anyone, { uid })
    expect(one).toMatchObject({
      session: expect.stringMatching(/^souk_host_/),
      expire: (30 * day) / second,
      user: { nickName: 'Layla' },
    })
    const caller = { kind: 'hostUser', uid, session: one.session } as const
    expect(await sessionUser(context, one.session)).toBe(uid)
    expect(await me(context, caller)).toEqual(one.user)

    expect(await endHostSession(context, one.session)).toBeUndefined()
    expect(await sessionUser(context, one.session)).toBeUndefined()
    expect(await sessionUser(context, other.session)).toBe(uid)
  })

  test('keeps the newest 50 sessions of a user, so that sign-ins cannot fill the table', async () => {
    const uid = await newUser()
    const sessions: string[] = []
    for (let n = 0; n < 52; n++) {
      context.clock.time++
      sessions.push((await signIn(context, anyone, { uid })).session)
    }
    expect(await context.sql`select from host_sessions where uid = ${uid}`).toHaveLength(50)
    expect(await sessionUser(context, sessions[1]!)).toBeUndefined()
    expect(await sessionUser(context, sessions[2]!)).toBe(uid)
  })

  test('concurrent sign-ins do not exceed 50 sessions of a user, and none of them ends another', async () => {
    const uid = await newUser()
    for (let n = 0; n < 45; n++) await signIn(context, anyone, { uid })
    context.clock.time++
    const signedIn = await Promise.all(Array.from({ length: 20 }, () => signIn(context, anyone, { uid })))
    for (const { session } of signedIn) expect(await sessionUser(context, session)).toBe(uid)
    expect(await context.sql`select from host_sessions where uid = ${uid}`).toHaveLength(50)
  })

  test('does not end new sessions in favor of those from before the clock was set back', async () => {
    const uid = await newUser()
    context.clock.ahead = day
    for (let n = 0; n < 50; n++) await signIn(context, anyone, { uid })
    context.clock.ahead = 0
    const [phone, browser] = [await signIn(context, anyone, { uid }), await signIn(context, anyone, { uid })]
    for (const { session } of [phone, browser]) expect(await sessionUser(context, session)).toBe(uid)
    expect(await context.sql`select from host_sessions where uid = ${uid}`).toHaveLength(50)
  })

  test('ends a session after 30 days of the domain clock and deletes it at the next sign-in', async () => {
    const uid = await newUser()
    const { session } = await signIn(context, anyone, { uid })
    context.clock.ahead += 30 * day - 1
    expect(await sessionUser(context, session)).toBe(uid)
    context.clock.ahead += 1
    expect(await sessionUser(context, session)).toBeUndefined()
    await signIn(context, anyone, { uid })
    expect(await context.sql`select from host_sessions where uid = ${uid}`).toHaveLength(1)
    context.clock.ahead = 0
  })

  test('does not store the token in plain text', async () => {
    const { session } = await signIn(context, anyone, { uid: await newUser() })
    const rows = await context.sql<{ row: string }[]>`select s::text as row from host_sessions s`
    const hexOfToken = Buffer.from(session).toString('hex')
    for (const { row } of rows) expect(row.includes(session) || row.includes(hexOfToken)).toBe(false)
  })

  test('rejects a sign-in that waits for the transaction which disables the user', async () => {
    const { sql } = database
    const uid = await newUser()
    let signedIn: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`select from users where uid = ${uid} for update`
      await tx`update users set disabled_time = 1 where uid = ${uid}`
      signedIn = signIn(context, anyone, { uid }).catch((error: unknown) => error)
      await untilWaiting(sql, 1)
    })
    expect(await signedIn).toEqual(soukError('user_not_found'))
    expect(await sql`select from host_sessions where uid = ${uid}`).toHaveLength(0)
  })

  test('rejects a sign-in as a user who does not exist', async () => {
    await expect(signIn(context, anyone, { uid: 1 })).rejects.toEqual(soukError('user_not_found'))
    expect(await sessionUser(context, 'souk_host_made-up')).toBeUndefined()
    const unknownUser = { kind: 'hostUser', uid: 1, session: '' } as const
    await expect(me(context, unknownUser)).rejects.toEqual(soukError('session_invalid'))
  })
})
