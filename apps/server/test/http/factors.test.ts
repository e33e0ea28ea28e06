import { consoleOperations, minute, type Operation } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Authenticator } from '../authenticator.ts'
import { exampleInput, placeInput, unknownIds } from '../exampleInput.ts'
import { addPasskey, addTotp } from '../factors.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { untilWaiting } from '../locks.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let layla: ConsoleUser
let project: FurnishedProject

beforeAll(async () => {
  souk = await startTestSouk()
  layla = await souk.setUp()
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
  souk.clock.stop()
})
/** The failures of a test delay further attempts from its address, and its settings concern all accounts. */
beforeEach(async () => {
  await souk.context.sql`delete from sign_in_failures`
  await requireFactor(false)
})
afterAll(() => souk.stop())

const join = () => souk.join(project.projectId, 'editor')
const confirm = (user: ConsoleUser, input: object) => user.call('POST', '/console/v1/session/confirm', input)
const confirmOptions = async (user: ConsoleUser) =>
  (await user.call('POST', '/console/v1/session/confirm/options', {})).body
const session = async (user: ConsoleUser) => (await user.call('GET', '/console/v1/session')).body
const factors = async (user: ConsoleUser) => (await user.call('GET', '/console/v1/profile/factors')).body
const isUsable = async (user: ConsoleUser) => (await user.call('GET', '/console/v1/projects')).status === 200
const signInOptions = async () => (await souk.raw('POST', '/console/v1/session/passkey/options', {}, {})).body
const passkeySignIn = (passkey: object) => souk.raw('POST', '/console/v1/session/passkey', {}, { passkey })
const requireFactor = (requireSecondFactor: boolean) =>
  souk.console('PATCH', '/console/v1/platform-settings', { requireSecondFactor })
const actionsOn = async (accountId: string): Promise<string[]> =>
  (await souk.context.sql`select action from audit_log where subject = ${accountId} order by audit_id`).map(
    ({ action }) => action,
  )

test('a sign-in with a password lacks its second factor until a code of the app completes it', async () => {
  const user = await join()
  const { newCode, recoveryCodes } = await addTotp(souk, user)
  expect(recoveryCodes).toHaveLength(10)
  expect(await isUsable(user)).toBe(true)
  const again = await souk.signIn(user)
  expect(await session(again)).toMatchObject({ pending: 'secondFactor', confirmationMethods: ['code', 'recoveryCode'] })
  expect(await isUsable(again)).toBe(false)
  expect((await confirm(again, { password: user.password })).body.code).toBe('confirmation_refused')
  expect((await confirm(again, { code: newCode() })).body).toMatchObject({ pending: null })
  expect(await isUsable(again)).toBe(true)
  expect(await actionsOn(user.accountId)).toEqual(expect.arrayContaining(['account.enableTotp', 'account.confirm']))
})

test('a code of the app is accepted once, and a wrong one never', async () => {
  const user = await join()
  const { code, newCode } = await addTotp(souk, user)
  const [first, second] = [await souk.signIn(user), await souk.signIn(user)]
  newCode()
  const wrong = code() === '123456' ? '654321' : '123456'
  expect((await confirm(first, { code: wrong })).body.code).toBe('totp_code_wrong')
  expect((await confirm(first, { code: code() })).status).toBe(200)
  expect((await confirm(second, { code: code() })).body.code).toBe('totp_code_used')
  expect(await isUsable(second)).toBe(false)
  souk.clock.advance(5 * minute)
  const late = code()
  souk.clock.advance(2 * minute)
  expect((await confirm(second, { code: late })).body.code).toBe('totp_code_wrong')
})

test('a code of a secret that is being replaced does not enable the new one', async () => {
  const user = await join()
  const { newCode } = await addTotp(souk, user)
  const code = newCode()
  const { sql } = souk.context
  const answers = await sql.begin(async (tx) => {
    await tx`select from accounts where account_id = ${user.accountId} for no key update`
    await tx`lock table account_totp in exclusive mode`
    const started = [confirm(user, { code })]
    await untilWaiting(sql, 1)
    await tx`update account_totp set enabled = false, last_step = 0 where account_id = ${user.accountId}`
    return [Promise.all(started)]
  })
  expect((await answers[0])![0]!.body.code).toBe('totp_code_wrong')
  expect((await factors(user)).totp).toBeNull()
})

test('wrong codes of all sessions count together, so that a stolen password does not buy more attempts', async () => {
  const user = await join()
  const { newCode } = await addTotp(souk, user)
  const codes: string[] = []
  for (let attempt = 0; attempt < 7; attempt++) {
    const thief = await souk.signIn(user)
    codes.push((await confirm(thief, { recoveryCode: 'aaaa-bbbb-cccc-dddd' })).body.code)
  }
  expect(codes).toEqual([...Array(6).fill('recovery_code_wrong'), 'rate_limited'])
  // The account's own session is not delayed.
  expect((await confirm(user, { code: newCode() })).status).toBe(200)
})

