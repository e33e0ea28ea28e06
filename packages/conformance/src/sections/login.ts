import assert from 'node:assert/strict'
import { type Check, optional, refusedValues, required, rows, taken, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { hasFields, is, isHex32, isText, refused, succeeded } from '../expect.ts'
import type { Profile } from '../sandbox.ts'

const check = topic('login')
const minute = 60_000
const grantType = 'authorization_code'
const profile: Profile = {
  nickname: 'ليلى',
  country: '+966',
  phone: '512345678',
  email: 'layla@example.com',
  avatar: 'https://cdn.example.com/layla.png',
}

/** A fresh code, and the parameters that exchange it. */
const exchange = async (app: MiniApp, scope = 'user.info') => ({
  code: await app.context.sandbox.createCode(app.appid, app.user.uid, scope),
  grantType,
  scope,
})

/** Exchanges a code of this scope for a token of that, which must succeed. */
async function tokenOf(app: MiniApp, uid: number, granted: string, asked = granted): Promise<string> {
  const code = await app.context.sandbox.createCode(app.appid, uid, granted)
  return (succeeded(await app.call('accessToken', { code, grantType, scope: asked })) as { accessToken: string })
    .accessToken
}

/** Scopes of the code, scope asked for, and the fields of the profile that the token then shows; null: refused. */
const scopeMatrix: [granted: string, asked: string, shown: (keyof Profile)[] | null][] = [
  ['user.info', 'user.info', ['nickname', 'avatar', 'email']],
  ['user.info,user.phone', 'user.info,user.phone', ['nickname', 'avatar', 'email', 'country', 'phone']],
  ['user.info,user.phone', 'user.phone,user.info', ['nickname', 'avatar', 'email', 'country', 'phone']],
  ['user.info,user.phone', 'user.info', ['nickname', 'avatar', 'email']],
  ['user.info,user.phone', 'user.phone', ['country', 'phone']],
  ['user.phone', 'user.phone', ['country', 'phone']],
  ['user.email', 'user.email', ['email']],
  ['user.phone,user.email', 'user.phone,user.email', ['country', 'phone', 'email']],
  ['user.info', 'user.info,user.phone', null],
  ['user.info', 'user.phone', null],
  ['user.phone', 'user.info', null],
  ['user.email', 'user.info', null],
]

const scopeCheck = ([granted, asked, shown]: (typeof scopeMatrix)[number]): Check =>
  check(
    `scope-${granted}-asked-${asked}`,
    '4.3',
    shown
      ? `a token of ${asked} shows ${shown.join(', ')} and nothing else`
      : `asking ${asked} with a code of ${granted} is refused`,
    async (context) => {
      const app = await context.app()
      const uid = await context.sandbox.createUser(profile)
      const code = await context.sandbox.createCode(app.appid, uid, granted)
      const reply = await app.call('accessToken', { code, grantType, scope: asked })
      if (!shown) return void refused(reply, { status: 403, code: 'scope_not_granted' })
      const { accessToken } = succeeded(reply) as { accessToken: string }
      const visible = (field: keyof Profile) => is(shown.includes(field) ? profile[field] : null)
      hasFields(succeeded(await app.userInfo(accessToken)), {
        openId: isHex32,
        unionId: isHex32,
        nickName: visible('nickname'),
        avatar: visible('avatar'),
        email: visible('email'),
        country: visible('country'),
        phone: visible('phone'),
      })
    },
  )

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>

/** Open-api §4.3 (accessToken, user info), §2.3, §2.4, §5.2. */
export const login: Check[] = [
  ...rows('accessToken', '4.3', exchange, [
    required('code'),
    refusedValues('code', ['00000000-0000-4000-8000-000000000000', 'x'], 'code_unknown'),
    refusedValues('code', ['x'.repeat(5000)]),
    required('grantType'),
    refusedValues('grantType', ['password', 'Authorization_Code', 'authorization_code ', 'client_credentials']),
    taken('scope', 'user.info'),
    // The table calls scope required and gives it a default; Souk applies the default.
    optional('scope'),
    refusedValues('scope', [
      'user',
      'openid',
      'user.info,',
      'user.info, user.phone',
      'USER.INFO',
      'user.info user.phone',
      'user.info,user.secret',
    ]),
  ]),

  check('response', '2.3', 'the answer has accessToken, expire in seconds and tokenType bearer', async (context) => {
    const app = await context.app()
    hasFields(succeeded(await app.call('accessToken', await exchange(app))), {
      accessToken: isText,
      expire: is(604_800),
      tokenType: is('bearer'),
    })
  }),
  check(
    'token-format',
    '2.3',
    'the token is a JWT (HS512) with iat, nbf, exp, openId, clientId and scope',
    async (context) => {
      const app = await context.app()
      const token = await tokenOf(app, app.user.uid, 'user.info,user.phone')
      const [header, claims] = token.split('.').slice(0, 2).map(decode)
      assert.equal(header?.alg, 'HS512')
      assert.equal(claims?.openId, app.user.openId)
      assert.equal(claims?.clientId, app.appid)
      assert.equal(claims?.scope, 'user.info,user.phone')
      assert.equal(Number(claims?.exp) - Number(claims?.iat), 604_800)
      assert.ok(Number(claims?.nbf) <= Number(claims?.iat))
    },
  ),
  check('code-format', '1', 'a code is a UUID of version 4', async (context) => {
    const app = await context.app()
    const { code } = await exchange(app)
    assert.match(code, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }),
  check('code-once', '4.3', 'a code works once; using it again also revokes the token first given', async (context) => {
    const app = await context.app()
    const parameters = await exchange(app)
    const { accessToken } = succeeded(await app.call('accessToken', parameters)) as { accessToken: string }
    succeeded(await app.userInfo(accessToken))
    refused(await app.call('accessToken', parameters), { status: 400, code: 'code_used' })
    refused(await app.userInfo(accessToken), { status: 401, code: 'access_token_invalid' })
    succeeded(await app.userInfo((await app.login(app.user.uid)).accessToken))
  }),
  check('code-race', '4.3', 'a code exchanged 50 times at once gives one token at most', async (context) => {
    const app = await context.newApp()
    const parameters = await exchange(app)
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.call('accessToken', parameters)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const reply of replies.filter((each) => each.status !== 200))
      refused(reply, { status: 400, code: 'code_used' })
  }),
  check('code-expired', '4.3', 'a code works for 5 minutes', async (context) => {
    const app = await context.app()
    const [early, late] = [await exchange(app), await exchange(app)]
    await context.sandbox.forward(4 * minute + 50_000)
    succeeded(await app.call('accessToken', early))
    await context.sandbox.forward(11_000)
    refused(await app.call('accessToken', late), { status: 400, code: 'code_expired' })
  }),
  check(
    'code-foreign',
    '4.3',
    'a code of another mini app is refused, and still works for its own',
    async (context) => {
      const app = await context.app()
      const other = await context.newApp()
      const parameters = await exchange(app)
      refused(await other.call('accessToken', parameters), { status: 400, code: 'code_foreign' })
      succeeded(await app.call('accessToken', parameters))
    },
  ),
  check('code-after-refusal', '4.3', 'a code refused for its scope can still be exchanged', async (context) => {
    const app = await context.app()
    const parameters = await exchange(app)
    const reply = await app.call('accessToken', { ...parameters, scope: 'user.info,user.phone' })
    refused(reply, { status: 403, code: 'scope_not_granted' })
    succeeded(await app.call('accessToken', parameters))
  }),
  ...scopeMatrix.map(scopeCheck),
  check('profile-without-contact', '2.4', 'what a user has not told is null', async (context) => {
    const app = await context.app()
    const uid = await context.sandbox.createUser({ nickname: 'Nura' })
    const info = succeeded(await app.userInfo(await tokenOf(app, uid, 'user.info,user.phone'))) as Record<
      string,
      unknown
    >
    assert.equal(info.nickName, 'Nura')
    for (const field of ['email', 'country', 'phone']) assert.equal(info[field], null)
  }),
  check(
    'open-id-stable',
    '2.4',
    'openId is the same at every login, and another under another appid',
    async (context) => {
      const app = await context.app()
      const other = await context.newApp()
      const again = await app.login(app.user.uid)
      const elsewhere = await other.login(app.user.uid)
      assert.equal(again.openId, app.user.openId)
      assert.notEqual(elsewhere.openId, app.user.openId)
    },
  ),
  check('union-id', '2.4', 'unionId links the openIds of one user, and differs between users', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const unionId = async (mini: MiniApp, accessToken: string) =>
      (succeeded(await mini.userInfo(accessToken)) as { unionId: string }).unionId
    const here = await unionId(app, (await app.login(app.user.uid)).accessToken)
    const there = await unionId(other, (await other.login(app.user.uid)).accessToken)
    const somebodyElse = await unionId(app, (await app.newUser()).accessToken)
    assert.equal(here, there)
    assert.notEqual(here, somebodyElse)
    assert.notEqual(here, app.user.openId)
  }),

  check('token-missing', '4.3', 'user info requires accessToken', async (context) => {
    const app = await context.app()
    refused(await app.send('userInfo', []), { status: 400, code: 'parameter_missing', says: 'accessToken' })
    refused(await app.userInfo(''), { status: 400, code: 'parameter_missing', says: 'accessToken' })
  }),
  check('token-invalid', '5.2', 'a token that was not issued here, or was changed, is refused', async (context) => {
    const app = await context.app()
    const [header = '', claims = '', mac = ''] = (await app.login(app.user.uid)).accessToken.split('.')
    const unsignedHeader = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const otherClaims = Buffer.from(JSON.stringify({ ...decode(claims), scope: 'user.info,user.phone' })).toString(
      'base64url',
    )
    const forged = [
      'x',
      'a.b.c',
      `${unsignedHeader}.${claims}.`,
      `${header}.${otherClaims}.${mac}`,
      `${header}.${claims}.`,
    ]
    for (const token of forged) {
      refused(await app.userInfo(token), { status: 401, code: 'access_token_invalid', says: /^Invalid access token/ })
    }
  }),
  check('token-expired', '8', 'a token is refused after its expire has passed', async (context) => {
    const app = await context.app()
    const token = await tokenOf(app, app.user.uid, 'user.info')
    await context.sandbox.forward(604_800_000 - minute)
    succeeded(await app.userInfo(token))
    await context.sandbox.forward(minute + 1000)
    refused(await app.userInfo(token), { status: 401, code: 'access_token_invalid' })
  }),
  check(
    'user-info-signed',
    '4.3',
    'where appid, timestamp and sign come with user info, they are checked',
    async (context) => {
      const app = await context.app()
      const { accessToken } = await app.login(app.user.uid)
      succeeded(await app.call('userInfo', { accessToken }))
      const pairs = app.sign({ accessToken })
      const badSign = pairs.map(([name, value]): [string, string] => [name, name === 'sign' ? '0'.repeat(64) : value])
      refused(await app.send('userInfo', badSign), { status: 401, code: 'sign_mismatch' })
      const stale = app.sign({ accessToken, timestamp: Date.now() - 10 * minute })
      refused(await app.send('userInfo', stale), { status: 401, code: 'timestamp_out_of_window' })
      refused(await app.call('userInfo', { accessToken, appid: 'nobody' }), { status: 401, code: 'appid_invalid' })
      const onlyAppid: [string, string][] = [
        ['accessToken', accessToken],
        ['appid', app.appid],
      ]
      refused(await app.send('userInfo', onlyAppid), { status: 400, code: 'parameter_missing', says: 'timestamp' })
    },
  ),
  check('user-info-unknown', '4.3', 'user info names a parameter that it does not know', async (context) => {
    const app = await context.app()
    const { accessToken } = await app.login(app.user.uid)
    const reply = await app.send('userInfo', [
      ['accessToken', accessToken],
      ['openId', app.user.openId],
    ])
    refused(reply, { status: 400, code: 'parameter_unknown', says: 'openId' })
  }),
]
