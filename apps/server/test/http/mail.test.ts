import { day, minute } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { lockAccount, sendRequestedReset } from '../../src/domain/console/index.ts'
import { deliverMail, pruneMails, queueMail } from '../../src/domain/messages/index.ts'
import { uploadRelease, watchAlerts } from '../../src/domain/miniApps/index.ts'
import type { Tx } from '../../src/kernel/db/pool.ts'
import { newId } from '../../src/kernel/id.ts'
import { createMailer, type MailSettings } from '../../src/kernel/mail.ts'
import { startWorker } from '../../src/worker/index.ts'
import { archiveOf, build } from '../archive.ts'
import { addPasskey, addTotp } from '../factors.ts'
import { untilWaiting } from '../locks.ts'
import {
  deliverMails,
  listWaitingMails,
  localhost,
  type MailServer,
  startMailServer,
  trustLocalhost,
} from '../mailServer.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let server: MailServer
let souk: TestSouk
let layla: ConsoleUser
let projectId: string

beforeAll(async () => {
  server = await startMailServer()
  souk = await startTestSouk({ mail: server.url })
  layla = await souk.setUp()
  projectId = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body.projectId
})
afterAll(async () => {
  await souk.stop()
  await server.stop()
})
beforeEach(() => {
  server.received.length = 0
  server.refuse = undefined
})

const settingsOf = (url: string, from = 'Souk <souk@mail.example>') =>
  readConfig({ SOUK_SMTP_URL: url, SOUK_MAIL_FROM: from }).mail as MailSettings

const waitingIds = () => listWaitingMails(souk.context)
const deliver = () => deliverMails(souk.context)

/** Returns the token of the link in the last mail to an address. It must not reach the log. */
function tokenTo(address: string, page: string): string {
  const token = new RegExp(`http://souk\\.test/console/${page}#([\\w-]+)`).exec(server.last(address).text ?? '')![1]!
  souk.secrets.add(token)
  return token
}

/** Confirms an address for an account. */
async function confirm(user: ConsoleUser, email: string): Promise<void> {
  expect((await user.call('POST', '/console/v1/profile/email', { email })).body.pending).toBe(email)
  await deliver()
  const token = tokenTo(email, 'email')
  expect((await user.call('POST', '/console/v1/profile/email/confirm', { token })).body.email).toBe(email)
  server.received.length = 0
}

const member = () => souk.join(projectId, 'editor')
const subjects = () => server.received.map(({ subject, recipients }) => `${recipients}: ${subject}`)

test('an address is used after its link has been opened by the account that asked for it', async () => {
  const [omar, nora] = [await member(), await member()]
  await omar.call('PATCH', '/console/v1/profile', { language: 'ar' })
  const asked = await omar.call('POST', '/console/v1/profile/email', { email: 'Omar@Mail.Example' })
  expect(asked.body).toEqual({ email: null, pending: 'omar@mail.example' })
  await deliver()
  const mail = server.last('omar@mail.example')
  expect(mail.subject).toBe('تأكيد بريدك الإلكتروني')
  expect(mail.html).toContain('dir="rtl"')
  expect(mail.from?.value).toEqual([{ name: 'Souk', address: 'souk@mail.example' }])
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')

  const token = tokenTo('omar@mail.example', 'email')
  const path = '/console/v1/profile/email/confirm'
  expect((await nora.call('POST', path, { token })).body.code).toBe('email_confirmation_not_found')
  expect((await omar.call('POST', path, { token })).body).toEqual({ email: 'omar@mail.example', pending: null })
  expect((await omar.call('POST', path, { token })).body.code).toBe('email_confirmation_not_found')
})

test('two accounts cannot have one address, however it is spelled', async () => {
  const [omar, nora] = [await member(), await member()]
  await confirm(omar, 'tea@mail.example')
  await nora.call('POST', '/console/v1/profile/email', { email: 'TEA@mail.example' })
  await deliver()
  const token = tokenTo('tea@mail.example', 'email')
  expect((await nora.call('POST', '/console/v1/profile/email/confirm', { token })).body.code).toBe('email_taken')
})

