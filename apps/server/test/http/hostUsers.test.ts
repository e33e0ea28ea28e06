import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/kernel/id.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let app: { appid: string; secret: string }

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
})
afterAll(() => souk.stop())

const users = (method: string, path: string): Promise<JsonAnswer> =>
  souk.console(method, `/console/v1/users${path}`, method === 'POST' ? {} : undefined)

async function newUser(nickname: string): Promise<number> {
  const email = `${nickname.toLowerCase().replace(/\W/g, '')}@mail.example`
  const input = { nickname, country: '+966', phone: '500718294', email }
  return (await souk.console('POST', '/console/v1/sandbox/users', input)).body.uid
}

/** Signs in, opens the mini app and pays, as far as a user leaves traces. */
async function useApp(uid: number) {
  const session = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session as string
  const scope = 'user.info,user.email'
  const { code } = (await souk.json(session, 'POST', `/host/v1/apps/${app.appid}/auth-code`, { scope, consent: true }))
    .body
  const { accessToken } = (
    await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
      code,
      grantType: 'authorization_code',
      scope,
    })
  ).response
  const info = () => souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  const { openId } = (await info()).response
  const notify = () =>
    souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
      openIds: openId,
      title: 'Tea',
      text: 'Your tea is ready.',
      navigateType: '1',
      link: 'pages/index/index',
      language: 'en_US',
      notifyType: 1,
    })
  const trade = await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
    outTradeNo: `order-${uid}`,
    amount: 1250,
    currency: 'SAR',
    openId,
    notifyUrl: 'https://shop.example/callback',
  })
  return { session, openId, info, notify, tradeNo: trade.response.tradeNo as string }
}

const me = (session: string) => souk.json(session, 'GET', '/host/v1/me')

test('users are found by name, uid, e-mail address and state', async () => {
  const uid = await newUser('Nadia Salem')
  const percent = await newUser('Na%ia')
  for (const text of ['nadia', 'NADIA S', String(uid), 'nadiasalem@mail.example']) {
    const { items } = (await users('GET', `?text=${encodeURIComponent(text)}`)).body
    expect(items.map((user: { uid: number }) => user.uid)).toEqual([uid])
  }
  expect((await users('GET', '?text=a%25')).body.items).toMatchObject([{ uid: percent }])
  expect((await users('GET', '?state=disabled')).body.items).toEqual([])
  const first = (await users('GET', '?limit=1')).body
  expect((await users('GET', `?limit=1&cursor=${first.next}`)).body.items[0].uid).toBe(uid)
  expect((await users('GET', '/999999')).body.code).toBe('user_not_found')
})

test('a user without a picture has a generated one everywhere, even after it is erased', async () => {
  const uid = await newUser('Sami')
  const [listed] = (await souk.console('GET', '/console/v1/sandbox/users?limit=1')).body.items
  const [found] = (await users('GET', '?text=sami')).body.items
  const drawn = [listed, found, (await users('GET', `/${uid}`)).body, (await users('POST', `/${uid}/disable`)).body]
  for (const { avatar } of drawn) expect(avatar).toMatch(/\/files\/avatars\/53\.svg$/)
  const { avatar } = (await users('POST', `/${uid}/erase`)).body
  expect((await fetch(`${souk.url}${new URL(avatar).pathname}`)).status).toBe(200)
})

