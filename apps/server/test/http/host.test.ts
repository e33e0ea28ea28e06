import { gzipSync } from 'node:zlib'
import { hostOperations, hour, minute, type Operation, operations } from '@souk/contract'
import { recordingLine, recordingVersion } from '@souk/contract/recording'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uploadRelease } from '../../src/domain/miniApps/index.ts'
import { createUser, signIn } from '../../src/domain/users/index.ts'
import { archiveOf, build } from '../archive.ts'
import { exampleInput, placeInput } from '../exampleInput.ts'
import { type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let app: { appid: string; secret: string }
let uid: number
let session: string

beforeAll(async () => {
  souk = await startTestSouk()
  app = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House' })).body
  const user = { nickname: 'Layla', country: '+966', phone: '500718294', email: 'layla@example.com' }
  uid = (await souk.console('POST', '/console/v1/sandbox/users', user)).body.uid
  session = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session
})
afterAll(() => souk.stop())

const host = (method: string, path: string, input?: unknown): Promise<JsonAnswer> =>
  souk.json(session, method, `/host/v1${path}`, input)

async function openIdFor(scope: string, path: 'login' | 'auth-code', as = session): Promise<Record<string, unknown>> {
  const input = path === 'login' ? {} : { scope, consent: true }
  const { body } = await souk.json(as, 'POST', `/host/v1/apps/${app.appid}/${path}`, input)
  const token = await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
    code: body.code,
    grantType: 'authorization_code',
    scope,
  })
  const answer = await souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${token.response.accessToken}`)
  return answer.response
}

async function newTrade(outTradeNo: string, amount = 1250): Promise<string> {
  const { openId } = await openIdFor('user.info', 'login')
  const answer = await souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
    outTradeNo,
    amount,
    currency: 'SAR',
    notifyUrl: 'http://127.0.0.1:9/paid',
    openId: String(openId),
  })
  return answer.response.tradeNo
}

test('refuses everything except sign-in without a session', async () => {
  for (const token of ['', 'souk_host_guessed']) {
    expect(await souk.json(token, 'GET', '/host/v1/me')).toMatchObject({
      status: 401,
      body: { code: 'session_invalid' },
    })
  }
  expect((await souk.json('', 'GET', '/host/v1/sandbox/users')).body).toContainEqual({
    uid,
    nickName: 'Layla',
    avatar: 'http://souk.test/files/avatars/4c.svg',
  })
  expect((await souk.json('', 'POST', '/host/v1/sessions', { uid: 999_999 })).body.code).toBe('user_not_found')
})

test('returns errors as problem details with the request id', async () => {
  const { body, headers, status } = await host('GET', '/trades/nonsense')
  expect(headers.get('Content-Type')).toMatch(/^application\/problem\+json/)
  expect(body).toMatchObject({ type: 'urn:souk:error:parameter_invalid', status, code: 'parameter_invalid' })
  expect(body.requestId).toBe(headers.get('X-Request-Id'))
  expect((await host('POST', '/sessions', 'text')).body.code).toBe('parameter_malformed')
  const nul = await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'a\0b' })
  expect(nul.body.code).toBe('parameter_control_character')
})

test('login needs no prompt; e-mail address and phone number require consent', async () => {
  expect(await openIdFor('user.info', 'login')).toMatchObject({
    nickName: 'Layla',
    email: null,
    phone: null,
  })
  expect((await host('POST', `/apps/${app.appid}/auth-code`, { scope: 'user.phone', consent: false })).body.code).toBe(
    'consent_refused',
  )
  expect((await host('GET', `/apps/${app.appid}/consent`)).body).toMatchObject({ name: 'Tea House', scopes: [] })
  expect(await openIdFor('user.info,user.phone', 'auth-code')).toMatchObject({
    email: 'layla@example.com',
    country: '+966',
    phone: '500718294',
  })
  const scopes = ['user.info', 'user.phone', 'user.email']
  expect((await host('GET', '/consents')).body).toEqual([
    { appid: app.appid, name: 'Tea House', iconUrl: null, scopes },
  ])
  await host('DELETE', `/apps/${app.appid}/consent`)
  expect((await host('GET', '/consents')).body).toMatchObject([{ appid: app.appid, scopes: [] }])
})

test('the notice of a mini app is dismissed once', async () => {
  const notice = async () => (await host('GET', `/apps/${app.appid}/consent`)).body.noticeDismissed
  expect(await notice()).toBe(false)
  expect((await host('POST', `/apps/${app.appid}/notice`, {})).body).toBe(true)
  expect(await notice()).toBe(true)
})

test('serves the picture of a user without one as an image that runs nothing', async () => {
  const { avatar } = (await host('GET', '/me')).body
  const answer = await fetch(`${souk.url}${new URL(avatar).pathname}`)
  expect(answer.headers.get('Content-Type')).toBe('image/svg+xml')
  expect(answer.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
  expect(await answer.text()).toMatch(/^<svg .*>&#76;<\/text><\/svg>$/)
  expect((await fetch(`${souk.url}/files/avatars/zz.svg`)).status).toBe(404)
})

test('the cashier shows a trade to its payer only, refuses differing display fields, and pays it', async () => {
  const tradeNo = await newTrade('cashier-1')
  const stranger = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Sam' })).body.uid
  const other = (await souk.json('', 'POST', '/host/v1/sessions', { uid: stranger })).body.session
  expect((await souk.json(other, 'GET', `/host/v1/trades/${tradeNo}`)).body.code).toBe('trade_not_found')
  expect((await host('GET', `/trades/${tradeNo}`)).body).toMatchObject({
    amountStrWithYuan: '12.50',
    transactionStatus: 1,
  })
  const wrong = { payMethod: 'card', amount: '1.25', currency: 'SAR' }
  expect((await host('POST', `/trades/${tradeNo}/payments`, wrong)).body.code).toBe('payment_mismatch')
  const right = { payMethod: 'card', amount: '12.50', currency: 'SAR', outcome: 'challenge' }
  const started = await host('POST', `/trades/${tradeNo}/payments`, right)
  expect(started.body).toMatchObject({ status: 0, challenge: { payNo: expect.any(String) } })
  expect((await host('POST', `/trades/${tradeNo}/payments`, right)).body).toEqual({ status: 1, failCode: 23 })
  expect((await host('POST', `/trades/${tradeNo}/challenge`, { passed: true })).body).toEqual({ status: 2 })
  expect((await host('GET', `/trades/${tradeNo}/result`)).body).toEqual({ status: 2 })
  expect((await host('POST', `/trades/${tradeNo}/payments`, { payMethod: 'card' })).body).toEqual({
    status: 1,
    failCode: 20,
  })
})

test('the payer can cancel a trade', async () => {
  const tradeNo = await newTrade('cashier-2')
  expect((await host('POST', `/trades/${tradeNo}/cancel`, {})).body).toEqual({ status: 0 })
  expect((await host('GET', `/trades/${tradeNo}`)).body.transactionStatus).toBe(5)
})

test('streams notifications, activity messages and payment results to their user only', async () => {
  let liveTrade: string | undefined
  const { openId } = await openIdFor('user.info', 'login')
  const stream = await fetch(`${souk.url}/host/v1/events`, { headers: { Authorization: `Bearer ${session}` } })
  const stranger = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })).body.uid
  const otherSession = (await souk.json('', 'POST', '/host/v1/sessions', { uid: stranger })).body.session
  const other = await openIdFor('user.info', 'login', otherSession)
  const elsewhere = readEvents(
    await fetch(`${souk.url}/host/v1/events`, { headers: { Authorization: `Bearer ${otherSession}` } }),
    ({ event }) => event !== 'clock',
  )
  // Events of previous tests may still arrive.
  const heard = readEvents(
    stream,
    ({ event, data }) => event !== 'clock' && (event !== 'trade' || data.id === liveTrade),
  )
  const message = { openIds: String(openId), title: 'Ready', text: 'Your tea is ready', language: 'en_US' }
  await souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
    ...message,
    notifyType: 1,
    navigateType: '1',
    link: 'pages/index/index',
  })
  expect(await heard.next()).toMatchObject({ value: { event: 'notification' } })
  expect((await host('GET', '/inbox')).body[0]).toMatchObject({ title: 'Ready', appName: 'Tea House', read: false })
  await host('POST', `/inbox/${(await host('GET', '/inbox')).body[0].notificationId}/read`, {})
  expect((await host('GET', '/inbox')).body[0].read).toBe(true)

  const activity = {
    activityId: 'order-1',
    color: '1A2B3C',
    templateId: 't',
    iconUrl: 'https://tea.example/i.png',
    status: 1,
    validityTime: 60,
  }
  await souk.signed(app, 'POST', '/neuopenapi/activity/sendActivity', { ...message, ...activity })
  expect(await heard.next()).toMatchObject({ value: { event: 'activity' } })
  expect((await host('GET', '/home')).body).toMatchObject([{ activityId: 'order-1', title: 'Ready' }])
  souk.clock.offset = 61_000
  expect((await host('GET', '/home')).body).toEqual([])
  souk.clock.offset = 0

  liveTrade = await newTrade('live-1')
  await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo: liveTrade, uid, outcome: 'succeeded' })
  expect(await heard.next()).toMatchObject({ value: { event: 'trade', data: { id: liveTrade } } })

  // The other user receives none of this: its first event is its own.
  await souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
    ...message,
    openIds: String(other.openId),
    notifyType: 1,
    navigateType: '1',
  })
  const own = await elsewhere.next()
  const [item] = (await souk.json(otherSession, 'GET', '/host/v1/inbox')).body
  expect(own.value).toMatchObject({ event: 'notification', data: { id: item.notificationId } })
  await heard.return(undefined)
  await elsewhere.return(undefined)
})

test('after a lost connection to the database streams ask to read again, and nothing outdated is cached', async () => {
  const heard = readEvents(
    await fetch(`${souk.url}/host/v1/events`, { headers: { Authorization: `Bearer ${session}` } }),
    ({ event }) => event === 'resync',
  )
  const forwarded = readEvents(
    await fetch(`${souk.url}/console/v1/listen`, { headers: { Authorization: `Bearer ${souk.adminToken}` } }),
    ({ event }) => event === 'resync',
  )
  const { sql, apps } = souk.context
  expect((await apps.find(app.appid))?.enabled).toBe(true)
  // A change whose announcement is lost.
  await sql`update apps set enabled = false where appid = ${app.appid}`
  // The connection that listens; its heartbeat is an empty select.
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ~* '^(listen |select$)'`
  expect(await heard.next()).toMatchObject({ value: { event: 'resync', data: {} } })
  expect(await forwarded.next()).toMatchObject({ value: { event: 'resync', data: {} } })
  expect((await apps.find(app.appid))?.enabled).toBe(false)
  await sql`update apps set enabled = true where appid = ${app.appid}`
  apps.forgetAll()
  await heard.return(undefined)
  await forwarded.return(undefined)
})