test('two accounts that confirm one address at once cannot both have it', async () => {
  const [omar, nora] = [await member(), await member()]
  await nora.call('POST', '/console/v1/profile/email', { email: 'both@mail.example' })
  await deliver()
  const token = tokenTo('both@mail.example', 'email')
  const { sql } = souk.context
  const answers = await sql.begin(async (tx) => {
    await tx`update accounts set email = 'both@mail.example' where account_id = ${omar.accountId}`
    const answer = nora.call('POST', '/console/v1/profile/email/confirm', { token })
    await untilWaiting(sql, 1)
    return [answer]
  })
  expect(await answers[0]).toMatchObject({ status: 409, body: { code: 'email_taken' } })
})

test('an address that is confirmed while it is being removed is removed', async () => {
  const nora = await member()
  await nora.call('POST', '/console/v1/profile/email', { email: 'removed@mail.example' })
  await deliver()
  const token = tokenTo('removed@mail.example', 'email')
  const { sql } = souk.context
  const [confirmed] = await sql.begin(async (tx) => {
    await lockAccount(tx, nora.accountId)
    const answer = nora.call('POST', '/console/v1/profile/email/confirm', { token })
    await untilWaiting(sql, 1)
    await tx`delete from email_confirmations where account_id = ${nora.accountId}`
    return [answer]
  })
  expect((await confirmed).body.code).toBe('email_confirmation_not_found')
})

test('the old address is notified when the address changes or is removed', async () => {
  const omar = await member()
  await confirm(omar, 'old@mail.example')
  await souk.context.sql`update email_confirmations set ctime = 0`
  await omar.call('POST', '/console/v1/profile/email', { email: 'new@mail.example' })
  await deliver()
  const token = tokenTo('new@mail.example', 'email')
  await omar.call('POST', '/console/v1/profile/email/confirm', { token })
  await souk.console('POST', `/console/v1/accounts/${omar.accountId}/email`, { email: null })
  await deliver()
  expect(subjects().slice(1)).toEqual([
    'old@mail.example: Your e-mail address was changed',
    'new@mail.example: Your e-mail address was changed',
  ])
  expect((await omar.call('GET', '/console/v1/profile/email')).body).toEqual({ email: null, pending: null })
})

test('confirmation mails are limited: one per minute, and a number per day to addresses of one’s choice', async () => {
  const omar = await member()
  const ask = () => omar.call('POST', '/console/v1/profile/email', { email: 'stranger@mail.example' })
  expect((await ask()).status).toBe(200)
  expect((await ask()).body).toMatchObject({ code: 'rate_limited', data: { retryAfter: expect.any(Number) } })
  await souk.context.sql`
    insert into mails (mail_id, kind, recipient, language, requested_by, state, valid_until, ctime, mtime)
    select gen_random_uuid(), 'invitation', 'x', 'en', ${omar.accountId}, 'sent', 0, ${Date.now()}, 0
    from generate_series(1, 50)`
  await souk.context.sql`update email_confirmations set ctime = 0`
  expect((await ask()).body.code).toBe('rate_limited')
  await deliver()
})

test('mails that are requested at the same time count each other', async () => {
  const omar = await member()
  const { sql } = souk.context
  const values = { username: omar.username, validUntil: Date.now() + minute, token: '' }
  const mail = { kind: 'emailConfirmation', recipient: 'stranger@mail.example', language: 'en', values } as const
  /** Queues two mails at the same time, and returns the error of the second. */
  async function queueTwice(limited: { requestedBy: string } | { topic: string }) {
    const queue = (tx: Tx) => queueMail(souk.context, tx, { ...mail, ...limited })
    const [second] = await sql.begin(async (tx) => {
      await queue(tx)
      const other = sql.begin(queue).catch((error: { code: string }) => error.code)
      await Promise.race([other, untilWaiting(sql, 1)])
      return [other]
    })
    return second
  }
  await sql`
    insert into mails (mail_id, kind, recipient, language, requested_by, state, valid_until, ctime, mtime)
    select gen_random_uuid(), 'invitation', 'x', 'en', ${omar.accountId}, 'sent', 0, ${Date.now()}, 0
    from generate_series(1, 49)`
  expect(await queueTwice({ requestedBy: omar.accountId })).toBe('rate_limited')
  expect(await waitingIds()).toHaveLength(1)
  expect(await queueTwice({ topic: 'tea' })).toBeUndefined()
  expect(await waitingIds()).toHaveLength(2)
  await deliver()
})

