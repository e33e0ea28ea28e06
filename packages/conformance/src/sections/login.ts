import assert from 'node:assert/strict'
import { accepted, type Check, optional, parameterChecks, rejected, required, topic } from '../check.ts'
import type { MiniApp } from '../context.ts'
import { expectError, expectFields, expectSuccess, is, isHex32, isText } from '../expect.ts'
import type { Profile } from '../sandbox.ts'
import { day, minute, second } from '../time.ts'

const check = topic('login')
const grantType = 'authorization_code'
const profile: Profile = {
  nickname: 'ليلى',
  country: '+966',
  phone: '512345678',
  email: 'layla@example.com',
  avatar: 'https://cdn.example.com/layla.png',
}

/** Creates a code and returns the parameters that exchange it. */
const exchange = async (app: MiniApp) => ({
  code: await app.context.sandbox.createCode(app.appid, app.user.uid, 'user.info'),
  grantType,
  scope: 'user.info',
})

/** Exchanges a code for a token with its scope, which must succeed. */
async function tokenOf(app: MiniApp, uid: number, scope: string): Promise<string> {
  const code = await app.context.sandbox.createCode(app.appid, uid, scope)
  return (expectSuccess(await app.call('accessToken', { code, grantType, scope })) as { accessToken: string })
    .accessToken
}

/** Fields of scopes that the operator has defined, all null, since the mock user has no claims for them. */
const isAttributes = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every((each) => each === null)

/**
 * Scopes of the code, requested scopes, and profile fields visible to the token; null for a rejected request. Scopes
 * that the code does not include, or no installation knows, are dropped.
 */
const scopeMatrix: [granted: string, requested: string, visible: (keyof Profile)[] | null][] = [
  ['user.info', 'user.info', ['nickname', 'avatar', 'email']],
  ['user.info,user.phone', 'user.info,user.phone', ['nickname', 'avatar', 'email', 'country', 'phone']],
  ['user.info,user.phone', 'user.phone,user.info', ['nickname', 'avatar', 'email', 'country', 'phone']],
  ['user.info,user.phone', 'user.info', ['nickname', 'avatar', 'email']],
  ['user.info,user.phone', 'user.phone', ['country', 'phone']],
  ['user.phone', 'user.phone', ['country', 'phone']],
  ['user.email', 'user.email', ['email']],
  ['user.phone,user.email', 'user.phone,user.email', ['country', 'phone', 'email']],
  ['user.info', 'user.info,user.phone', ['nickname', 'avatar', 'email']],
  ['user.info,user.phone', 'user.phone,user.unknown', ['country', 'phone']],
  ['user.info', 'user.unknown', null],
  ['user.info', 'user.phone', null],
  ['user.phone', 'user.info', null],
  ['user.email', 'user.info', null],
]

const scopeCheck = ([granted, requested, visible]: (typeof scopeMatrix)[number]): Check =>
  check(
    `scope-${granted}-requested-${requested}`,
    '4.3',
    visible
      ? `a token for ${requested} reveals only ${visible.join(', ')}`
      : `requesting ${requested} with a code for ${granted} is rejected`,
    async (context) => {
      const app = await context.app()
      const uid = await context.sandbox.createUser(profile)
      const code = await context.sandbox.createCode(app.appid, uid, granted)
      const reply = await app.call('accessToken', { code, grantType, scope: requested })
      if (!visible) return void expectError(reply, { status: 403, code: 'scope_not_granted' })
      const { accessToken, scope } = expectSuccess(reply) as { accessToken: string; scope: string }
      const carried = granted.split(',')
      assert.deepEqual(
        new Set(scope.split(',')),
        new Set(requested.split(',').filter((each) => carried.includes(each))),
      )
      const expected = (field: keyof Profile) => is(visible.includes(field) ? profile[field] : null)
      expectFields(expectSuccess(await app.userInfo(accessToken)), {
        openId: isHex32,
        unionId: isHex32,
        nickName: expected('nickname'),
        avatar: expected('avatar'),
        email: expected('email'),
        country: expected('country'),
        phone: expected('phone'),
        attributes: isAttributes,
      })
    },
  )

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>

