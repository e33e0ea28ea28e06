import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { errorCodes } from '../../../packages/contract/src/reference.ts'
import { find, type Indexes, readIndex } from '../.vitepress/search/find.ts'
import { dist } from './site.ts'

/** Questions with the pages that answer them. */
type Questions = Record<string, readonly string[]>

const inEnglish: Questions = {
  'why is my sign wrong': ['guides/sandbox', 'errors/sign_mismatch'],
  'how do I refund': ['guides/money'],
  'test card numbers': ['guides/providers'],
  CORS: ['guides/releases'],
  'rotate secret': ['guides/rotate-secret', 'guides/backend'],
  'callback not received': ['guides/verify-callbacks'],
  'verify callback express': ['guides/verify-callbacks'],
  'how long are callbacks retried': ['guides/verify-callbacks', 'spec/open-api'],
  'callback to localhost': ['guides/sandbox', 'guides/verify-callbacks'],
  sign_mismatch: ['errors/sign_mismatch'],
  rate_limited: ['errors/rate_limited'],
  code_used: ['errors/code_used'],
  timestamp_out_of_window: ['errors/timestamp_out_of_window'],
  scope_not_granted: ['errors/scope_not_granted'],
  'too many requests': ['errors/rate_limited'],
  'error 413': ['errors/body_too_large', 'spec/open-api'],
  'permission denied': ['errors/permission_denied'],
  'login code expired': ['errors/code_expired'],
  'list of all errors': ['generated/errors'],
  'how do I create a trade': ['operations/trade'],
  'move the clock': ['guides/sandbox'],
  'test amounts': ['generated/sandbox'],
  'how to publish a mini app': ['guides/releases'],
  'roll back a release': ['guides/releases'],
  'canary release': ['guides/releases'],
  'QR code for testers': ['guides/releases'],
  'github actions': ['guides/ci'],
  'token for CI': ['guides/service-accounts'],
  'disable analytics': ['guides/analytics'],
  'source maps': ['guides/analytics'],
  'delete a mini app': ['guides/archive'],
  'hot reload': ['guides/mini-apps'],
  'validate pages.json': ['guides/pages-json'],
  'vscode extension': ['guides/pages-json'],
  'tabBar icon': ['generated/pages-json', 'spec/pages-json'],
  'migrate from uni-app': ['guides/from-uni-app'],
  'host functions': ['guides/host-functions'],
  'embed a mini app in my website': ['guides/embedding-web'],
  android: ['guides/embedding-web'],
  'exchange token for host session': ['guides/users'],
  'GDPR delete user': ['guides/users'],
  'how do I get the e-mail address of a user': ['guides/users', 'guides/login-and-payment', 'spec/open-api'],
  'webhook events': ['guides/events'],
  'API key': ['guides/platform-api'],
  'export data as csv': ['guides/platform-api'],
  stripe: ['guides/providers'],
  'route payments to another provider': ['guides/money'],
  reconciliation: ['guides/money'],
  'how do I back up': ['guides/backup'],
  'point in time recovery': ['guides/backup'],
  'upgrade to a new version': ['guides/upgrades'],
  'forgot password': ['guides/accounts'],
  'two factor authentication': ['guides/sign-on'],
  'SSO for the console': ['guides/sign-on'],
  S3: ['guides/object-storage'],
  pgbouncer: ['guides/database'],
  'docker compose': ['guides/live'],
  'nginx TLS certificate': ['guides/live'],
  'prometheus metrics': ['guides/monitoring'],
  'high availability': ['guides/high-availability'],
}

/** Questions about functions of neu and about tags. */
const ofReference: Questions = {
  'neu.requestPayment': ['neu/requestPayment'],
  'scan code': ['neu/scanCode'],
  'uni.showToast': ['neu/showToast'],
  'neu.request': ['neu/request'],
  'wx.request': ['neu/request'],
  'wx.login': ['neu/login'],
  getStorageSync: ['neu/getStorage'],
  offLocationChange: ['neu/onLocationChange'],
  'choose an image': ['neu/chooseImage'],
  'upload a file': ['neu/uploadFile'],
  clipboard: ['neu/setClipboardData', 'neu/getClipboardData'],
  'tab bar badge': ['neu/setTabBarBadge', 'neu/removeTabBarBadge'],
  'make the phone vibrate': ['neu/vibrateShort', 'neu/vibrateLong'],
  createSelectorQuery: ['neu/createSelectorQuery'],
  'picker tag': ['tags/picker'],
  'scroll-view': ['tags/scroll-view'],
  swiper: ['tags/swiper'],
  'checkbox-group': ['tags/checkbox-group'],
  'rich-text': ['tags/rich-text'],
}

/** What developers of WeChat mini programs call things. */
const ofWeChat = {
  root: 'WeChat, mini program, code2Session, session_key, app.json, wxml, wxss, wx:for, bindtap, setData, trial version',
  zh: '微信, 微信小程序, 体验版, 体验成员, 云开发, 生命周期, 客服, 获取手机号, 统一下单, 微信开发者工具, 条件渲染',
}

