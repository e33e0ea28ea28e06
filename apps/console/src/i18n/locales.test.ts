import { consoleOperations, type Operation } from '@souk/contract'
import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import { describe, expect, test } from 'vitest'
import common from './locales/en.ts'

type Tree = { readonly [name: string]: string | Tree }

/** Texts of the console and the host application. */
const files = import.meta.glob<Tree>(
  ['./locales/*.ts', '../pages/*/locales/*.ts', '../../../host/src/*/locales/*.ts'],
  { eager: true, import: 'default' },
)
const folders = [...new Set(Object.keys(files).map((file) => file.slice(0, file.lastIndexOf('/'))))]

/** Returns every text with its path, such as `empty.title`. */
function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[prefix + name, value] as [string, string]] : flatten(value, `${prefix}${name}.`),
  )
}

function readTexts(folder: string, locale: string): Map<string, string> {
  const tree = files[`${folder}/${locale}.ts`]
  if (!tree) throw new Error(`${folder}/${locale}.ts is missing`)
  return new Map(flatten(tree))
}

const root = '../../../../'
const guides = new Set(Object.keys(import.meta.glob('../../../../docs/guides/*.md')).map((it) => it.slice(root.length)))

const plural = 2
const number = 4

/** An argument of a message: its name, how it is shown, and the texts by case if there are several. */
type Argument = [name: string, kind?: number, cases?: Record<string, CompiledMessage>]

/** Returns the arguments of a message, with those in its plural forms. */
function argumentsOf(message: CompiledMessage): Argument[] {
  return (Array.isArray(message) ? message : []).flatMap((node) => {
    if (!Array.isArray(node)) return []
    const argument = node as Argument
    const cases = Object.values(argument[2] ?? {})
    return [argument, ...cases.flatMap(argumentsOf)]
  })
}

const namesOf = (text: string) => [...new Set(argumentsOf(compile(text)).map(([name]) => name))].sort()

/** Arguments that `Values` of `@souk/web` declares as numbers. */
const numbers = new Set(['count', 'days', 'number', 'min', 'max', 'length', 'minutes'])

/** Words after a number that would have another form for another number. */
const dependent: Record<string, RegExp> = {
  en: /, number\} (?:[a-z]+ )?[a-z]+s\b/,
  'zh-CN': /(?!)/,
  ar: /, number\} (?!(?:من|إلى|على|أو)(?: |$))[\p{Script=Arabic}]/u,
}

