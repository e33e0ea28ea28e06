import { minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../apps/server/test/mailServer.ts'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { consolePage, faults, picture, settled } from './console.ts'
import { administratorOf } from './fixture.ts'

let mail: MailServer
let server: RunningServer
let session: string

beforeAll(async () => {
  mail = await startMailServer()
  server = await startServer({ env: { SOUK_SMTP_URL: mail.url, SOUK_MAIL_FROM: 'Souk <souk@mail.example>' } })
  ;({ session } = await administratorOf(server))
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

const page = (look = {}, credential: string | null = session) => consolePage(look, credential, server.url)

/** Waits for a mail and returns the address of its link. */
async function linkTo(recipient: string, subject: string): Promise<string> {
  const found = () =>
    mail.received.find((each) => each.recipients.includes(recipient) && each.subject?.includes(subject))
  await expect.poll(found, { timeout: minute }).toBeDefined()
  return /http:\/\/\S+#\S+/.exec(found()!.text ?? '')![0]
}

test('an operator sends a test mail, and sees one that the mail server refuses', async () => {
  const platform = await page()
  await platform.goto('platform?view=messages')
  const section = platform.getByRole('region', { name: 'Mail' })
  await section.getByText(mail.url).waitFor()
  await section.getByRole('button', { name: 'Send test mail' }).click()
  const dialog = platform.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('operator@mail.example')
  mail.refuse = { status: 550, text: 'Relaying denied' }
  await dialog.getByRole('button', { name: 'Send' }).click()
  await dialog.getByRole('alert').getByText('Relaying denied').waitFor()
  // The browser reports the status 502.
  platform.complaints.length = 0
  expect(await faults(platform)).toEqual([])
  mail.refuse = undefined
  await dialog.getByRole('button', { name: 'Send' }).click()
  await platform.getByText('The mail server accepted the mail').first().waitFor()
  expect(mail.last('operator@mail.example').subject).toBe('Test mail of Souk')
  await settled(platform)
  await picture(platform, 'mail-platform.en.light.desktop')
  const arabic = await page({ language: 'ar', scheme: 'dark', device: 'phone' })
  await arabic.goto('platform?view=messages')
  await settled(arabic)
  await picture(arabic, 'mail-platform.ar.dark.phone')
  expect(await faults(arabic)).toEqual([])
})

test('an account confirms its address, and resets a forgotten password with a mail', async () => {
  const profile = await page()
  await profile.goto('profile')
  const section = profile.getByRole('region', { name: 'E-mail address' })
  await section.getByLabel('E-mail address').fill('layla@mail.example')
  await section.getByRole('button', { name: 'Send confirmation' }).click()
  await section.getByText('Open the link in the mail').waitFor()
  await picture(profile, 'mail-profile.en.light.desktop')
  expect(await faults(profile)).toEqual([])

  await profile.goto(await linkTo('layla@mail.example', 'Confirm'))
  await settled(profile)
  await picture(profile, 'mail-confirm.en.light.desktop')
  await profile.getByRole('button', { name: 'Confirm address' }).click()
  await section.getByText('Confirmed:').waitFor()

  const other = await page({ language: 'ar', device: 'phone' }, null)
  await other.goto('sign-in')
  await other.getByRole('link', { name: 'هل نسيت كلمة المرور؟' }).click()
  await other.getByLabel('اسم المستخدم أو البريد الإلكتروني').fill('LAYLA@mail.example')
  await other.waitForURL(/forgotten-password$/)
  await picture(other, 'mail-forgotten.ar.light.phone')
  expect(await faults(other)).toEqual([])
  await other.getByRole('button', { name: 'إرسال الرابط' }).click()
  await other.getByRole('status').waitFor()
  await other.goto(await linkTo('layla@mail.example', 'Reset'))
  await other.getByLabel('كلمة المرور الجديدة').first().fill('another long phrase of hers')
  await other.getByLabel('كلمة المرور الجديدة').first().press('Enter')
  await other.waitForURL(/\/console\/$/)

  await other.goto('profile')
  await other.getByRole('region', { name: 'البريد الإلكتروني' }).getByRole('button', { name: 'إزالة' }).click()
  const question = other.getByRole('dialog', { name: 'إزالة البريد الإلكتروني؟' })
  await question.waitFor()
  await picture(other, 'mail-remove.ar.light.phone')
  expect(await faults(other)).toEqual([])
  await question.getByRole('button', { name: 'إزالة' }).click()
  await other.getByText('أُزيل العنوان').first().waitFor()
})
