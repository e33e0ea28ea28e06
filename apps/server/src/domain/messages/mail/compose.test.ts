import { consoleLanguages, type MailKind, mailKinds } from '@souk/contract'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { composeMail } from './compose.ts'
import type { MailValues } from './values.ts'

const publicUrl = 'https://souk.example'
const occasion = { username: 'layla', address: '192.0.2.1', time: Date.UTC(2030, 0, 2, 3, 4) }
const link = { token: 'souk_token_abc', validUntil: Date.UTC(2030, 0, 9) }
const change = { app: 'Coffee', project: 'Market', change: 'domains' } as const
const watched = {
  app: 'Coffee',
  appid: 'demoapp00000001',
  projectId: '0'.repeat(32),
  alertMetric: 'launchTime',
  value: '5200 ms',
  threshold: '4000 ms',
} as const
const release = { app: 'Coffee', version: '1.4.0', project: 'Market' }

const blocked = {
  blockedState: 'appDisabled',
  subject: 'Coffee',
  reason: 'The price is wrong',
  blockedBy: 'Layla',
  answer: null,
  answeredBy: 'Layla',
  time: Date.UTC(2030, 0, 2),
} as const

const samples: { [K in MailKind]: MailValues[K] } = {
  test: {},
  invitation: { project: 'Market', role: 'editor', invitedBy: 'Layla', ...link },
  passwordReset: { username: 'layla', ...link },
  emailConfirmation: { username: 'layla', ...link },
  emailChanged: occasion,
  newDevice: { ...occasion, browser: 'Firefox', system: null },
  passwordChanged: occasion,
  credentialAdded: { ...occasion, credential: 'passkey' },
  credentialRemoved: { ...occasion, credential: 'totp' },
  recoveryCodesCreated: occasion,
  recoveryCodeUsed: occasion,
  changeRequested: { ...change, requestedBy: 'Omar' },
  changeApproved: { ...change, decidedBy: 'Layla' },
  changeRejected: { ...change, decidedBy: 'Layla', reason: 'Too early' },
  releaseSubmitted: { ...release, submittedBy: 'Omar' },
  releaseApproved: { ...release, decidedBy: 'Layla' },
  releaseRejected: { ...release, decidedBy: 'Layla', reason: 'Too early' },
  canaryHalted: {
    app: 'Coffee',
    version: '1.4.0',
    appid: 'demoapp00000001',
    projectId: '0'.repeat(32),
    failures: 'errors',
  },
  alertRaised: watched,
  alertResolved: { ...watched, value: null },
  miniAppReported: { app: 'Coffee', project: 'Market', reportReason: 'fraud' },
  callbacksDisabled: {
    app: 'Coffee',
    projectId: '0123456789abcdef0123456789abcdef',
    host: 'coffee.example',
    failingSince: Date.UTC(2030, 0, 2),
  },
  endpointDisabled: { url: 'https://backend.example/souk', failingSince: Date.UTC(2030, 0, 2) },
  blocked,
  blockLifted: { ...blocked, answer: 'The price is right' },
  blockKept: { ...blocked, answer: 'The price is still wrong' },
  blockAppealed: { blockedState: 'releaseWithdrawn', subject: 'Coffee 1.4.0', appealedBy: 'Omar', appeal: 'Corrected' },
}

/** Returns the addresses that a mail program would make links of, in the text and in the HTML. */
async function linksOf({ text, html }: { text: string; html: string }): Promise<string[]> {
  const body = (type: string, content: string) =>
    `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}`
  const plain = await simpleParser(body('text/plain', text))
  return [...`${plain.textAsHtml}${html}`.matchAll(/href="([^"]*)"/g)].map(([, address]) => address!)
}

describe.each(consoleLanguages)('in %s', (language) => {
  test.each(mailKinds)('%s has all its values, and links to the public URL only', async (kind) => {
    const mail = composeMail({ kind, language, values: samples[kind] }, publicUrl)
    for (const part of Object.values(mail)) {
      expect(part).not.toMatch(/\{\w+\}|undefined/)
      expect(part).not.toBe('')
    }
    const links = await linksOf(mail)
    expect(links.length).toBeGreaterThan(0)
    for (const each of links) expect(each).toMatch(/^https:\/\/souk\.example(\/console\/|$)/)
    expect(mail.html).not.toMatch(/<(img|link|script|style|iframe)|url\(|@import/i)
    expect(mail.html).toContain(language === 'ar' ? 'dir="rtl"' : 'dir="ltr"')
  })

  test('names, times and words of lists are shown in the language', () => {
    const { text } = composeMail({ kind: 'newDevice', language, values: samples.newDevice }, publicUrl)
    expect(text).toContain('Firefox')
    expect(text).toContain('192.\u20600.\u20602.\u20601')
    expect(text).toContain('2030')
    const invitation = composeMail({ kind: 'invitation', language, values: samples.invitation }, publicUrl)
    expect(invitation.text).toContain({ en: 'Editor', 'zh-CN': '编辑者', ar: 'محرّر' }[language])
    expect(invitation.text).toContain('https://souk.example/console/invitation#souk_token_abc')
  })
})

test('names that others chose neither become links, nor markup, nor lines, nor change the direction', async () => {
  for (const invitedBy of [
    'https://evil.example/login',
    'evil.example',
    'layla@evil.example',
    '//evil.example/x',
    'Layla\r\nBcc: all@evil.example\u2028\u202e',
    '<a href="https://evil.example">Layla</a>',
  ]) {
    const values = { ...samples.invitation, invitedBy, project: invitedBy }
    const mail = composeMail({ kind: 'invitation', language: 'en', values }, publicUrl)
    for (const each of await linksOf(mail)) expect(each).toMatch(/^https:\/\/souk\.example/)
    expect(mail.html).not.toContain('<a href="https://evil')
    expect(mail.subject).not.toMatch(/[\r\n\u2028\u202e]/)
    expect(mail.text).not.toMatch(/\nBcc|[\u2028\u202e]/)
  }
})