test('someone who knows the password cannot lock the owner out of a device that has used a second factor', async () => {
  const user = await join()
  const { code, newCode } = await addTotp(souk, user)
  const { username, password } = user
  const wrong = { recoveryCode: 'aaaa-bbbb-cccc-dddd' }
  /** Signs in with the password, and returns how to confirm and the cookie of the device. */
  async function signIn(devices = '') {
    const headers: Record<string, string> = devices === '' ? {} : { Cookie: devices }
    const answer = await souk.raw('POST', '/console/v1/session', headers, { username, password })
    const cookies = cookiesOf(answer)
    return {
      devices: cookies.souk_device,
      async confirm(input: object) {
        const { csrfToken } = answer.body
        const Cookie = `souk_session=${cookies.souk_session}; souk_device=${cookies.souk_device}`
        const path = '/console/v1/session/confirm'
        const confirmed = await souk.raw('POST', path, { Cookie, 'X-Souk-CSRF': csrfToken }, input)
        return { code: confirmed.body.code, devices: cookiesOf(confirmed).souk_device }
      },
    }
  }
  const cookiesOf = ({ headers }: { headers: Headers }) =>
    Object.fromEntries(headers.getSetCookie().map((each) => each.split(';')[0]!.split(/=(.*)/s)))

  const owner = await (await signIn()).confirm({ code: newCode() })
  const other = await (await signIn()).confirm({ code: newCode() })
  newCode()
  let thief = await signIn()
  for (let attempt = 0; attempt < 6; attempt++) {
    expect((await thief.confirm(wrong)).code).toBe('recovery_code_wrong')
    // The thief's browser has signed in with the password, but never with a second factor.
    thief = await signIn(`souk_device=${thief.devices}`)
  }
  expect((await thief.confirm(wrong)).code).toBe('rate_limited')
  const again = await signIn(`souk_device=${owner.devices}`)
  const confirmed = await again.confirm({ code: code() })
  expect(confirmed.code).toBeUndefined()
  expect((await thief.confirm(wrong)).code).toBe('rate_limited')

  // The device has its own limit, which further sign-ins from it do not reset.
  let { devices } = confirmed
  const codes: string[] = []
  for (let attempt = 0; attempt < 7; attempt++) {
    const known = await signIn(`souk_device=${devices}`)
    devices = known.devices
    codes.push((await known.confirm(wrong)).code)
  }
  expect(codes).toEqual([...Array(6).fill('recovery_code_wrong'), 'rate_limited'])
  const fromOther = await signIn(`souk_device=${other.devices}`)
  expect((await fromOther.confirm({ code: newCode() })).code).toBeUndefined()
})

test('a recovery code replaces the lost factor once, however it is typed, and new codes replace old ones', async () => {
  const user = await join()
  const { recoveryCodes } = await addPasskey(souk, user)
  const [first, second, third] = recoveryCodes!
  const again = await souk.signIn(user)
  expect((await confirm(again, { recoveryCode: ` ${first!.toUpperCase().replaceAll('-', ' ')}` })).status).toBe(200)
  expect((await factors(again)).recoveryCodes).toBe(9)
  const thief = await souk.signIn(user)
  expect((await confirm(thief, { recoveryCode: first })).body.code).toBe('recovery_code_wrong')
  const renewed = (await again.call('POST', '/console/v1/profile/recovery-codes', {})).body.recoveryCodes
  expect((await confirm(thief, { recoveryCode: second })).body.code).toBe('recovery_code_wrong')
  expect((await confirm(thief, { recoveryCode: renewed[0] })).status).toBe(200)
  const [stored] = await souk.context.sql`
    select string_agg(code_hash::text, ' ') as all from account_recovery_codes where account_id = ${user.accountId}`
  expect(stored!.all).not.toContain(third)
})

test('a passkey signs in without a password and without another factor', async () => {
  const user = await join()
  const { phone } = await addPasskey(souk, user)
  await addTotp(souk, user)
  const { status, body, headers } = await passkeySignIn(phone.get(await signInOptions()))
  expect([status, body.account.accountId, body.pending]).toEqual([200, user.accountId, null])
  expect(headers.getSetCookie().join()).toMatch(/souk_session=.*souk_device=/)
  expect((await factors(user)).passkeys).toEqual([expect.objectContaining({ lastUsed: souk.clock.real() })])
})