test('a link for an address expires after a day', async () => {
  const omar = await member()
  await omar.call('POST', '/console/v1/profile/email', { email: 'late@mail.example' })
  await deliver()
  const token = tokenTo('late@mail.example', 'email')
  await souk.context.sql`update email_confirmations set valid_until = ${Date.now()} where email = 'late@mail.example'`
  const { body } = await omar.call('POST', '/console/v1/profile/email/confirm', { token })
  expect(body.code).toBe('email_confirmation_not_found')
})

test.each([
  'layla',
  'a b@mail.example',
  'a@mail.example\r\nBcc: b@mail.example',
  'a@mail.example,b@mail.example',
  'لا@mail.example',
  `${'a'.repeat(65)}@mail.example`,
  '<a@mail.example>',
])('%j is not an address', async (email) => {
  const { body } = await layla.call('POST', '/console/v1/profile/email', { email })
  expect(body.code).toBe('parameter_invalid')
})

test('an invitation is sent to its address, in the language of the inviting account', async () => {
  const path = `/console/v1/projects/${projectId}/invitations`
  await layla.call('PATCH', '/console/v1/profile', { language: 'zh-CN' })
  const { body } = await layla.call('POST', path, { role: 'viewer', email: 'guest@mail.example' })
  expect(body.invitation.note).toBe('guest@mail.example')
  await layla.call('PATCH', '/console/v1/profile', { language: 'en' })
  await deliver()
  expect(server.last('guest@mail.example').subject).toBe('邀请您加入 \u2068Tea\u2069')
  expect(tokenTo('guest@mail.example', 'invitation')).toBe(body.token)
})

test('a forgotten password is reset with a mail; the response does not tell whether the account exists', async () => {
  const omar = await member()
  await confirm(omar, 'forgetful@mail.example')
  const request = (username: string) => souk.raw('POST', '/console/v1/password-resets/request', {}, { username })
  const [known, unknown] = [await request(omar.username), await request('nobody')]
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  const jobs = await souk.context.sql`
    select payload from graphile_worker._private_jobs where payload ->> 'username' is not null order by id`
  expect(jobs.map(({ payload }) => payload.username)).toEqual([omar.username, 'nobody'])

  await sendRequestedReset(souk.context, 'nobody')
  await sendRequestedReset(souk.context, 'forgetful@mail.example')
  // A link that is valid is not replaced.
  await sendRequestedReset(souk.context, omar.username)
  await deliver()
  expect(subjects()).toEqual(['forgetful@mail.example: Reset your password'])
  const token = tokenTo('forgetful@mail.example', 'password-reset')
  const password = 'the second of his passwords'
  expect((await souk.raw('POST', '/console/v1/password-resets/use', {}, { token, password })).status).toBe(200)
  await deliver()
  expect(subjects()).toContain('forgetful@mail.example: Your password was changed')
})

test('a reset link that is being created is not replaced', async () => {
  const omar = await member()
  await confirm(omar, 'twice@mail.example')
  const { sql, clock } = souk.context
  const tokenHash = Buffer.alloc(32)
  const [second] = await sql.begin(async (tx) => {
    await lockAccount(tx, omar.accountId)
    await tx`
      insert into password_resets (account_id, token_hash, valid_until, ctime)
      values (${omar.accountId}, ${tokenHash}, ${clock.real() + minute}, ${clock.real()})`
    const sent = sendRequestedReset(souk.context, omar.username)
    await untilWaiting(sql, 1)
    return [sent]
  })
  await second
  expect(await sql`select from password_resets where token_hash = ${tokenHash}`).toHaveLength(1)
  expect(await waitingIds()).toEqual([])
})

test('an account of a sign-on provider gets no reset link, and a changed address invalidates links', async () => {
  const omar = await member()
  await confirm(omar, 'old@mail.example')
  const links = () => souk.context.sql`select from password_resets where account_id = ${omar.accountId}`
  const issuer = 'https://id.example'
  await souk.context.sql`
    insert into sign_on_providers (provider_id, name, issuer, client_id, scopes, groups_claim, roles, ctime)
    values (${newId()}, 'Example', ${issuer}, 'souk', '{}', 'groups', '[]', 0)`
  await souk.context.sql`
    update accounts set sign_on_issuer = ${issuer}, sign_on_subject = 'omar' where account_id = ${omar.accountId}`
  const path = `/console/v1/accounts/${omar.accountId}/password-reset/mail`
  expect((await souk.console('POST', path)).body.code).toBe('signs_on_at_provider')
  await sendRequestedReset(souk.context, omar.username)
  expect(await links()).toHaveLength(0)
  await souk.context.sql`delete from sign_on_providers`
  await sendRequestedReset(souk.context, omar.username)
  expect(await links()).toHaveLength(1)
  await confirm(omar, 'new@mail.example')
  expect(await links()).toHaveLength(0)
  await deliver()
})

