import assert from 'node:assert/strict'
import { accepted, type Check, optional, parameterChecks, rejected, required, topic } from '../check.ts'
import { type MiniApp, unique } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import type { Parameters } from '../wire.ts'

const check = topic('activity')

/** Returns the parameters of a valid activity message, with changes. */
export function activity(app: MiniApp, changes: Parameters = {}): Parameters {
  return {
    activityId: unique(),
    openIds: [app.user.openId],
    color: 'FF8800',
    templateId: '1',
    title: 'Table booked',
    text: 'Today at eight.',
    iconUrl: 'https://cdn.example.com/icon.png',
    path: 'pages/index/index',
    status: 1,
    validityTime: 3600,
    language: 'en_US',
    ...changes,
  }
}

const home = async (app: MiniApp, uid = app.user.uid) =>
  (await app.context.sandbox.home(uid)).filter((item) => item.appid === app.appid)

/** Literal values of published examples, and what their errors say. */
const literalExamples: [parameter: string, value: string, message: string][] = [
  ['iconUrl', 'http:xx.com/xxx.png', 'iconUrl must be an absolute URL that starts with http:// or https://'],
  ['path', 'pages/webview/webview?src=www.google.com', 'with a URL that starts with http:// or https://'],
]

/** Sending activity messages (open-api §4.3). */
export const activities: Check[] = [
  ...parameterChecks('sendActivity', activity, [
    required('activityId'),
    accepted('activityId', 'x'.repeat(64), 'a.b/c d'),
    rejected('activityId', ['x'.repeat(65)]),
    required('openIds'),
    required('color'),
    accepted('color', '000000', 'abcdef', 'ABCDEF'),
    rejected('color', ['#FF8800', 'FFF', 'FF880', 'FF88000', 'GG0000', 'red']),
    required('templateId'),
    accepted('templateId', 'x'.repeat(64)),
    rejected('templateId', ['x'.repeat(65)]),
    required('title'),
    accepted('title', 'x'.repeat(128), 'حجز'),
    rejected('title', ['x'.repeat(129)]),
    required('text'),
    accepted('text', 'x'.repeat(512), '今晚八点 😀'),
    rejected('text', ['x'.repeat(513)]),
    required('iconUrl'),
    accepted('iconUrl', 'http://cdn.example.com/icon.png', 'https://cdn.example.com/i?size=2'),
    rejected('iconUrl', [
      'icon.png',
      '/icon.png',
      'javascript:alert(1)',
      `https://cdn.example.com/${'x'.repeat(1024)}`,
    ]),
    optional('path'),
    accepted(
      'path',
      'pages/order/detail?id=1',
      '/pages/order/detail?id=1',
      'pages/webview/webview?src=https://example.com/a?b=1&c=2',
      'pages/webview/webview?src=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc',
    ),
    rejected('path', [
      'https://example.com',
      'javascript:alert(1)',
      'pages/webview/webview?src=javascript:alert(1)',
      'x'.repeat(2049),
    ]),
    required('status'),
    accepted('status', 0, 1),
    rejected('status', [2, -1, 'true', 'show', '1.0']),
    required('validityTime'),
    accepted('validityTime', 1, 31_536_000),
    rejected('validityTime', [0, -1, '1.5', 'hour', 31_536_001]),
    required('language'),
    accepted('language', 'zh_CN', 'en_US', 'ar_SA', 'fr_FR', 'en', 'zh-Hant-TW'),
    rejected('language', ['e', 'english language', '_US', 'zh_CN,en_US']),
  ]),
  check('response', '4.3', 'the response is true', async (context) => {
    const app = await context.app()
    assert.equal(expectSuccess(await app.call('sendActivity', activity(app))), true)
  }),
  check('home', '4.3', 'messages are on the home page, newest first, with their values unchanged', async (context) => {
    const app = await context.newApp()
    const first = activity(app, { title: 'حجز', text: '今晚 😀', language: 'ar_SA' })
    const second = activity(app, { path: undefined })
    for (const parameters of [first, second]) expectSuccess(await app.call('sendActivity', parameters))
    const items = await home(app)
    assert.deepEqual(
      items.map(({ activityId }) => activityId),
      [second.activityId, first.activityId],
    )
    const { openIds: _openIds, status: _status, validityTime: _validityTime, ...visible } = first
    for (const [name, value] of Object.entries(visible)) assert.equal(items[1]?.[name as 'title'], value, name)
    assert.equal(items[0]?.path, null)
  }),
  check('icon-path', '4.3', 'iconPath is an alias of iconUrl; both may be sent if they are equal', async (context) => {
    const app = await context.newApp()
    const icon = 'https://cdn.example.com/other.png'
    expectSuccess(await app.call('sendActivity', activity(app, { iconUrl: undefined, iconPath: icon })))
    assert.equal((await home(app))[0]?.iconUrl, icon)
    expectSuccess(await app.call('sendActivity', activity(app, { iconUrl: icon, iconPath: icon })))
    expectError(await app.call('sendActivity', activity(app, { iconPath: icon })), {
      status: 400,
      code: 'parameter_repeated',
      message: /^(?=.*iconPath).*iconUrl/,
    })
    const missing = { status: 400, code: 'parameter_missing', message: 'iconUrl' }
    expectError(await app.call('sendActivity', activity(app, { iconUrl: undefined, iconPath: '' })), missing)
  }),
  check(
    'published-example',
    '4.3',
    'the published example sends iconPath, and navigateType without effect',
    async (context) => {
      const app = await context.newApp()
      const { iconUrl, ...rest } = activity(app)
      expectSuccess(await app.call('sendActivity', { ...rest, iconPath: iconUrl, navigateType: '1' }))
      assert.equal((await home(app))[0]?.iconUrl, iconUrl)
    },
  ),
  ...literalExamples.map(([parameter, value, message]) =>
    check(
      `published-${parameter}`,
      '4.3',
      `the error of the published ${parameter} says what to change`,
      async (context) => {
        const app = await context.app()
        const reply = await app.call('sendActivity', activity(app, { [parameter]: value }))
        expectError(reply, { status: 400, code: 'parameter_invalid', message })
      },
    ),
  ),
  check('replace', '4.3', 'the same activityId replaces the message', async (context) => {
    const app = await context.newApp()
    const parameters = activity(app)
    expectSuccess(await app.call('sendActivity', parameters))
    expectSuccess(await app.call('sendActivity', { ...parameters, title: 'Table moved', color: '00ff00' }))
    const items = await home(app)
    assert.equal(items.length, 1)
    assert.deepEqual([items[0]?.title, items[0]?.color], ['Table moved', '00ff00'])
  }),
  check('replace-per-user', '4.3', 'replacing and removing affects only the listed users', async (context) => {
    const app = await context.newApp()
    const other = await app.newUser()
    const both = activity(app, { openIds: [app.user.openId, other.openId] })
    expectSuccess(await app.call('sendActivity', both))
    expectSuccess(await app.call('sendActivity', { ...both, openIds: [other.openId], title: 'For you' }))
    assert.equal((await home(app))[0]?.title, 'Table booked')
    assert.equal((await home(app, other.uid))[0]?.title, 'For you')
    expectSuccess(await app.call('sendActivity', { ...both, openIds: [other.openId], status: 0 }))
    assert.equal((await home(app)).length, 1)
    assert.equal((await home(app, other.uid)).length, 0)
  }),
  check('per-app', '4.3', 'two mini apps can use the same activityId', async (context) => {
    const [app, other] = [await context.newApp(), await context.newApp()]
    const sameUser = await other.login(app.user.uid)
    const parameters = activity(app)
    expectSuccess(await app.call('sendActivity', parameters))
    expectSuccess(await other.call('sendActivity', { ...parameters, openIds: [sameUser.openId], status: 0 }))
    assert.equal((await home(app)).length, 1)
  }),
  check('remove-at-once', '4.3', 'a message can be removed with validityTime 0', async (context) => {
    const app = await context.app()
    expectSuccess(await app.call('sendActivity', activity(app, { status: 0, validityTime: 0 })))
  }),
  check('remove', '4.3', 'status 0 removes the message; removing a missing message succeeds', async (context) => {
    const app = await context.newApp()
    const parameters = activity(app)
    expectSuccess(await app.call('sendActivity', parameters))
    for (let time = 0; time < 2; time++) {
      assert.equal(expectSuccess(await app.call('sendActivity', { ...parameters, status: 0 })), true)
      assert.deepEqual(await home(app), [])
    }
    assert.equal(expectSuccess(await app.call('sendActivity', activity(app, { status: 0 }))), true)
    expectSuccess(await app.call('sendActivity', parameters))
    assert.equal((await home(app)).length, 1)
  }),
  check(
    'validity',
    '4.3',
    'a message disappears after validityTime; sending it again restarts the period',
    async (context) => {
      const app = await context.newApp()
      const [short, renewed] = [activity(app, { validityTime: 60 }), activity(app, { validityTime: 60 })]
      for (const parameters of [short, renewed]) expectSuccess(await app.call('sendActivity', parameters))
      await context.sandbox.forward(50_000)
      assert.equal((await home(app)).length, 2)
      expectSuccess(await app.call('sendActivity', renewed))
      await context.sandbox.forward(11_000)
      assert.deepEqual(
        (await home(app)).map(({ activityId }) => activityId),
        [renewed.activityId],
      )
      await context.sandbox.forward(50_000)
      assert.deepEqual(await home(app), [])
    },
  ),
  check('several', '4.3', 'each recipient gets the message once; unknown openIds are skipped', async (context) => {
    const [app, otherApp] = [await context.newApp(), await context.newApp()]
    const other = await app.newUser()
    const openIds = [app.user.openId, other.openId, app.user.openId, 'f'.repeat(32), otherApp.user.openId]
    expectSuccess(await app.call('sendActivity', activity(app, { openIds })))
    for (const { uid } of [app.user, other]) assert.equal((await home(app, uid)).length, 1)
    assert.deepEqual(await context.sandbox.home(otherApp.user.uid), [])
  }),
  check('no-known-recipient', '4.3', 'a request without any known openId is rejected', async (context) => {
    const app = await context.app()
    const reply = await app.call('sendActivity', activity(app, { openIds: ['f'.repeat(32)] }))
    expectError(reply, { status: 400, code: 'recipients_unknown' })
  }),
]