const inChinese: Questions = {
  怎么退款: ['zh/guides/backend', 'guides/money'],
  测试卡号: ['guides/providers'],
  签名错误: ['zh/guides/sandbox'],
  如何拨动时钟: ['zh/guides/sandbox'],
  跨域: ['zh/guides/releases'],
  备份: ['guides/backup'],
  '从 uni-app 迁移': ['zh/guides/from-uni-app', 'zh/guides/mini-apps'],
  容器部署: ['guides/live'],
  高可用: ['guides/high-availability'],
  sign_mismatch: ['zh/errors/sign_mismatch'],
}

const inArabic: Questions = {
  'كيف أسترد المبلغ': ['guides/money'],
  'بطاقات الاختبار': ['guides/providers'],
  'كيف أتحقق من التوقيع': ['ar/guides/verify-callbacks', 'ar/guides/sandbox'],
  'تقديم الساعة': ['ar/guides/sandbox'],
  'النسخ الاحتياطي': ['guides/backup'],
  'نشر التطبيق المصغر': ['ar/guides/mini-apps', 'ar/guides/releases'],
  'نسيت كلمة المرور': ['guides/accounts'],
  'التوافر العالي': ['guides/high-availability'],
  دوكر: ['guides/live'],
  code_used: ['ar/errors/code_used'],
}

const chunks = join(dist, 'assets/chunks')
const english = await loadIndex('root')
const inRoot = { english }
const inLocale = {
  zh: { english, own: { locale: 'zh', index: await loadIndex('zh') } },
  ar: { english, own: { locale: 'ar', index: await loadIndex('ar') } },
}

/** Imports an index as the page does. */
async function loadIndex(locale: string): Promise<MiniSearch> {
  const name = (await readdir(chunks)).find(
    (file) => file.startsWith(`@localSearchIndex${locale}.`) && file.endsWith('.js'),
  )
  return readIndex(((await import(join(chunks, name!))) as { default: string }).default)
}

/** Returns the pages that a question finds, in their order. */
function pagesFor(question: string, indexes: Indexes = inRoot): string[] {
  const sections = find(question, indexes).flatMap((results) => results.sections)
  return [...new Set(sections.map(({ id }) => id.slice(1).split('#')[0]!))]
}

/** Returns the questions whose pages are not among the first `count` results. */
function missed(questions: Questions, count: number, indexes?: Indexes): string[] {
  return Object.entries(questions).flatMap(([question, wanted]) => {
    const found = pagesFor(question, indexes).slice(0, count)
    return found.some((page) => wanted.includes(page)) ? [] : [`${question}: ${found.join(', ')}`]
  })
}

test('of 60 questions, 54 find their page first, and all among the first three', () => {
  expect(Object.keys(inEnglish)).toHaveLength(60)
  expect(missed(inEnglish, 3)).toEqual([])
  expect(missed(inEnglish, 1).length).toBeLessThanOrEqual(6)
})

test('the reference of functions and tags is found by names and by what they do', () => {
  expect(missed(ofReference, 3)).toEqual([])
  expect(missed(ofReference, 1).length).toBeLessThanOrEqual(2)
})

test.each([
  ['English', ofWeChat.root, inRoot, 'guides/from-wechat'],
  ['Chinese', ofWeChat.zh, inLocale.zh, 'zh/guides/from-wechat'],
] as const)('names of WeChat are found in its guide, in %s', (_language, names, indexes, page) => {
  const questions = Object.fromEntries(names.split(', ').map((name) => [name, [page]]))
  expect(missed(questions, 3, indexes)).toEqual([])
})

test.each([
  ['zh', inChinese],
  ['ar', inArabic],
] as const)(
  'questions in %s find translated pages, and English ones where there is no translation',
  (locale, questions) => {
    const indexes = inLocale[locale]
    expect(Object.keys(questions)).toHaveLength(10)
    expect(missed(questions, 3, indexes)).toEqual([])
    expect(missed(questions, 1, indexes).length).toBeLessThanOrEqual(1)
  },
)

test('results say which pages are in English, and contain none that is translated', () => {
  const [first, second] = find('对账', inLocale.zh)
  expect([first!.language, second!.language]).toEqual(['english', 'own'])
  expect(first!.sections.map(({ id }) => id)).not.toContainEqual(
    expect.stringMatching(/^\/guides\/(?:sandbox|mini-apps)/),
  )
  expect(find('refund', inRoot).map(({ language }) => language)).toEqual(['english'])
})

test.each([
  ['English', '', inRoot],
  ['Chinese', 'zh/', inLocale.zh],
  ['Arabic', 'ar/', inLocale.ar],
] as const)('every error is found first by its code, in %s', (_language, folder, indexes) => {
  expect(errorCodes.filter((code) => pagesFor(code, indexes)[0] !== `${folder}errors/${code}`)).toEqual([])
})

test('decisions and threats rank below guides', () => {
  const isReason = (page: string) => /^(?:adr|security)\//.test(page)
  const found = Object.keys(inEnglish).map((question) => pagesFor(question).slice(0, 3))
  expect(found.filter(([first]) => isReason(first!))).toEqual([])
  expect(found.flat().filter(isReason).length).toBeLessThanOrEqual(8)
  // They are found by those who look for them.
  expect(pagesFor('decision opaque origin')).toContain('adr/0131-opaque-origin')
})