test('requests for reset links are limited per address', async () => {
  const request = () => souk.raw('POST', '/console/v1/password-resets/request', {}, { username: 'nobody' })
  const codes = []
  for (let count = 0; count < 12; count++) codes.push((await request()).body.code)
  expect(codes.at(-1)).toBe('rate_limited')
  await souk.context.sql`delete from sign_in_failures`
})

test('an owner has a reset link sent without seeing it, if the account has an address', async () => {
  const omar = await member()
  const send = () => layla.call('POST', `/console/v1/accounts/${omar.accountId}/password-reset/mail`, {})
  expect((await send()).body.code).toBe('email_missing')
  await confirm(omar, 'helped@mail.example')
  expect((await send()).body).toBe(true)
  await deliver()
  const token = tokenTo('helped@mail.example', 'password-reset')
  expect((await souk.raw('POST', '/console/v1/password-resets/show', {}, { token })).body.username).toBe(omar.username)
})

test('a sign-in from a new device and a changed password are reported, and nothing else', async () => {
  const omar = await member()
  await confirm(omar, 'watched@mail.example')
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const { username, password } = omar
  const signIn = (cookie: string) =>
    souk.raw('POST', '/console/v1/session', { 'User-Agent': firefox, Cookie: cookie }, { username, password })
  const device = (await signIn('')).headers.getSetCookie().find((each) => each.startsWith('souk_device'))!
  await signIn(device.split(';')[0]!)
  await omar.call('POST', '/console/v1/profile/password', { current: password, password: 'another long phrase' })
  await deliver()
  expect(subjects()).toEqual([
    'watched@mail.example: New sign-in to your account',
    'watched@mail.example: Your password was changed',
  ])
  expect(server.received[0]!.text).toMatch(/Firefox.*Windows/)
})

test('added, removed and used factors and keys are reported', async () => {
  const omar = await member()
  await confirm(omar, 'factors@mail.example')
  const { recoveryCodes } = await addPasskey(souk, omar)
  await addTotp(souk, omar)
  await omar.call('POST', '/console/v1/session/confirm', { recoveryCode: recoveryCodes![0] })
  await omar.call('POST', '/console/v1/profile/recovery-codes', {})
  await omar.call('DELETE', '/console/v1/profile/totp')
  await omar.call('POST', '/console/v1/api-key/show', {})
  await souk.console('DELETE', `/console/v1/accounts/${omar.accountId}/factors`)
  await deliver()
  expect(subjects().map((each) => each.split(': ').slice(1).join(': '))).toEqual([
    'Added to your account: Passkey',
    'Added to your account: Authenticator app',
    'A recovery code was used',
    'New recovery codes',
    'Removed from your account: Authenticator app',
    'Added to your account: API key',
    'Removed from your account: Passkey',
  ])
})

test('a request for approval reaches the administrators once per hour, and its decision the developer', async () => {
  const omar = await member()
  await confirm(omar, 'developer@mail.example')
  await confirm(layla, 'operator@mail.example')
  const { appid } = (await layla.call('POST', '/console/v1/apps', { projectId, name: 'Coffee' })).body
  souk.context.rules.approvals = 'required'
  const ask = (name: string) => omar.call('PATCH', `/console/v1/apps/${appid}`, { name })
  await ask('https://evil.example')
  await ask('Better coffee')
  const [{ changeId }] = (await layla.call('GET', `/console/v1/change-requests?appid=${appid}&state=pending`)).body
    .items
  await layla.call('POST', `/console/v1/change-requests/${changeId}/reject`, { reason: 'Too proud' })
  souk.context.rules.approvals = 'automatic'
  await deliver()
  expect(subjects()).toEqual([
    'operator@mail.example: Awaiting approval: \u2068Coffee\u2069',
    'developer@mail.example: Rejected: \u2068Coffee\u2069',
  ])
  expect(server.last('developer@mail.example').text).toContain('Too proud')
})

