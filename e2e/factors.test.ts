import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import commonInArabic from '../apps/console/src/i18n/locales/ar.ts'
import common from '../apps/console/src/i18n/locales/en.ts'
import commonInChinese from '../apps/console/src/i18n/locales/zh-CN.ts'
import accounts from '../apps/console/src/pages/accounts/locales/en.ts'
import appsInArabic from '../apps/console/src/pages/apps/locales/ar.ts'
import apps from '../apps/console/src/pages/apps/locales/en.ts'
import appsInChinese from '../apps/console/src/pages/apps/locales/zh-CN.ts'
import enrolment from '../apps/console/src/pages/enrolment/locales/en.ts'
import identityInArabic from '../apps/console/src/pages/identity/locales/ar.ts'
import identity from '../apps/console/src/pages/identity/locales/en.ts'
import identityInChinese from '../apps/console/src/pages/identity/locales/zh-CN.ts'
import platform from '../apps/console/src/pages/platform/locales/en.ts'
import profile from '../apps/console/src/pages/profile/locales/en.ts'
import { type EmbeddedDatabase, startEmbedded } from '../apps/server/src/kernel/db/embedded.ts'
import { connect, type Sql } from '../apps/server/src/kernel/db/pool.ts'
import { createLog } from '../apps/server/src/kernel/log.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import {
  consolePage,
  faults,
  focused,
  type Look,
  openMenu,
  otherLooks,
  picture,
  settled,
  type WatchedPage,
} from './console.ts'
import { createFixture, type Fixture } from './fixture.ts'

const textsOf = {
  en: { apps, identity, shared: common },
  'zh-CN': { apps: appsInChinese, identity: identityInChinese, shared: commonInChinese },
  ar: { apps: appsInArabic, identity: identityInArabic, shared: commonInArabic },
}

let directory: string
let database: EmbeddedDatabase
let sql: Sql
let server: RunningServer
let fixture: { values: Fixture; close(): Promise<void> }
/** Passkeys need a host name. */
let url: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'souk-factors-'))
  database = await startEmbedded({ directory, log: createLog('error'), settings: { fsync: 'off' } })
  sql = connect(database.url)
  const env = (port: number) => {
    url = `http://localhost:${port}`
    return { SOUK_PUBLIC_URL: url, DATABASE_URL: database.url }
  }
  server = await startServer({ env })
  fixture = await createFixture(server)
})
afterAll(async () => {
  await fixture?.close()
  await server?.stop()
  await sql?.end()
  await database?.stop()
  await rm(directory, { recursive: true, force: true })
})

const open = (session: string | null, look: Partial<Look> = {}) => consolePage(look, session, url)

