import assert from 'node:assert/strict'
import { type Check, optional, refusedValues, required, rows, taken, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { refused, succeeded } from '../expect.ts'
import type { InboxItem } from '../sandbox.ts'
import type { Parameters } from '../wire.ts'

const check = topic('notification')

/** Parameters of a notification that is fine, with changes. */
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

const newest = async (app: MiniApp, uid = app.user.uid): Promise<InboxItem | undefined> =>
  (await app.context.sandbox.inbox(uid)).find((item) => item.appid === app.appid)

/** Open-api §4.3: send notification. */
export const notifications: Check[] = [
  ...rows('sendNotify', '4.3', notification, [
    required('notifyType'),
    refusedValues('notifyType', [0, 2, -1, 'text', '1.0']),
    required('openIds'),
    required('title'),
    taken('title', 'x'.repeat(128), 'طلبك جاهز'),
    refusedValues('title', ['x'.repeat(129)]),
    required('text'),
    taken('text', 'x'.repeat(2048), '您的订单已准备好 😀'),
    refusedValues('text', ['x'.repeat(2049)]),
    required('navigateType'),
    refusedValues('navigateType', ['0', '3', 'url', 'mini app']),
    optional('url'),
    refusedValues('url', ['x'.repeat(2049)]),
    optional('link'),
    taken('link', 'pages/order/detail?id=1'),
    refusedValues('link', ['x'.repeat(1025), '/pages/a', '../../x', 'https://example.com', 'javascript:alert(1)']),
    required('language'),
    taken('language', 'zh_CN', 'en_US', 'ar_SA'),
    refusedValues('language', ['fr_FR', 'en', 'en-US', 'EN_US', 'zh_CN,en_US']),
  ]),
  ...rows(
    'sendNotify',
    '4.3',
    (app) => notification(app, { navigateType: '2', url: 'https://example.com/a?b=c', link: undefined }),
    [
      taken('navigateType', '2'),
      required('url'),
      taken('url', 'https://example.com', 'http://example.com/a#b'),
      refusedValues('url', ['example.com', '/path', 'javascript:alert(1)', 'ftp://example.com']),
    ],
  ).map((each) => ({ ...each, id: `${each.id}-navigateType-2` })),
  check('response', '4.3', 'the answer is true', async (context) => {
    const app = await context.app()
    assert.equal(succeeded(await app.call('sendNotify', notification(app))), true)
  }),
  check('inbox', '4.3', 'the user sees it: newest first, with every value as it was sent', async (context) => {
    const app = await context.newApp()
    succeeded(await app.call('sendNotify', notification(app)))
    const second = {
      title: 'طلب',
      text: '订单 😀 & more',
      navigateType: '2',
      url: 'https://example.com/a?b=c&d=%20',
      link: undefined,
    }
    succeeded(await app.call('sendNotify', notification(app, { ...second, language: 'ar_SA' })))
    const items = await context.sandbox.inbox(app.user.uid)
    assert.deepEqual(
      items.map(({ title }) => title),
      ['طلب', 'Order ready'],
    )
    const [latest, first] = items
    assert.deepEqual(
      [latest?.appid, latest?.text, latest?.navigateType, latest?.url, latest?.link, latest?.language],
      [app.appid, second.text, '2', second.url, null, 'ar_SA'],
    )
    assert.deepEqual([first?.navigateType, first?.url, first?.link], ['1', null, 'pages/index/index'])
  }),
  check('several', '4.3', 'every user named gets it once, however often named', async (context) => {
    const app = await context.newApp()
    const other = await app.newUser()
    const openIds = [app.user.openId, other.openId, app.user.openId]
    succeeded(await app.call('sendNotify', notification(app, { openIds })))
    for (const { uid } of [app.user, other]) assert.equal((await context.sandbox.inbox(uid)).length, 1)
  }),
  check(
    'unknown-skipped',
    '4.3',
    'unknown openIds, and those of another mini app, are passed over',
    async (context) => {
      const [app, other] = [await context.newApp(), await context.newApp()]
      const openIds = ['f'.repeat(32), other.user.openId, app.user.openId]
      succeeded(await app.call('sendNotify', notification(app, { openIds })))
      assert.ok(await newest(app))
      assert.deepEqual(await context.sandbox.inbox(other.user.uid), [])
    },
  ),
  check('nobody', '4.3', 'when none of the openIds is known, the request is refused', async (context) => {
    const [app, other] = [await context.app(), await context.newApp()]
    for (const openIds of [['f'.repeat(32)], [other.user.openId]]) {
      refused(await app.call('sendNotify', notification(app, { openIds })), { status: 400, code: 'recipients_unknown' })
    }
  }),
  check('500', '4.3', '500 openIds are taken, 501 are refused', async (context) => {
    const app = await context.app()
    const strangers = (count: number) =>
      Array.from({ length: count }, (_, index) => index.toString(16).padStart(32, '0'))
    succeeded(await app.call('sendNotify', notification(app, { openIds: [app.user.openId, ...strangers(499)] })))
    const reply = await app.call('sendNotify', notification(app, { openIds: [app.user.openId, ...strangers(500)] }))
    refused(reply, { status: 400, code: 'parameter_invalid', says: 'openIds' })
  }),
  check('501-copies', '4.3', 'an openId counts once, however often it is named', async (context) => {
    const app = await context.app()
    succeeded(await app.call('sendNotify', notification(app, { openIds: Array(501).fill(app.user.openId) })))
  }),
  check('items', '4.1', 'an empty item in the list is refused, and one with white space around it', async (context) => {
    const app = await context.app()
    const { openId } = app.user
    for (const openIds of [`${openId},`, `,${openId}`, ',', `${openId}, ${openId}`, ` ${openId}`, `${openId} `]) {
      const reply = await app.call('sendNotify', notification(app, { openIds }))
      refused(reply, { status: 400, code: 'parameter_invalid', says: 'openIds' })
    }
  }),
  check(
    'replay',
    '4.1',
    'the same request again, at once or five at a time, is answered alike and sends nothing',
    async (context) => {
      const app = await context.newApp()
      const pairs = app.sign(notification(app))
      assert.equal(succeeded(await app.send('sendNotify', pairs)), true)
      const replies = await Promise.all(Array.from({ length: 5 }, () => app.send('sendNotify', pairs)))
      for (const reply of replies) assert.equal(succeeded(reply), true)
      assert.equal((await context.sandbox.inbox(app.user.uid)).length, 1)
    },
  ),
  check('same-content', '4.3', 'the same notification with a new timestamp is another one', async (context) => {
    const app = await context.newApp()
    const now = Date.now()
    for (const timestamp of [now, now + 1]) succeeded(await app.call('sendNotify', notification(app, { timestamp })))
    assert.equal((await context.sandbox.inbox(app.user.uid)).length, 2)
  }),
]