test('a required review reaches the administrators, and its decision the developer', async () => {
  const omar = await member()
  await confirm(omar, 'author@mail.example')
  await confirm(layla, 'reviewer@mail.example')
  // The earlier address of Layla gets a notice.
  await deliver()
  server.received.length = 0
  const { appid } = (await layla.call('POST', '/console/v1/apps', { projectId, name: 'Coffee' })).body
  const archive = await archiveOf(build())
  const { releaseId } = await uploadRelease(souk.context, { kind: 'admin' }, { appid, version: '1.4.0', archive })
  const path = `/console/v1/apps/${appid}/releases/${releaseId}`
  const required = (requireReviews: boolean) => layla.call('PATCH', '/console/v1/platform-settings', { requireReviews })
  await omar.call('POST', `${path}/submit`, {})
  expect(await waitingIds()).toEqual([])
  await omar.call('POST', `${path}/stage`, { stage: 'development' })

  await required(true)
  const { reviewId } = (await omar.call('POST', `${path}/submit`, {})).body
  await required(false)
  const reasons = [{ item: 'payment', text: 'The price is not shown.' }]
  await layla.call('POST', `/console/v1/reviews/${reviewId}/reject`, { reasons })
  await deliver()
  expect(subjects()).toEqual([
    'reviewer@mail.example: Awaiting review: \u2068Coffee\u2069 \u20681.\u20604.\u20600\u2069',
    'author@mail.example: Rejected: \u2068Coffee\u2069 \u20681.\u20604.\u20600\u2069',
  ])
  expect(server.last('author@mail.example').text).toContain('The price is not shown')
})

test('an alert reaches the roles and members of its rule, in their languages, and so does its end', async () => {
  const { projectId: own } = (await layla.call('POST', '/console/v1/projects', { name: 'Bakery' })).body
  const { appid } = (await layla.call('POST', '/console/v1/apps', { projectId: own, name: 'Bread' })).body
  const [editor, viewer, other] = [
    await souk.join(own, 'editor'),
    await souk.join(own, 'viewer'),
    await souk.join(own, 'viewer'),
  ]
  await confirm(editor, 'baker@mail.example')
  await confirm(viewer, 'seller@mail.example')
  await confirm(other, 'guest@mail.example')
  await viewer.call('PATCH', '/console/v1/profile', { language: 'zh-CN' })
  const rule = { metric: 'errors', threshold: 10, window: 15, minCount: 1 }
  const recipients = { roles: ['editor'], accountIds: [viewer.accountId] }
  await editor.call('POST', `/console/v1/apps/${appid}/alerts`, { ...rule, ...recipients })
  const happen = (kind: string, count: number) => souk.context.sql`
    insert into analytics_events (time, appid, release_id, user_id, kind, name)
    select ${souk.clock.real() - minute}, ${appid}, ${own}, lpad(n::text, 32, '0')::uuid, ${kind}, ''
    from generate_series(1, ${count}) n`
  await happen('open', 4)
  await happen('error', 1)
  await watchAlerts(souk.context)
  await watchAlerts(souk.context)
  await deliver()
  expect(server.received.flatMap((mail) => mail.recipients).sort()).toEqual([
    'baker@mail.example',
    'seller@mail.example',
  ])
  const raised = server.last('baker@mail.example')
  expect(raised.subject).toBe('Alert: Users with JavaScript errors of \u2068Bread\u2069')
  expect(raised.text).toContain(': \u206825%\u2069.')
  expect(raised.text).toContain(`http://souk.test/console/projects/${own}/`)
  expect(server.last('seller@mail.example').html).toContain('lang="zh-CN"')

  server.received.length = 0
  await souk.context.sql`update alert_rules set crossed_time = crossed_time - ${15 * minute}`
  await happen('open', 20)
  await watchAlerts(souk.context)
  await deliver()
  expect(subjects()).toHaveLength(2)
  expect(server.last('baker@mail.example').subject).toBe('Resolved: Users with JavaScript errors of \u2068Bread\u2069')
})

test('the content of a mail is encrypted while it waits, and deleted when it has been sent, once', async () => {
  const { body } = await layla.call('POST', `/console/v1/projects/${projectId}/invitations`, {
    role: 'viewer',
    email: 'sealed@mail.example',
  })
  const [mailId] = await waitingIds()
  const stored = async () =>
    (await souk.context.sql`select encode(ciphertext, 'escape') as content from mails where mail_id = ${mailId!}`)[0]!
  expect((await stored()).content).not.toContain(body.token)
  await deliverMail(souk.context, mailId!)
  await deliverMail(souk.context, mailId!)
  expect(server.received).toHaveLength(1)
  expect(server.received[0]!.messageId).toBe(`<${mailId}@mail.example>`)
  expect((await stored()).content).toBeNull()
})