/** Calls the console API with the admin token. */
async function asAdmin<T>(method: string, path: string, input?: object): Promise<T> {
  const answer = await fetch(`${server.url}/console/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${server.adminToken}`,
      ...(input ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(input ? { body: JSON.stringify(input) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Creates an account and returns how it signs in. */
async function joinProject(username: string) {
  const { projectId } = fixture.values
  const { token } = await asAdmin<{ token: string }>('POST', `/projects/${projectId}/invitations`, { role: 'owner' })
  const password = `a rather long phrase of ${username}`
  const answer = await fetch(`${server.url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, username, name: username, password }),
  })
  const session = /souk_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] as string
  const { account } = (await answer.json()) as { account: { accountId: string } }
  return { username, password, session, accountId: account.accountId }
}

/** Connects a device with passkeys, which verifies its user, to the browser of a page. */
async function connectDevice(page: WatchedPage): Promise<{ remove(): Promise<void> }> {
  onTestFinished(() => page.context().close())
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    remove: async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}

/** Makes all confirmations older than an operation accepts. */
const waitTenMinutes = () => sql`update account_sessions set confirmed_at = confirmed_at - 600000`

async function signIn(page: WatchedPage, { username, password }: { username: string; password: string }) {
  await page.getByLabel(common.field.username).fill(username)
  await page.getByLabel(common.field.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: WatchedPage) {
  await page.getByRole('button', { name: /^User Center: / }).click()
  await openMenu(page).getByText(common.account.signOut).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

test('An operator enrols a passkey, is asked for step-up at an invitation, loses the device, comes back with a recovery code', async () => {
  const { administrator, session, projectId, trades } = fixture.values
  const page = await open(session)
  const device = await connectDevice(page)

  await page.goto('profile#security')
  const section = page.getByRole('region', { name: profile.factors.title })
  await section.getByRole('button', { name: profile.factors.addPasskey }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(profile.factors.passkeyName).fill('Work laptop')
  await picture(page, 'factors-add-passkey.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.keyboard.press('Enter')
  const shown = dialog.getByRole('status', { name: profile.factors.recoveryCodes })
  const codes = (await shown.innerText()).trim().split(/\s+/)
  expect(codes).toHaveLength(10)
  await picture(page, 'factors-recovery-codes.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: profile.factors.stored }).click()
  await section.getByRole('row', { name: 'Work laptop' }).waitFor()

  await waitTenMinutes()
  await page.goto(`projects/${projectId}/trades/${trades.paid}`)
  await settled(page)
  await page.getByRole('button', { name: 'Refund' }).press('Enter')
  const refund = page.getByRole('dialog').first()
  await refund.getByRole('textbox', { name: 'Reason' }).fill('Stepped up')
  await page.keyboard.press('Enter')
  // A sandbox has no money that a confirmation would protect.
  await page.getByText('Stepped up').first().waitFor()

  await page.goto(`projects/${projectId}/members`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Use a passkey to create an invitation' })
  await confirmation.waitFor()
  await picture(page, 'factors-identity.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await confirmation.getByRole('button', { name: common.identity.usePasskey }).click()
  await confirmation.waitFor({ state: 'hidden' })
  await page.getByRole('dialog').getByText('/console/invitation').waitFor()
  await page.reload()

  await device.remove()
  await signOut(page)
  await signIn(page, administrator)
  await page.getByRole('button', { name: common.identity.usePasskey }).waitFor()
  await page.getByRole('button', { name: common.identity.other.recoveryCode }).click()
  await page.getByLabel(common.identity.recoveryCode).fill('aaaa-bbbb-cccc-dddd')
  await page.getByRole('button', { name: common.identity.confirm }).click()
  await page.getByRole('alert').getByText(common.identity.wrong.recoveryCode).waitFor()
  await picture(page, 'factors-recovery.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByLabel(common.identity.recoveryCode).fill(codes[0]!.toUpperCase())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^User Center: / }).waitFor()

  await page.goto('profile#security')
  await section.getByText('9 codes are left.').waitFor()
  await section.getByRole('button', { name: `${profile.factors.remove}: Work laptop` }).click()
  await page.getByRole('dialog').getByRole('button', { name: profile.factors.remove }).click()
  await section.getByText(profile.factors.noPasskeys).waitFor()
  await signOut(page)
  await signIn(page, administrator)
  await page.getByRole('button', { name: /^User Center: / }).waitFor()
})

test('an account adds an app and a passkey, and signs in with either, even when its session has ended', async () => {
  const omar = await joinProject('omar')
  const page = await open(omar.session)
  await connectDevice(page)
  await page.goto('profile#security')
  const section = page.getByRole('region', { name: profile.factors.title })
  await section.getByRole('button', { name: profile.factors.addTotp }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: profile.factors.qrCode }).waitFor()
  const secret = /[A-Z2-7]{32}/.exec(await dialog.innerText())![0]
  const totp = new TOTP({ secret })
  await dialog.getByLabel(profile.factors.code).fill('12345')
  await page.keyboard.press('Enter')
  await dialog.getByText(profile.factors.codeRule).waitFor()
  await picture(page, 'factors-totp.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByLabel(profile.factors.code).fill(totp.generate())
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: profile.factors.stored }).click()
  await section.getByRole('button', { name: profile.factors.removeTotp }).waitFor()

  await signOut(page)
  // The next code is accepted: the one above has been used.
  await sql`update account_totp set last_step = 0`
  await signIn(page, omar)
  await page.getByLabel(common.identity.code).fill(totp.generate())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^User Center: / }).waitFor()

  await page.goto('profile#security')
  await section.getByRole('button', { name: profile.factors.addPasskey }).click()
  await dialog.getByRole('button', { name: profile.factors.addPasskey }).click()
  const row = section.getByRole('row', { name: profile.factors.passkeyDefault })
  await row.getByRole('button', { name: /^Rename/ }).click()
  await dialog.getByLabel(profile.factors.passkeyName).fill('Blue key')
  await page.keyboard.press('Enter')
  await section.getByRole('row', { name: 'Blue key' }).waitFor()
  await settled(page)
  await picture(page, 'factors.en.light.desktop')
  expect(await faults(page)).toEqual([])

  await asAdmin('DELETE', `/accounts/${omar.accountId}/sessions`)
  await section.getByRole('button', { name: 'Rename: Blue key' }).click()
  await dialog.getByLabel(profile.factors.passkeyName).fill('Green key')
  await page.keyboard.press('Enter')
  const ended = page.getByRole('dialog', { name: common.ended.title })
  await ended.getByLabel(common.field.password, { exact: true }).fill(omar.password)
  await page.keyboard.press('Enter')
  await ended.getByRole('button', { name: common.identity.usePasskey }).click()
  await section.getByRole('row', { name: 'Green key' }).waitFor()

  await signOut(page)
  await page.getByRole('button', { name: common.identity.signInWithPasskey }).press('Enter')
  await page.getByRole('button', { name: 'User Center: omar' }).waitFor()

  await signOut(page)
  await sql`update platform_settings set password_sign_in = false`
  await page.reload()
  await page.getByLabel(common.field.username).waitFor({ state: 'detached' })
  await picture(page, 'sign-in-without-passwords.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: common.identity.signInWithPasskey }).click()
  await page.getByRole('button', { name: 'User Center: omar' }).waitFor()
  await sql`update platform_settings set password_sign_in = true`
})

test('a required second factor is added at the next sign-in; an administrator resets it and ends sessions', async () => {
  const nora = await joinProject('nora')
  const [page, admin] = [await open(nora.session), await open(null)]
  await admin.goto('')
  await signIn(admin, fixture.values.administrator)
  await admin.getByRole('button', { name: /^User Center: / }).waitFor()
  await admin.goto('platform?view=operators')
  await settled(admin)
  await admin.getByRole('switch', { name: platform.secondFactor.require }).press('Space')
  await admin.getByText(common.saved).waitFor()
  await picture(admin, 'platform-second-factor.en.light.desktop')
  expect(await faults(admin)).toEqual([])

  await page.goto('')
  await signOut(page)
  await page.goto('profile')
  await signIn(page, nora)
  await page.getByRole('heading', { name: enrolment.title }).waitFor()
  await page.goto('projects')
  await page.getByRole('heading', { name: enrolment.title }).waitFor()
  await picture(page, 'enrolment.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await connectDevice(page)
  await page.getByRole('button', { name: enrolment.passkey }).click()
  await page.getByRole('dialog').getByRole('button', { name: profile.factors.addPasskey }).click()
  await page.getByRole('dialog').getByRole('button', { name: profile.factors.stored }).click()
  await page.getByRole('button', { name: 'User Center: nora' }).waitFor()

  await admin.goto('accounts')
  const row = admin.getByRole('row', { name: 'nora' })
  await row.getByText(accounts.factorPresent).waitFor()
  await row.getByRole('button', { name: 'Actions for nora' }).click()
  await openMenu(admin).getByText(accounts.endSessions).click()
  await admin.getByRole('dialog').getByRole('button', { name: accounts.endSessions }).click()
  await admin.getByText('Sessions of nora ended').waitFor()
  await page.goto('profile')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await row.getByRole('button', { name: 'Actions for nora' }).press('Enter')
  await openMenu(admin).getByText(accounts.resetFactors).click()
  await picture(admin, 'accounts-reset.en.light.desktop')
  expect(await faults(admin)).toEqual([])
  await admin.getByRole('dialog').getByRole('button', { name: accounts.resetFactors }).click()
  await row.getByText(accounts.factorMissing).waitFor()

  await asAdmin('PATCH', '/platform-settings', { requireSecondFactor: false })
  await signIn(page, nora)
  await page.getByRole('heading', { name: profile.title }).waitFor()
})

test.each<Look>([
  { language: 'ar', scheme: 'dark', device: 'phone' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
])('the pages of second factors look right in $language, $scheme, on a $device', async (look) => {
  const name = `${look.language}.${look.scheme}.${look.device}`
  const user = await joinProject(`user-${look.language.toLowerCase()}`)
  const page = await open(user.session, look)
  await connectDevice(page)
  await page.goto('profile')
  await settled(page)
  expect(await faults(page)).toEqual([])
  const section = page.locator('#security')
  await section.getByRole('button').first().click()
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await page.getByRole('dialog').getByRole('status').waitFor()
  await picture(page, `factors-recovery-codes.${name}`)
  expect(await faults(page)).toEqual([])
  await page.getByRole('dialog').locator('button[type=submit]').click()
  await section.locator('tbody tr').waitFor()
  await picture(page, `factors.${name}`)
  expect(await faults(page)).toEqual([])
  await waitTenMinutes()
  await section.getByRole('button').last().click()
  await page.getByRole('dialog').locator('button[type=submit]').click()
  const { createRecoveryCodes } = textsOf[look.language].identity.actions
  await page.getByRole('dialog', { name: new RegExp(createRecoveryCodes) }).waitFor()
  await picture(page, `factors-identity.${name}`)
  expect(await faults(page)).toEqual([])
})

test.each<Look>([{ language: 'en', scheme: 'light', device: 'desktop' }, ...otherLooks])(
  'the confirmation names what it is for, and says at the field what is wrong: $language, $scheme, $device',
  async (look) => {
    const { projectId } = fixture.values
    const user = await joinProject(`rana-${look.language.toLowerCase()}`)
    const page = await open(user.session, look)
    // As a live installation does; a sandbox does not ask here.
    const refusal = { type: 'about:blank', title: 'Confirm', status: 403, code: 'step_up_required', detail: 'Confirm.' }
    let isAsked = false
    await page.route('**/console/v1/apps', (route) => {
      if (isAsked || route.request().method() !== 'POST') return route.continue()
      isAsked = true
      const json = { ...refusal, data: { methods: ['password'] } }
      return route.fulfill({ status: 403, contentType: 'application/problem+json', json })
    })
    await page.goto(`projects/${projectId}/apps`)
    await settled(page)
    const texts = textsOf[look.language]
    await page.getByRole('button', { name: texts.apps.create }).first().click()
    const form = page.getByRole('dialog').first()
    await form.getByRole('textbox').first().fill('Tea House')
    await page.keyboard.press('Enter')
    const action = texts.identity.actions.createApp.replace('{name}', 'Tea House')
    const confirmation = page.getByRole('dialog', { name: /Tea House/ })
    await confirmation.waitFor()
    const title = (await confirmation.getByRole('heading').innerText()).replaceAll(/[\u2066-\u2069]/g, '')
    expect(title).toBe(texts.identity.titles.password.replace('{action}', action))
    const field = confirmation.getByLabel(texts.shared.field.password, { exact: true })
    await field.and(focused(page)).waitFor()
    await field.fill('not this one')
    await page.keyboard.press('Enter')
    await confirmation.getByRole('alert').getByText(texts.shared.identity.wrong.password).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await settled(page)
    await picture(page, `identity.${look.language}.${look.scheme}.${look.device}`)
    expect(await faults(page)).toEqual([])
    await field.fill(user.password)
    await page.keyboard.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await page.getByText('Tea House').first().waitFor()
  },
)

test('a request that waits for a confirmation is not sent for another account that signs in', async () => {
  const { projectId } = fixture.values
  const [first, second] = [await joinProject('huda'), await joinProject('khalid')]
  const page = await open(first.session)
  await page.goto(`projects/${projectId}/members`)
  await page.getByRole('button', { name: 'Invite' }).click()
  await waitTenMinutes()
  await page.getByLabel('Invitee (optional)').fill('Ziad')
  await page.getByRole('button', { name: 'Create link' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Enter your password to create an invitation' })
  await confirmation.getByLabel(common.field.password, { exact: true }).fill(first.password)
  await page.context().clearCookies()
  await confirmation.getByRole('button', { name: common.identity.confirm }).click()
  const ended = page.getByRole('dialog', { name: common.ended.title })
  await ended.getByLabel(common.field.username).fill(second.username)
  await ended.getByLabel(common.field.password, { exact: true }).fill(second.password)
  await ended.getByRole('button', { name: common.ended.signIn }).click()
  await page.getByRole('button', { name: 'User Center: khalid' }).waitFor()
  await confirmation.waitFor({ state: 'detached' })
  const { items } = await asAdmin<{ items: unknown[] }>('GET', `/projects/${projectId}/invitations`)
  expect(items).not.toContainEqual(expect.objectContaining({ note: 'Ziad' }))
})

test('the page of an account is left without asking when another account signs in', async () => {
  const [first, second] = [await joinProject('amal'), await joinProject('basim')]
  const page = await open(first.session)
  await page.goto('profile')
  await page.getByLabel(common.field.name, { exact: true }).fill('Amal Haddad')
  await page.context().clearCookies()
  await page.getByRole('button', { name: common.save, exact: true }).click()
  const ended = page.getByRole('dialog', { name: common.ended.title })
  await ended.getByLabel(common.field.username).fill(second.username)
  await ended.getByLabel(common.field.password, { exact: true }).fill(second.password)
  await ended.getByRole('button', { name: common.ended.signIn }).click()
  await page.getByRole('heading', { name: common.nav.projects, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'User Center: basim' }).waitFor()
})