test('the stream starts with the clock, and repeats it when the clock is moved', async () => {
  const heard = readEvents(
    await fetch(`${souk.url}/host/v1/events`, { headers: { Authorization: `Bearer ${session}` } }),
    ({ event }) => event === 'clock',
  )
  const { now } = (await heard.next()).value!.data
  expect(Math.abs(now! - Date.now())).toBeLessThan(minute)
  await souk.console('POST', '/console/v1/sandbox/clock', { forward: hour })
  const moved = (await heard.next()).value!.data.now!
  expect(moved - now!).toBeGreaterThanOrEqual(hour)
  await souk.console('POST', '/console/v1/sandbox/clock', { reset: true })
  expect((await heard.next()).value!.data.now).toBeLessThan(moved)
  await heard.return(undefined)
})

test('signing out ends the session', async () => {
  const again = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session
  expect((await souk.json(again, 'DELETE', '/host/v1/sessions')).body).toEqual({ signOutUrl: null })
  expect((await souk.json(again, 'GET', '/host/v1/me')).status).toBe(401)
})

test('a live installation rejects every operation that is declared for sandboxes only', async () => {
  const live = await startTestSouk({ sandbox: false })
  try {
    const { uid } = await createUser(live.context, { kind: 'admin' }, { nickname: 'Layla' })
    const { session } = await signIn(live.context, { kind: 'anyone' }, { uid })
    const sandboxOnly = operations.filter((operation) => operation.sandboxOnly)
    expect(sandboxOnly.length).toBeGreaterThan(10)
    for (const { id, surface, method, path } of sandboxOnly) {
      const url = path.replace(/\{\w+\}/g, '1')
      const token = surface === 'host' ? session : live.adminToken
      const { status, body } = await live.json(token, method, url, method === 'GET' ? undefined : {})
      expect({ id, status, code: body.code }).toEqual({ id, status: 403, code: 'sandbox_only' })
    }
  } finally {
    await live.stop()
  }
})