test('a passkey completes a sign-in with a password, and confirms an identity', async () => {
  const user = await join()
  const { phone } = await addPasskey(souk, user)
  const again = await souk.signIn(user)
  const passkey = phone.get(await confirmOptions(again), { userVerified: false })
  expect((await confirm(again, { passkey })).body).toMatchObject({ pending: null })
  souk.clock.advance(10 * minute)
  const refusal = await again.call('POST', '/console/v1/tokens', {})
  expect(refusal.body).toMatchObject({ code: 'step_up_required', data: { methods: ['passkey', 'recoveryCode'] } })
  expect((await confirm(again, { passkey: phone.get(await confirmOptions(again)) })).status).toBe(200)
  expect((await again.call('POST', '/console/v1/tokens', {})).status).toBe(200)
})

test('a passkey of another site, user, account, challenge or count of signatures is refused', async () => {
  const [user, other] = [await join(), await join()]
  const { phone } = await addPasskey(souk, user)
  const { phone: foreign } = await addPasskey(souk, other)
  const codeOf = async (passkey: object) => (await passkeySignIn(passkey)).body.code

  expect(await codeOf(phone.get(await signInOptions(), { origin: 'https://evil.example' }))).toBe(
    'passkey_origin_wrong',
  )
  expect(await codeOf(phone.get(await signInOptions(), { rpId: 'evil.example' }))).toBe('passkey_invalid')
  expect(await codeOf(phone.get(await signInOptions(), { userVerified: false }))).toBe('passkey_invalid')
  expect(await codeOf(new Authenticator('http://souk.test').get(await signInOptions()))).toBe('passkey_unknown')
  expect(await codeOf(phone.get(await confirmOptions(user)))).toBe('passkey_challenge_invalid')
  expect(await codeOf(phone.get({ options: { challenge: 'bm9uZQ', rpId: 'souk.test' } }))).toBe(
    'passkey_challenge_invalid',
  )

  await souk.context.sql`delete from sign_in_failures`
  const expired = await signInOptions()
  souk.clock.advance(5 * minute)
  expect(await codeOf(phone.get(expired))).toBe('passkey_challenge_invalid')
  const used = phone.get(await signInOptions())
  expect((await passkeySignIn(used)).status).toBe(200)
  expect(await codeOf(used)).toBe('passkey_challenge_invalid')
  expect(await codeOf(phone.get(await signInOptions(), { counter: 1 }))).toBe('passkey_invalid')

  const options = await confirmOptions(user)
  expect((await confirm(user, { passkey: foreign.get(options) })).body.code).toBe('passkey_unknown')
  const ofOther = foreign.get(await signInOptions())
  ofOther.id = ofOther.rawId = phone.id.toString('base64url')
  expect(await codeOf(ofOther)).toBe('passkey_unknown')
  const rows = await souk.context.sql`
    select detail->>'reason' as reason from audit_log where action = 'account.signInFailed' and subject = ${user.username}`
  expect(rows.map(({ reason }) => reason)).toContain('passkey_origin_wrong')
})

test('a new passkey needs the challenge of its account and the right site, and is added once', async () => {
  const [user, other] = [await join(), await join()]
  const options = async (of: ConsoleUser) => (await of.call('POST', '/console/v1/profile/passkeys/options', {})).body
  const add = async (passkey: object) =>
    (await user.call('POST', '/console/v1/profile/passkeys', { name: 'Key', passkey })).body
  const key = new Authenticator('http://souk.test')
  expect((await add(key.create(await options(other)))).code).toBe('passkey_challenge_invalid')
  expect((await add(key.create(await options(user), { origin: 'https://evil.example' }))).code).toBe(
    'passkey_origin_wrong',
  )
  expect((await add(key.create(await options(user), { rpId: 'evil.example' }))).code).toBe('passkey_invalid')
  expect((await add(key.create(await options(user)))).recoveryCodes).toHaveLength(10)
  expect((await add(key.create(await options(user)))).code).toBe('passkey_exists')
  const { passkeys } = await factors(user)
  expect(passkeys).toHaveLength(1)
  const path = `/console/v1/profile/passkeys/${passkeys[0].passkeyId}`
  expect((await user.call('PATCH', path, { name: 'Blue key' })).body.name).toBe('Blue key')
  expect((await other.call('PATCH', path, { name: 'Mine' })).body.code).toBe('passkey_not_found')
  expect((await other.call('DELETE', path)).body.code).toBe('passkey_not_found')
})

