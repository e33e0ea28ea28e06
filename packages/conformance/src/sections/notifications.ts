import assert from 'node:assert/strict'
import { accepted, type Check, optional, parameterChecks, rejected, required, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { expectError, expectSuccess } from '../expect.ts'
import type { InboxItem } from '../sandbox.ts'
import type { Parameters } from '../wire.ts'

const check = topic('notification')

/** Returns the parameters of a valid notification, with changes. */
export function notification(app: MiniApp, changes: Parameters = {}): Parameters {
  return {
    notifyType: 1,
    openIds: [app.user.openId],
    title: 'Order ready',
    text: 'Your order can be collected.',
    navigateType: '1',
    link: 'pages/index/index',
    language: 'en_US',
    ...changes,
  }
}

const newest = async (app: MiniApp): Promise<InboxItem | undefined> =>
  (await app.context.sandbox.inbox(app.user.uid)).find((item) => item.appid === app.appid)

/** Sending notifications (open-api §4.3). */
export const notifications: Check[] = [
  ...parameterChecks('sendNotify', notification, [
    required('notifyType'),
    rejected('notifyType', [0, 2, -1, 'text', '1.0']),
    required('openIds'),
    required('title'),
    accepted('title', 'x'.repeat(128), 'طلبك جاهز'),
    rejected('title', ['x'.repeat(129)]),
    required('text'),
    accepted('text', 'x'.repeat(2048), '您的订单已准备好 😀', 'Two\nlines'),
    rejected('text', ['x'.repeat(2049)]),
    required('navigateType'),
    rejected('navigateType', ['0', '3', 'url', 'mini app']),
    optional('url'),
    rejected('url', ['x'.repeat(2049)]),
    optional('link'),
    accepted('link', 'pages/order/detail?id=1', '/pages/order/detail'),
    rejected('link', ['x'.repeat(1025), '../../x', 'https://example.com', 'javascript:alert(1)']),
    required('language'),
    accepted('language', 'zh_CN', 'en_US', 'ar_SA', 'fr_FR', 'en', 'zh-Hant-TW'),
    rejected('language', ['e', 'english language', '_US', 'zh_CN,en_US']),
  ]),
  ...parameterChecks(
    'sendNotify',
    (app) => notification(app, { navigateType: '2', url: 'https://example.com/a?b=c', link: undefined }),
    [
      accepted('navigateType', '2'),
      required('url'),
      accepted('url', 'https://example.com', 'http://example.com/a#b'),
      rejected('url', ['example.com', '/path', 'javascript:alert(1)', 'ftp://example.com']),
    ],
  ).map((each) => ({ ...each, id: `${each.id}-navigateType-2` })),
  check('response', '4.3', 'the response is true', async (context) => {
    const app = await context.app()
    assert.equal(expectSuccess(await app.call('sendNotify', notification(app))), true)
  }),
  check(
    'inbox',
    '4.3',
    'notifications are in the inbox, newest first, with their values unchanged',
    async (context) => {
      const app = await context.newApp()
      expectSuccess(await app.call('sendNotify', notification(app)))
      const later = {
        title: 'طلب',
        text: '订单 😀 & more',
        navigateType: '2',
        url: 'https://example.com/a?b=c&d=%20',
        link: undefined,
      }
      expectSuccess(await app.call('sendNotify', notification(app, { ...later, language: 'ar_SA' })))
      const items = await context.sandbox.inbox(app.user.uid)
      assert.deepEqual(
        items.map(({ title }) => title),
        ['طلب', 'Order ready'],
      )
      const [latest, first] = items
      assert.deepEqual(
        [latest?.appid, latest?.text, latest?.navigateType, latest?.url, latest?.link, latest?.language],
        [app.appid, later.text, '2', later.url, null, 'ar_SA'],
      )
      assert.deepEqual([first?.navigateType, first?.url, first?.link], ['1', null, 'pages/index/index'])
    },
  ),
  check(
    'several',
    '4.3',
    'each recipient gets the notification once, even if listed several times',
    async (context) => {
      const app = await context.newApp()
      const other = await app.newUser()
      const openIds = [app.user.openId, other.openId, app.user.openId]
      expectSuccess(await app.call('sendNotify', notification(app, { openIds })))
      for (const { uid } of [app.user, other]) assert.equal((await context.sandbox.inbox(uid)).length, 1)
    },
  ),
  check('unknown-skipped', '4.3', 'unknown openIds and those of other mini apps are skipped', async (context) => {
    const [app, other] = [await context.newApp(), await context.newApp()]
    const openIds = ['f'.repeat(32), other.user.openId, app.user.openId]
    expectSuccess(await app.call('sendNotify', notification(app, { openIds })))
    assert.ok(await newest(app))
    assert.deepEqual(await context.sandbox.inbox(other.user.uid), [])
  }),
  check('no-known-recipient', '4.3', 'a request without any known openId is rejected', async (context) => {
    const [app, other] = [await context.app(), await context.newApp()]
    for (const openIds of [['f'.repeat(32)], [other.user.openId]]) {
      expectError(await app.call('sendNotify', notification(app, { openIds })), {
        status: 400,
        code: 'recipients_unknown',
      })
    }
  }),
  check('500', '4.3', '500 openIds are accepted, 501 are rejected', async (context) => {
    const app = await context.app()
    const unknownOpenIds = (count: number) =>
      Array.from({ length: count }, (_, index) => index.toString(16).padStart(32, '0'))
    expectSuccess(
      await app.call('sendNotify', notification(app, { openIds: [app.user.openId, ...unknownOpenIds(499)] })),
    )
    const reply = await app.call(
      'sendNotify',
      notification(app, { openIds: [app.user.openId, ...unknownOpenIds(500)] }),
    )
    expectError(reply, { status: 400, code: 'parameter_invalid', message: 'openIds' })
  }),
  check('501-copies', '4.3', 'a repeated openId counts once towards the limit', async (context) => {
    const app = await context.app()
    expectSuccess(await app.call('sendNotify', notification(app, { openIds: Array(501).fill(app.user.openId) })))
  }),
  check('items', '4.1', 'empty list items and items with surrounding white space are rejected', async (context) => {
    const app = await context.app()
    const { openId } = app.user
    for (const openIds of [`${openId},`, `,${openId}`, ',', `${openId}, ${openId}`, ` ${openId}`, `${openId} `]) {
      const reply = await app.call('sendNotify', notification(app, { openIds }))
      expectError(reply, { status: 400, code: 'parameter_invalid', message: 'openIds' })
    }
  }),
  check(
    'replay',
    '4.1',
    'a repeated request, also five at once, gets the same response and sends nothing',
    async (context) => {
      const app = await context.newApp()
      const pairs = app.sign(notification(app))
      assert.equal(expectSuccess(await app.send('sendNotify', pairs)), true)
      const replies = await Promise.all(Array.from({ length: 5 }, () => app.send('sendNotify', pairs)))
      for (const reply of replies) assert.equal(expectSuccess(reply), true)
      assert.equal((await context.sandbox.inbox(app.user.uid)).length, 1)
    },
  ),
  check('same-content', '4.3', 'the same notification with a new timestamp is sent again', async (context) => {
    const app = await context.newApp()
    const now = Date.now()
    for (const timestamp of [now, now + 1])
      expectSuccess(await app.call('sendNotify', notification(app, { timestamp })))
    assert.equal((await context.sandbox.inbox(app.user.uid)).length, 2)
  }),
]
