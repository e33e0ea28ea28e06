import type { ConsoleLanguage, MailKind } from '@souk/contract'
import { ar } from './texts/ar.ts'
import { en } from './texts/en.ts'
import type { Texts } from './texts/texts.ts'
import { zhCN } from './texts/zhCN.ts'
import { type MailValues, notices } from './values.ts'

const texts: Record<ConsoleLanguage, Texts> = { en, 'zh-CN': zhCN, ar }

/** Pages of the console that mails link to. Tokens follow the `#`, so that they are not logged. */
const pages: Partial<Record<MailKind, string>> = {
  invitation: '/console/invitation',
  passwordReset: '/console/password-reset',
  emailConfirmation: '/console/email',
  newDevice: '/console/profile#sessions',
  passwordChanged: '/console/profile#sessions',
  credentialAdded: '/console/profile',
  credentialRemoved: '/console/profile',
  recoveryCodesCreated: '/console/profile',
  recoveryCodeUsed: '/console/profile',
  changeRequested: '/console/reviews',
  canaryHalted: '/console/projects/{projectId}/apps/{appid}/releases',
  alertRaised: '/console/projects/{projectId}/apps/{appid}/analytics#alerts',
  alertResolved: '/console/projects/{projectId}/apps/{appid}/analytics#alerts',
  miniAppReported: '/console/reports',
  callbacksDisabled: '/console/projects/{projectId}/callbacks',
  endpointDisabled: '/console/platform?view=messages',
  blockAppealed: '/console/reviews?kind=appeal',
}

interface ComposedMail {
  subject: string
  text: string
  html: string
}

/**
 * Writes a mail in a language, as plain text and as HTML without external content. Its links point to the public URL
 * only.
 */
export function composeMail<K extends MailKind>(
  { kind, language, values }: { kind: K; language: ConsoleLanguage; values: MailValues[K] },
  publicUrl: string,
): ComposedMail {
  const found = texts[language]
  const { subject, lines, action } = found.mails[kind]
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => show(name, values, language))
  const page = pages[kind]
  const path = page?.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(values, name)))
  const link = path && `${publicUrl}${path}${'token' in values ? `#${values.token}` : ''}`
  const isNotice = notices.some((notice) => notice === kind)
  const parts = {
    subject: fill(subject),
    lines: [...lines.map(fill), ...(isNotice ? [found.notYou] : [])],
    action: action && link ? { text: action, link } : undefined,
    footer: found.footer.replace('{url}', publicUrl),
  }
  return { subject: parts.subject, text: asText(parts), html: asHtml(parts, language) }
}

interface Parts {
  subject: string
  lines: string[]
  action: { text: string; link: string } | undefined
  footer: string
}

function asText({ lines, action, footer }: Parts): string {
  const [first, ...rest] = lines
  return [first, ...(action ? [`${action.text}:\n${action.link}`] : []), ...rest, `-- \n${footer}`].join('\n\n')
}

function asHtml({ subject, lines, action, footer }: Parts, language: ConsoleLanguage): string {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const paragraph = (content: string, style = '') => `<p style="margin:0 0 16px;${style}">${content}</p>`
  const [first = '', ...rest] = lines.map((line) => paragraph(escapeHtml(line)))
  return [
    `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;max-width:600px;font:16px/1.5 sans-serif" dir="${direction}">`,
    first,
    ...(action
      ? [button(action), paragraph(`<bdi dir="ltr">${escapeHtml(action.link)}</bdi>`, 'word-break:break-all')]
      : []),
    ...rest,
    paragraph(escapeHtml(footer), 'font-size:13px;color:#5f6368'),
    '</body></html>',
  ].join('\n')
}

function button({ text, link }: { text: string; link: string }): string {
  const style =
    'display:inline-block;padding:10px 20px;border-radius:6px;color:#fff;background:#1b6b4c;text-decoration:none'
  return `<p style="margin:0 0 16px"><a href="${escapeHtml(link)}" style="${style}">${escapeHtml(text)}</a></p>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

/** Returns a value as it is shown: times in UTC, names of a list translated, texts of others harmless. */
function show(name: string, values: object, language: ConsoleLanguage): string {
  const found = texts[language]
  const value: unknown = (values as Record<string, unknown>)[name]
  if (value === null || value === undefined) return found.unknown
  if (typeof value === 'number') return showTime(value, language)
  const text = String(value)
  if (isListed(name)) return Reflect.get(found[name], text)
  return isolate(harmless(text))
}

const listed = ['role', 'credential', 'change', 'failures', 'reportReason', 'alertMetric', 'blockedState'] as const
const isListed = (name: string): name is (typeof listed)[number] => listed.some((each) => each === name)

function showTime(time: number, language: ConsoleLanguage): string {
  const locale = language === 'ar' ? 'ar-u-nu-latn' : language
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return isolate(`${format.format(time)} UTC`)
}

/**
 * Keeps a text that someone else has chosen on one line, without marks that change its direction, and prevents mail
 * programs from making a link of it: they do not look past a word joiner.
 */
function harmless(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/([.:/@])(?=\S)/g, '$1\u2060')
}

/** Isolates the direction of a value from that of its sentence, if the two can differ. */
function isolate(text: string): string {
  return `\u2068${text}\u2069`
}