test('removing the last factor removes the recovery codes; adding a second one creates no new ones', async () => {
  const user = await join()
  const { passkeyId, recoveryCodes } = await addPasskey(souk, user)
  expect(recoveryCodes).toHaveLength(10)
  expect((await addTotp(souk, user)).recoveryCodes).toBe(null)
  expect((await user.call('POST', '/console/v1/profile/totp', {})).body.code).toBe('totp_exists')
  expect((await user.call('DELETE', '/console/v1/profile/totp')).body).toBe(true)
  expect((await user.call('DELETE', '/console/v1/profile/totp')).body.code).toBe('totp_not_started')
  expect((await factors(user)).recoveryCodes).toBe(10)
  expect((await user.call('DELETE', `/console/v1/profile/passkeys/${passkeyId}`)).body).toBe(true)
  expect(await factors(user)).toMatchObject({ passkeys: [], totp: null, recoveryCodes: 0 })
  expect((await user.call('POST', '/console/v1/profile/recovery-codes', {})).body.code).toBe('factor_missing')
  expect((await session(await souk.signIn(user))).pending).toBe(null)
})

test('a required second factor is enrolled at the next sign-in, before anything else', async () => {
  const user = await join()
  await requireFactor(true)
  expect(await isUsable(user)).toBe(true)
  const [again, elsewhere] = [await souk.signIn(user), await souk.signIn(user)]
  expect(await session(again)).toMatchObject({ pending: 'enrolment', confirmationMethods: ['password'] })
  expect((await again.call('GET', '/console/v1/projects')).body.code).toBe('factor_enrolment_required')
  const { passkeyId } = await addPasskey(souk, again)
  expect((await session(again)).pending).toBe(null)
  expect(await isUsable(again)).toBe(true)
  // Another sign-in with the password only does not become complete by it.
  expect((await elsewhere.call('GET', '/console/v1/projects')).body.code).toBe('second_factor_required')
  const removed = await again.call('DELETE', `/console/v1/profile/passkeys/${passkeyId}`)
  expect(removed.body.code).toBe('last_factor')
  expect((await factors(again)).passkeys).toHaveLength(1)

  const third = await join()
  expect((await session(third)).pending).toBe('enrolment')
  await requireFactor(false)
  expect((await session(third)).pending).toBe(null)
  expect(await isUsable(third)).toBe(true)
})

test('a password reset link does not replace the second factor; an administrator can reset it', async () => {
  const user = await join()
  await addTotp(souk, user)
  const { token } = (await souk.console('POST', `/console/v1/accounts/${user.accountId}/password-reset`, {})).body
  const reset = await souk.raw(
    'POST',
    '/console/v1/password-resets/use',
    {},
    { token, password: 'an unlikely phrase 7' },
  )
  expect(reset.body.pending).toBe('secondFactor')

  const path = `/console/v1/accounts/${user.accountId}/factors`
  expect((await (await join()).call('DELETE', path)).body.code).toBe('permission_denied')
  expect((await confirm(layla, { password: layla.password })).status).toBe(200)
  expect((await layla.call('DELETE', `/console/v1/accounts/${layla.accountId}/factors`)).body.code).toBe('own_account')
  expect((await layla.call('DELETE', path)).body).toBe(true)
  expect((await layla.call('DELETE', path)).body.code).toBe('factor_missing')
  expect(await isUsable(user)).toBe(false)
  expect((await session(await souk.signIn({ ...user, password: 'an unlikely phrase 7' }))).pending).toBe(null)
  expect(await actionsOn(user.accountId)).toContain('account.resetFactors')
})

const operations: readonly Operation[] = Object.values(consoleOperations)
const closed = operations.filter(({ auth, file }) => auth === 'console' && !file)

test.each(['secondFactor', 'enrolment'] as const)('a sign-in that lacks %s can call nothing else', async (lacking) => {
  const code = lacking === 'secondFactor' ? 'second_factor_required' : 'factor_enrolment_required'
  let user = await souk.join(project.projectId, 'owner')
  await souk.context.sql`update accounts set administrator = true where account_id = ${user.accountId}`
  if (lacking === 'secondFactor') await addPasskey(souk, user)
  else await requireFactor(true)
  user = await souk.signIn(user)
  const answered: Record<string, string | undefined> = {}
  for (const operation of closed.filter(({ id }) => id !== 'consoleSignOut')) {
    const input = exampleInput(operation, { ...project, ...unknownIds, datasetId: 'f'.repeat(32), uids: [project.uid] })
    const { target, body } = placeInput(operation, input)
    const answer = await user.call(operation.method, target, body)
    if (answer.body.code !== code) answered[operation.id] = operation.pendingSignIn
  }
  const allowed = closed.filter(({ pendingSignIn: at }) => at === 'any' || at === lacking).map(({ id }) => id)
  expect(Object.keys(answered).sort()).toEqual(allowed.filter((id) => id !== 'consoleSignOut').sort())
})