/** Login: accessToken and user info (open-api §4.3, open-api §2.3, open-api §2.4, open-api §5.2). */
export const login: Check[] = [
  ...parameterChecks('accessToken', exchange, [
    required('code'),
    rejected('code', ['00000000-0000-4000-8000-000000000000', 'x'], 'code_unknown'),
    rejected('code', ['x'.repeat(5000)]),
    required('grantType'),
    rejected('grantType', ['password', 'Authorization_Code', 'authorization_code ', 'client_credentials']),
    accepted('scope', 'user.info'),
    // The specification calls scope required but gives a default, which Souk applies.
    optional('scope'),
    rejected('scope', [
      'user',
      'openid',
      'user.info,',
      'user.info, user.phone',
      'USER.INFO',
      'user.info user.phone',
      'user.info,user.',
      'user.info,phone',
    ]),
  ]),

  check('response', '2.3', 'the response has accessToken, expire in seconds and tokenType bearer', async (context) => {
    const app = await context.app()
    expectFields(expectSuccess(await app.call('accessToken', await exchange(app))), {
      accessToken: isText,
      expire: is(604_800),
      tokenType: is('bearer'),
      scope: is('user.info'),
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
  check('code-format', '1', 'a code is a version 4 UUID', async (context) => {
    const app = await context.app()
    const { code } = await exchange(app)
    assert.match(code, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }),
  check('code-once', '4.3', 'a code works once; using it again revokes its token', async (context) => {
    const app = await context.app()
    const parameters = await exchange(app)
    const { accessToken } = expectSuccess(await app.call('accessToken', parameters)) as { accessToken: string }
    expectSuccess(await app.userInfo(accessToken))
    expectError(await app.call('accessToken', parameters), { status: 400, code: 'code_used' })
    expectError(await app.userInfo(accessToken), { status: 401, code: 'access_token_invalid' })
    expectSuccess(await app.userInfo((await app.login(app.user.uid)).accessToken))
  }),
  check('code-race', '4.3', '50 concurrent exchanges of a code issue one token', async (context) => {
    const app = await context.newApp()
    const parameters = await exchange(app)
    const replies = await Promise.all(Array.from({ length: 50 }, () => app.call('accessToken', parameters)))
    assert.equal(replies.filter((reply) => reply.status === 200).length, 1)
    for (const reply of replies.filter((each) => each.status !== 200))
      expectError(reply, { status: 400, code: 'code_used' })
  }),
  check('code-expired', '4.3', 'a code expires after 5 minutes', async (context) => {
    const app = await context.app()
    const [early, late] = [await exchange(app), await exchange(app)]
    await context.sandbox.forward(4 * minute + 50 * second)
    expectSuccess(await app.call('accessToken', early))
    await context.sandbox.forward(11 * second)
    expectError(await app.call('accessToken', late), { status: 400, code: 'code_expired' })
  }),
  check(
    'code-foreign',
    '4.3',
    'a code of another mini app is rejected and stays valid for its own',
    async (context) => {
      const app = await context.app()
      const other = await context.newApp()
      const parameters = await exchange(app)
      expectError(await other.call('accessToken', parameters), { status: 400, code: 'code_foreign' })
      expectSuccess(await app.call('accessToken', parameters))
    },
  ),
  check('code-after-refusal', '4.3', 'a code rejected for its scope can still be exchanged', async (context) => {
    const app = await context.app()
    const parameters = await exchange(app)
    const reply = await app.call('accessToken', { ...parameters, scope: 'user.phone' })
    expectError(reply, { status: 403, code: 'scope_not_granted' })
    expectSuccess(await app.call('accessToken', parameters))
  }),
  ...scopeMatrix.map(scopeCheck),
  check(
    'login-without-consent',
    '2.4',
    'neu.login() reveals nickname and avatar, email only with consent',
    async (context) => {
      const app = await context.app()
      const uid = await context.sandbox.createUser(profile)
      const code = await context.sandbox.createCode(app.appid, uid)
      const reply = expectSuccess(await app.call('accessToken', { code, grantType, scope: 'user.info' }))
      const visible = async () => expectSuccess(await app.userInfo((reply as { accessToken: string }).accessToken))
      const known = {
        openId: isHex32,
        unionId: isHex32,
        nickName: is(profile.nickname),
        avatar: is(profile.avatar),
        country: is(null),
        phone: is(null),
        attributes: isAttributes,
      }
      expectFields(await visible(), { ...known, email: is(null) })
      await context.sandbox.createCode(app.appid, uid, 'user.email')
      expectFields(await visible(), { ...known, email: is(profile.email) })
    },
  ),
  check('avatar-generated', '2.4', 'avatar is the URL of a generated picture if the user has none', async (context) => {
    const app = await context.app()
    const uid = await context.sandbox.createUser({ nickname: 'Nura' })
    const info = expectSuccess(await app.userInfo(await tokenOf(app, uid, 'user.info'))) as { avatar: string }
    assert.match(info.avatar, /^https?:/)
  }),
  check('profile-without-contact', '2.4', 'profile fields that the user has not provided are null', async (context) => {
    const app = await context.app()
    const uid = await context.sandbox.createUser({ nickname: 'Nura' })
    const info = expectSuccess(await app.userInfo(await tokenOf(app, uid, 'user.info,user.phone'))) as Record<
      string,
      unknown
    >
    assert.equal(info.nickName, 'Nura')
    for (const field of ['email', 'country', 'phone']) assert.equal(info[field], null)
  }),
  check('open-id-stable', '2.4', 'openId is the same at every login and differs between mini apps', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const again = await app.login(app.user.uid)
    const elsewhere = await other.login(app.user.uid)
    assert.equal(again.openId, app.user.openId)
    assert.notEqual(elsewhere.openId, app.user.openId)
  }),
  check('union-id', '2.4', 'unionId is the same in all mini apps and differs between users', async (context) => {
    const app = await context.app()
    const other = await context.newApp()
    const unionId = async (mini: MiniApp, accessToken: string) =>
      (expectSuccess(await mini.userInfo(accessToken)) as { unionId: string }).unionId
    const here = await unionId(app, (await app.login(app.user.uid)).accessToken)
    const there = await unionId(other, (await other.login(app.user.uid)).accessToken)
    const otherUser = await unionId(app, (await app.newUser()).accessToken)
    assert.equal(here, there)
    assert.notEqual(here, otherUser)
    assert.notEqual(here, app.user.openId)
  }),

  check('token-missing', '4.3', 'user info requires accessToken', async (context) => {
    const app = await context.app()
    expectError(await app.send('userInfo', []), { status: 400, code: 'parameter_missing', message: 'accessToken' })
    expectError(await app.userInfo(''), { status: 400, code: 'parameter_missing', message: 'accessToken' })
  }),
  check('token-invalid', '5.2', 'a foreign or modified token is rejected', async (context) => {
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
      expectError(await app.userInfo(token), {
        status: 401,
        code: 'access_token_invalid',
        message: /^Invalid access token/,
      })
    }
  }),
  check('token-expired', '8', 'a token is rejected after it has expired', async (context) => {
    const app = await context.app()
    const token = await tokenOf(app, app.user.uid, 'user.info')
    await context.sandbox.forward(7 * day - minute)
    expectSuccess(await app.userInfo(token))
    await context.sandbox.forward(minute + second)
    expectError(await app.userInfo(token), { status: 401, code: 'access_token_invalid' })
  }),
  check('user-info-signed', '4.3', 'user info checks appid, timestamp and sign if they are sent', async (context) => {
    const app = await context.app()
    const { accessToken } = await app.login(app.user.uid)
    expectSuccess(await app.call('userInfo', { accessToken }))
    const pairs = app.sign({ accessToken })
    const badSign = pairs.map(([name, value]): [string, string] => [name, name === 'sign' ? '0'.repeat(64) : value])
    expectError(await app.send('userInfo', badSign), { status: 401, code: 'sign_mismatch' })
    const stale = app.sign({ accessToken, timestamp: Date.now() - 10 * minute })
    expectError(await app.send('userInfo', stale), { status: 401, code: 'timestamp_out_of_window' })
    expectError(await app.call('userInfo', { accessToken, appid: 'unknown' }), { status: 401, code: 'appid_invalid' })
    const onlyAppid: [string, string][] = [
      ['accessToken', accessToken],
      ['appid', app.appid],
    ]
    expectError(await app.send('userInfo', onlyAppid), { status: 400, code: 'parameter_missing', message: 'timestamp' })
  }),
  check('user-info-unknown', '4.3', 'user info rejects unknown parameters by name', async (context) => {
    const app = await context.app()
    const { accessToken } = await app.login(app.user.uid)
    const reply = await app.send('userInfo', [
      ['accessToken', accessToken],
      ['openId', app.user.openId],
    ])
    expectError(reply, { status: 400, code: 'parameter_unknown', message: 'openId' })
  }),
]