test('a disabled user loses sessions and access tokens immediately, and signs in again when enabled', async () => {
  const uid = await newUser('Omar')
  const { session, info } = await useApp(uid)
  expect((await users('POST', `/${uid}/disable`)).body).toMatchObject({ uid, state: 'disabled' })
  expect((await me(session)).status).toBe(401)
  expect((await info()).code).toBe('access_token_invalid')
  expect((await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.code).toBe('user_not_found')
  expect((await users('POST', `/${uid}/enable`)).body).toMatchObject({ state: 'enabled' })
  expect((await souk.json('', 'POST', '/host/v1/sessions', { uid })).status).toBe(200)
})

test('an export contains everything about the user, and an erased user leaves trades without a person', async () => {
  const uid = await newUser('Layla Haddad')
  const { session, openId, info, notify, tradeNo } = await useApp(uid)
  expect((await notify()).http).toBe(200)
  const recordingId = newId()
  const ctime = souk.context.clock.real()
  await souk.context.sql`
    insert into error_recordings
    values (${recordingId}, ${app.appid}, ${uid}, '', ${newId()}, ${newId()}, 9, ${gzipSync('recording')}, ${ctime})`
  expect((await users('POST', `/${uid}/export`)).body).toMatchObject({
    user: { uid, nickName: 'Layla Haddad', phone: '500718294', email: 'laylahaddad@mail.example' },
    consents: [{ appid: app.appid, scopes: ['user.email'] }],
    openIds: [{ appid: app.appid, openId }],
    unionIds: [{ unionId: expect.stringMatching(/^[0-9a-f]{32}$/) }],
    notifications: [{ title: 'Tea', text: 'Your tea is ready.' }],
    trades: [{ tradeNo, outTradeNo: `order-${uid}`, amount: 1250, currency: 'SAR' }],
    recordings: [{ appid: app.appid, ctime, gzip: gzipSync('recording').toString('base64') }],
  })

  const erased = await users('POST', `/${uid}/erase`)
  expect(erased.body).toEqual({
    uid,
    nickName: '–',
    avatar: expect.stringMatching(/\/files\/avatars\/2013\.svg$/),
    email: null,
    country: null,
    phone: null,
    locale: null,
    issuer: null,
    subject: null,
    state: 'erased',
    ctime: expect.any(Number),
  })
  expect((await me(session)).status).toBe(401)
  expect((await info()).code).toBe('access_token_invalid')
  expect((await notify()).code).toBe('recipients_unknown')
  expect((await souk.console('GET', `/console/v1/trades/${tradeNo}`)).body.trade).toMatchObject({
    openId,
    amount: 1250,
  })
  const listed = (await souk.console('GET', '/console/v1/sandbox/users')).body.items
  expect(listed.map((user: { uid: number }) => user.uid)).not.toContain(uid)
  expect((await users('POST', `/${uid}/enable`)).body.code).toBe('user_erased')
  expect((await users('POST', `/${uid}/erase`)).status).toBe(200)
  const [row] = await souk.context.sql<[{ row: string }]>`select u::text as row from users u where uid = ${uid}`
  for (const part of ['Layla', 'mail.example', '500718294']) expect(row.row).not.toContain(part)
  const download = await souk.console('GET', `/console/v1/apps/${app.appid}/analytics/recordings/${recordingId}`)
  expect(download.body.code).toBe('error_recording_not_found')
})

test('notifications whose only recipient is erased are deleted', async () => {
  const [erased, other] = [await newUser('Huda'), await newUser('Rami')]
  const { openId } = await useApp(erased)
  const openIds = [openId, (await useApp(other)).openId]
  const notify = (title: string, recipients: string[]) =>
    souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
      openIds: recipients.join(),
      title,
      text: title,
      navigateType: '2',
      url: 'https://shop.example/orders',
      language: 'en_US',
      notifyType: 1,
    })
  for (const [title, recipients] of [
    ['Huda, your order is ready', [openId]],
    ['Closed tomorrow', openIds],
    ['Rami, your order is ready', openIds.slice(1)],
  ] as const) {
    expect((await notify(title, [...recipients])).http).toBe(200)
  }
  expect((await users('POST', `/${erased}/erase`)).status).toBe(200)
  const rows = await souk.context.sql<{ title: string }[]>`
    select title from notifications where appid = ${app.appid} and navigate_type = '2' order by notification_id`
  expect(rows.map(({ title }) => title)).toEqual(['Closed tomorrow', 'Rami, your order is ready'])
})

test('every table that names a user is either erased or kept on purpose', async () => {
  const rows = await souk.context.sql<{ name: string }[]>`
    select distinct relname as name from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attname in ('uid', 'payer') and relname <> 'users' order by 1`
  const erased = [
    'activities',
    'app_testers',
    'canary_users',
    'consents',
    'error_recordings',
    'feedback',
    'host_refresh_tokens',
    'host_sessions',
    'inbox',
    'inspections',
    'login_codes',
    'message_counts',
    'message_levels',
    'user_attributes',
  ]
  // Pseudonyms, and what they have paid.
  const kept = ['all_trades', 'open_ids', 'refunds', 'union_ids']
  expect(rows.map(({ name }) => name)).toEqual([...erased, ...kept].sort())
})