test('all of the console surface requires the admin token or a session', async () => {
  for (const token of ['', 'souk_admin_guess', session]) {
    expect((await souk.json(token, 'GET', '/console/v1/apps')).body.code).toBe('admin_token_invalid')
  }
})

interface Event {
  event: string
  data: { id?: string; now?: number }
}

/** Yields the wanted server-sent events as they arrive. */
async function* readEvents(
  answer: Response,
  wanted: (event: Event) => boolean,
): AsyncGenerator<Event, void, undefined> {
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (event && data && wanted({ event, data: JSON.parse(data) })) yield { event, data: JSON.parse(data) }
    }
  }
}

test('a card needs neither a page nor a picture nor data', async () => {
  const other = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Omar' })).body.uid
  const card = { title: 'Mint tea', path: '', imageUrl: '', extraData: '' }
  await host('POST', '/sandbox/cards', { uid: other, appid: app.appid, ...card })
  expect((await host('GET', `/sandbox/cards?uid=${other}`)).body).toMatchObject([card])
})

describe('texts that the database cannot store', () => {
  /** Returns the places of texts in a schema that can be anything, as steps from field to field; 0 of a list. */
  function freeTexts(schema: TSchema, at: (string | 0)[] = []): (string | 0)[][] {
    const { type, pattern, enum: values, properties = {}, items, anyOf = [], patternProperties = {} } = schema as never
    if (type === 'string') return pattern === undefined && values === undefined ? [at] : []
    return [
      ...Object.entries<TSchema>(properties).flatMap(([name, each]) => freeTexts(each, [...at, name])),
      ...Object.values<TSchema>(patternProperties).flatMap((each) => freeTexts(each, [...at, 'name'])),
      ...(anyOf as TSchema[]).flatMap((each) => freeTexts(each, at)),
      ...(items === undefined ? [] : freeTexts(items, [...at, 0])),
    ]
  }

  /** Returns a copy of a value with a text at a place. */
  function withText(value: unknown, [step, ...rest]: (string | 0)[], text: string): unknown {
    if (step === undefined) return text
    if (step === 0) return [withText((value as unknown[] | undefined)?.[0], rest, text)]
    return {
      ...(value as object),
      [step]: withText((value as Record<string, unknown> | undefined)?.[step], rest, text),
    }
  }

  const uploads = Object.values<Operation>(hostOperations).filter((each) => each.method === 'POST')
  const places = uploads.flatMap((operation) =>
    freeTexts(operation.parameters).map((place) => ({ operation, place, name: `${operation.id} ${place.join('.')}` })),
  )

  test('are refused where the host or a program makes the text', () => {
    const refusing = places.filter(({ operation }) => !operation.repairsText).map(({ operation }) => operation.id)
    expect([...new Set(refusing)].toSorted()).toEqual([
      // Codes and tokens, which must be the same to the letter.
      'answerInspection',
      'backChannelLogout',
      'completeSignIn',
      'exchangeToken',
      // JSON of the host, which escapes them.
      'reportToInspection',
      'revokeToken',
      'showInspection',
      'startPayment',
    ])
  })

  let releaseId: string
  beforeAll(async () => {
    const release = { appid: app.appid, version: '1.0.0', archive: await archiveOf(build('Mini App')) }
    releaseId = (await uploadRelease(souk.context, { kind: 'admin' }, release)).releaseId
    await souk.context.sql`insert into app_testers values (${app.appid}, ${uid})`
  })

  test.each(places.filter(({ operation }) => operation.repairsText))('are repaired in $name', async (given) => {
    const { operation, place } = given
    const request = { method: 'GET', address: 'api.example', status: 500 }
    const events = [{ kind: 'error', age: 0, message: 'a', request, custom: { name: 'order' } }]
    const header = recordingLine({ souk: 'recording', version: recordingVersion, appid: app.appid, time: 0 })
    const examples: Record<string, object> = {
      recordEvents: { events },
      sendErrorRecording: { recording: gzipSync(header).toString('base64') },
    }
    const input = { ...exampleInput(operation, { ...app, uid, releaseId }), ...examples[operation.id] }
    for (const text of ['a\0b', 'a\ud800', '\udc00b']) {
      const { target, body } = placeInput(operation, withText(input, place, text) as Record<string, unknown>)
      const answer = await souk.json(session, operation.method, target, body)
      // None of them is the address of a picture.
      if (place[0] === 'imageUrl') expect(answer.body.code).toBe('parameter_invalid')
      else expect(answer).toMatchObject({ status: 200 })
    }
  })

  test('are replaced by U+FFFD', async () => {
    const text = 'tea \0 \ud83c'
    await host('POST', `/apps/${app.appid}/feedback`, { kind: 'idea', text })
    expect((await host('GET', '/feedback')).body.items[0].text).toBe('tea \ufffd \ufffd')
  })

  test('are refused in names, two of which could become the same', async () => {
    const custom = { name: 'order', fields: { 'size\0': 1, 'size\ufffd': 2 } }
    const events = { releaseId, events: [{ kind: 'custom', age: 0, custom }] }
    const answer = await host('POST', `/apps/${app.appid}/analytics`, events)
    expect(answer).toMatchObject({ status: 400, body: { code: 'parameter_control_character' } })
  })
})