describe.each(folders)('%s', (folder) => {
  const english = readTexts(folder, 'en')

  test.each(['zh-CN', 'ar'])('%s has the same keys as English and no empty text', (locale) => {
    const texts = readTexts(folder, locale)
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test.each(['zh-CN', 'ar'])('%s has the same arguments as English', (locale) => {
    const differing = [...readTexts(folder, locale)].filter(
      ([key, text]) => namesOf(text).join() !== namesOf(english.get(key) ?? '').join(),
    )
    expect(differing).toEqual([])
  })

  test.each(['en', 'zh-CN', 'ar'])('%s names guides that exist, and those of English', (locale) => {
    const guidesIn = (text = '') => text.match(/docs\/guides\/[\w-]+\.md/g) ?? []
    const texts = [...readTexts(folder, locale)]
    expect(texts.flatMap(([, text]) => guidesIn(text)).filter((guide) => !guides.has(guide))).toEqual([])
    const differing = texts.filter(([key, text]) => guidesIn(text).join() !== guidesIn(english.get(key)).join())
    expect(differing).toEqual([])
  })

  test.each(['en', 'zh-CN', 'ar'])('%s has numbers in the format and the plural forms of the language', (locale) => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
    const faults = [...readTexts(folder, locale)].flatMap(([key, text]) => {
      const found = argumentsOf(compile(text)).flatMap(([name, kind, cases = {}]) => {
        const forms = Object.keys(cases).filter((form) => !form.startsWith('='))
        return [
          ...(numbers.has(name) === (kind === plural || kind === number) ? [] : [`${name} is shown as text`]),
          ...(kind !== plural || forms.sort().join() === [...pluralCategories].sort().join() ? [] : [`has ${forms}`]),
        ]
      })
      if (text.includes(' | ')) found.push('has forms that are not ICU')
      if (dependent[locale]?.test(text)) found.push('does not agree with its number')
      return found.map((fault) => `${key} ${fault}: ${text}`)
    })
    expect(faults).toEqual([])
  })
})

/**
 * Arabic terms of the texts only, each with words that would be a second term for the same thing. `docs/terms.ts` has
 * those that pages have too.
 */
const arabicTerms: [term: string, others: RegExp][] = [
  ['إشعار الدفع (callback)', /استدعاءات/],
  ['نقطة النهاية (endpoint)', /(?:نقطة|نقاط) (?:ال)?استقبال/],
  ['معلَمة (parameter)', /معامل(?![ةت]|ات)|معاملات (?:الطلب|الاستعلام)/],
  ['دفتر الأستاذ (ledger)', /الدفتر|دفتر الحسابات/],
  ['عنوان URL (URL)', /رابط (?:الأيقونة|الشعار|الصورة)|عنوان (?:ال)?ويب/],
  ['استخدم (use)', /استعم|يستعم|تستعم/],
]

/** Returns the Latin words of a text that a symbol starts or ends, except those in isolates or between marks. */
function unisolatedSymbols(text: string): string[] {
  const plain = text.replace(/\u2066[^\u2069]*\u2069|\u200e[^\u200e]*\u200e|\{[^}]*\}/g, ' ')
  const words = plain.match(/[!-~…]+/g) ?? []
  const cores = words.map((word) => word.replace(/^[(]+|[).,:;!?]+$/g, ''))
  return cores.filter((core) => /[a-z]/i.test(core) && !/^[a-z](?:.*[a-z\d])?$/i.test(core))
}

const arabic = folders.flatMap((folder) =>
  [...readTexts(folder, 'ar')].map(([key, text]) => `${folder} ${key}: ${text}`),
)

test.each(arabicTerms)('Arabic texts use only %s', (_, others) => {
  expect(arabic.filter((text) => others.test(text))).toEqual([])
})

/** Chinese terms of the texts only, like the Arabic ones. */
const chineseTerms: [term: string, others: RegExp][] = [
  ['未找到 (not found)', /找不到/],
  ['首页 (home page)', /主页/],
  ['接收人 (recipient)', /接收者/],
  ['币种 (currency)', /货币/],
  ['已达上限 (limit reached)', /过多$/],
  ['重新发送 (resend)', /重新投递/],
]

test.each(chineseTerms)('Chinese texts use only %s', (_, others) => {
  const texts = folders.flatMap((folder) => [...readTexts(folder, 'zh-CN').values()])
  expect(texts.filter((text) => others.test(text))).toEqual([])
})

test('no button but Cancel has the Arabic text of Cancel, since dialogs show both', () => {
  const buttons = folders.flatMap((folder) =>
    [...readTexts(folder, 'ar')]
      .filter(([, text]) => text === 'إلغاء')
      .map(([key]) => readTexts(folder, 'en').get(key)),
  )
  expect(new Set(buttons)).toEqual(new Set(['Cancel']))
})

test('Arabic texts isolate identifiers whose symbols would move to the other side', () => {
  const texts = arabic.map((text) => text.slice(text.indexOf(': ') + 2))
  expect(texts.filter((text) => unisolatedSymbols(text).length > 0)).toEqual([])
})

test('the console has a title for each error of the operations that it calls', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,vue}', '!../**/*.test.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  })
  const called = new Set(
    Object.values(sources).flatMap((text) => [...text.matchAll(/\bcall\('(\w+)'/g)].map(([, id]) => id as string)),
  )
  expect(called.size).toBeGreaterThan(100)
  const operations = Object.values<Operation>(consoleOperations).filter(({ id }) => called.has(id))
  const untitled = operations.flatMap(({ id, errors }) =>
    errors.filter((code) => !Object.hasOwn(common.problems, code)).map((code) => `${code} of ${id}`),
  )
  expect(untitled).toEqual([])
})