const getMail = async () => (await souk.console('GET', '/console/v1/mail')).body
const invite = (email: string) =>
  layla.call('POST', `/console/v1/projects/${projectId}/invitations`, { role: 'viewer', email })

test('a refused recipient is given up, a busy server is tried again, and operators see both', async () => {
  server.refuse = { status: 550, text: 'No such user\r\nhere' }
  await invite('gone@mail.example')
  await deliver()
  server.refuse = { status: 451, text: 'Try later' }
  await invite('busy@mail.example')
  await expect(deliver()).rejects.toThrow(/^the mail [0-9a-f]{32} was not sent: 451$/)
  const { server: url, from, waiting, problems } = await getMail()
  expect({ url, from, waiting }).toEqual({ url: server.url, from: 'souk@mail.example', waiting: 1 })
  expect(problems.slice(0, 2)).toEqual([
    expect.objectContaining({
      recipient: 'busy@mail.example',
      state: 'waiting',
      attempts: 1,
      error: 'RCPT TO: 451 Try later',
    }),
    expect.objectContaining({ recipient: 'gone@mail.example', state: 'failed', error: expect.stringContaining('550') }),
  ])
  server.refuse = undefined
  await deliver()
  expect(server.received.map(({ recipients }) => recipients)).toEqual([['busy@mail.example']])
  expect((await getMail()).problems[0].recipient).toBe('gone@mail.example')
})

test('a mail waits while the server refuses the sender, which is corrected in the settings', async () => {
  const strict = await startMailServer({
    onMailFrom: (_address, _session, done) =>
      done(Object.assign(new Error('Authentication required'), { responseCode: 530 })),
  })
  const before = souk.context.mailer
  souk.context.mailer = await createMailer(settingsOf(strict.url))
  await invite('waits@mail.example')
  await expect(deliver()).rejects.toThrow('530')
  expect((await getMail()).problems[0]).toMatchObject({
    recipient: 'waits@mail.example',
    state: 'waiting',
    error: 'MAIL FROM: 530 Authentication required',
  })
  souk.context.mailer = before
  await strict.stop()
  await deliver()
  expect(server.last('waits@mail.example')).toBeDefined()
})

test('a mail server that hangs or is down costs the job an attempt, and no request waits for it', async () => {
  const hanging = await startMailServer()
  hanging.hang = true
  const before = souk.context.mailer
  souk.context.mailer = await createMailer(settingsOf(hanging.url), 200)
  expect((await invite('patient@mail.example')).status).toBe(200)
  expect(hanging.connections()).toBe(0)
  await expect(deliver()).rejects.toThrow('ETIMEDOUT')
  await hanging.stop()
  await expect(deliver()).rejects.toThrow('was not sent: ESOCKET')
  souk.context.mailer = before
  await deliver()
  expect(server.last('patient@mail.example')).toBeDefined()
})

test('the queue repeats a mail until it is sent, and runs mail jobs one after the other', async () => {
  const tasks: string[] = []
  server.refuse = { status: 421, text: 'Restarting' }
  // Jobs of the tests above, which ran them.
  await souk.context.sql`delete from graphile_worker._private_jobs`
  const worker = await startWorker({
    url: souk.database.url,
    log: souk.context.log,
    metrics: souk.context.metrics,
    concurrency: 4,
    recurring: [],
    handlers: {
      deliverMail: async ({ mailId }) => {
        tasks.push('start')
        await deliverMail(souk.context, String(mailId)).finally(() => tasks.push('end'))
      },
    },
  })
  for (const name of ['one', 'two', 'three']) await invite(`${name}@mail.example`)
  await expect.poll(() => tasks.filter((each) => each === 'end').length, { timeout: minute }).toBeGreaterThanOrEqual(3)
  expect(server.received).toEqual([])
  server.refuse = undefined
  await souk.context.sql`update graphile_worker._private_jobs set run_at = now()`
  await expect.poll(() => server.received.length, { timeout: minute }).toBe(3)
  await worker.stop()
  expect(tasks.join(' ')).toBe(tasks.map((_, index) => (index % 2 ? 'end' : 'start')).join(' '))
})

