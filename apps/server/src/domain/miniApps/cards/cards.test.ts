import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { soukError } from '../../../../test/soukError.ts'
import { eraseHostUser, exportHostUser } from '../../console/index.ts'
import { createUser } from '../../users/index.ts'
import { createApp, updateApp } from '../apps/index.ts'
import { listCards, sendCard } from './index.ts'

const admin = { kind: 'admin' } as const

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string
let layla: number
let omar: number

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
})
afterAll(() => database.drop())
beforeEach(async () => {
  layla = (await createUser(context, admin, { nickname: 'Layla' })).uid
  omar = (await createUser(context, admin, { nickname: 'Omar' })).uid
})

const user = (uid: number) => ({ kind: 'hostUser', uid, session: '' }) as const
const card = { title: 'Mint tea', path: 'pages/cup/cup?id=7', imageUrl: '', extraData: '{"from":1}' }
const send = (from: number, to: number, changed: Partial<typeof card> = {}) =>
  sendCard(context, user(from), { uid: to, appid, ...card, ...changed })
const titles = async (uid: number, other: number) =>
  (await listCards(context, user(uid), { uid: other })).map(({ title, sent }) => [title, sent])

test('a card is in the conversation of both users, and of no others', async () => {
  const { cardId } = await send(layla, omar)
  await send(omar, layla, { title: 'Coffee' })
  const shown = { cardId, appid, appName: 'Tea House', ...card, ctime: context.clock.now() }
  expect((await listCards(context, user(omar), { uid: layla }))[1]).toEqual({ ...shown, sent: false })
  expect(await titles(layla, omar)).toEqual([
    ['Coffee', false],
    ['Mint tea', true],
  ])
  const huda = (await createUser(context, admin, { nickname: 'Huda' })).uid
  expect(await titles(huda, omar)).toEqual([])
  expect(await titles(huda, layla)).toEqual([])
})

test('the newest 50 cards of two users are kept', async () => {
  await database.sql`
    insert into sandbox_cards (card_id, sender, recipient, appid, title, path, image_url, extra_data, ctime)
    select lpad(to_hex(n), 32, '0')::uuid, ${layla}, ${omar}, ${appid}, n::text, '', '', '', 0
    from generate_series(1, 60) as n`
  await send(omar, layla)
  const kept = await titles(layla, omar)
  expect(kept).toHaveLength(50)
  expect([kept[0], kept.at(-1)]).toEqual([
    ['Mint tea', false],
    ['12', true],
  ])
  await database.sql`delete from sandbox_cards`
})

test('data that is not JSON is left out, as in links', async () => {
  await send(layla, omar, { extraData: '{' })
  expect((await listCards(context, user(omar), { uid: layla }))[0]!.extraData).toBe('')
})

test('the picture of a card is as small as one from a mini app', async () => {
  const picture = (size: number) => `data:image/png;base64,${Buffer.alloc(size).toString('base64')}`
  await send(layla, omar, { imageUrl: picture(128 * 1024) })
  for (const imageUrl of [picture(128 * 1024 + 1), `https://a.example/${'x'.repeat(2048)}`, 'javascript:alert(1)']) {
    await expect(send(layla, omar, { imageUrl })).rejects.toEqual(soukError('parameter_invalid'))
  }
})

test('a card needs a mini app and a recipient that exist', async () => {
  await expect(send(layla, 999_999)).rejects.toEqual(soukError('user_not_found'))
  const gone = (await createApp(context, admin, { name: 'Closed' })).appid
  await updateApp(context, admin, { appid: gone, enabled: false })
  await expect(sendCard(context, user(layla), { uid: omar, appid: gone, ...card })).rejects.toEqual(
    soukError('app_not_found'),
  )
})

test('cards are part of the data of both users, and erased with either of them', async () => {
  await send(layla, omar)
  for (const uid of [layla, omar]) {
    const { cards } = await exportHostUser(context, admin, { uid })
    expect(cards).toEqual([{ sender: layla, recipient: omar, appid, ...card, ctime: context.clock.now() }])
  }
  await eraseHostUser(context, admin, { uid: layla })
  expect(await titles(omar, layla)).toEqual([])
  await expect(send(omar, layla)).rejects.toEqual(soukError('user_not_found'))
})