test('a mail is given up when its link has expired, and forgotten after 30 days', async () => {
  server.refuse = { status: 451, text: 'Try later' }
  await invite('never@mail.example')
  await expect(deliver()).rejects.toThrow('451')
  await souk.context.sql`update mails set valid_until = ${Date.now()} where state = 'waiting'`
  await deliver()
  expect(await waitingIds()).toEqual([])
  await invite('pruned@mail.example')
  await souk.context.sql`update mails set valid_until = ${Date.now()} where state = 'waiting'`
  await pruneMails(souk.context)
  expect((await getMail()).problems.slice(0, 2)).toMatchObject([
    { recipient: 'pruned@mail.example', state: 'failed', error: 'It was not sent in time.' },
    { recipient: 'never@mail.example', state: 'failed' },
  ])
  await souk.context.sql`update mails set mtime = mtime - ${30 * day + minute}::bigint`
  await pruneMails(souk.context)
  expect((await getMail()).problems).toEqual([])
})

const testMail = (email = 'operator@mail.example') => souk.console('POST', '/console/v1/mail/test', { email })
const stateOfMail = async () =>
  (await souk.console('GET', '/console/v1/doctor')).body.find(({ check }: { check: string }) => check === 'mail')

test('a test mail reports what the mail server answers', async () => {
  expect((await testMail()).body).toBe(true)
  expect(server.last('operator@mail.example').subject).toBe('Test mail of Souk')
  server.refuse = { status: 550, text: 'Relaying denied' }
  const { status, body } = await testMail()
  expect([status, body.code, body.detail]).toEqual([502, 'mail_failed', expect.stringContaining('Relaying denied')])
  expect(await stateOfMail()).toMatchObject({ state: 'ok', found: expect.stringContaining(server.url) })
})

test('with STARTTLS and a password, the certificate is checked and a wrong password reported', async () => {
  const secure = await startMailServer({
    ...localhost,
    onAuth: ({ username, password }, _session, done) =>
      username === 'souk@x' && password === 'p%ss word' ? done(null, { user: username }) : done(new Error('Bad login')),
  })
  const before = souk.context.mailer
  const use = async (credentials: string) => {
    souk.context.mailer = await createMailer(settingsOf(`smtp://${credentials}@localhost:${secure.port}?tls=required`))
  }
  souk.secrets.add('p%ss word')
  await use('souk%40x:p%25ss%20word')
  expect(await stateOfMail()).toMatchObject({ state: 'error', found: expect.stringMatching(/self.signed/) })
  expect((await testMail()).body.code).toBe('mail_failed')
  const restore = trustLocalhost()
  expect(await stateOfMail()).toMatchObject({ state: 'ok' })
  expect((await testMail('tls@mail.example')).body).toBe(true)
  expect(secure.last('tls@mail.example').encrypted).toBe(true)
  await use('souk%40x:wrong')
  expect(await stateOfMail()).toMatchObject({ state: 'error', found: expect.stringContaining('Bad login') })
  restore()
  await secure.stop()

  // A server without STARTTLS gets nothing, not even the password.
  souk.context.mailer = await createMailer(settingsOf(`smtp://localhost:${server.port}?tls=required`))
  expect((await testMail()).body.detail).toMatch(/STARTTLS/)
  souk.context.mailer = before
})

test('without a mail server, links are handed over, and operations that need mail say so', async () => {
  const before = souk.context.mailer
  souk.context.mailer = undefined
  const omar = await member()
  expect((await omar.call('GET', '/console/v1/session')).body.mail).toBe(false)
  const calls: [string, object][] = [
    ['/console/v1/mail/test', { email: 'a@mail.example' }],
    [`/console/v1/projects/${projectId}/invitations`, { role: 'viewer', email: 'a@mail.example' }],
    ['/console/v1/profile/email', { email: 'a@mail.example' }],
    [`/console/v1/accounts/${omar.accountId}/password-reset/mail`, {}],
    ['/console/v1/password-resets/request', { username: 'layla' }],
  ]
  for (const [path, input] of calls)
    expect((await layla.call('POST', path, input)).body.code).toBe('mail_not_configured')
  expect(await stateOfMail()).toMatchObject({ state: 'ok' })
  souk.context.settings.sandbox = false
  expect(await stateOfMail()).toMatchObject({ state: 'warning', advice: expect.stringContaining('SOUK_SMTP_URL') })
  souk.context.settings.sandbox = true
  expect(await waitingIds()).toEqual([])
  souk.context.mailer = before
})
