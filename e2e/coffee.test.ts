import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../apps/server/test/server.ts'
import { messages } from '../examples/coffee/backend/messages.ts'
import { ar } from '../examples/coffee/src/words/ar.ts'
import { en } from '../examples/coffee/src/words/en.ts'
import { zh } from '../examples/coffee/src/words/zh.ts'
import { faults, type Look, newPage, picture } from './console.ts'

// Souk Coffee in the host application, as `npm start` brings both up.

const root = join(import.meta.dirname, '..')
let server: RunningServer
const ends: (() => unknown)[] = []

beforeAll(async () => {
  server = await startServer()
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning']
  const example = spawn(process.execPath, [...flags, join(root, 'examples/coffee/main.ts')], {
    cwd: root,
    env: { ...process.env, SOUK_URL: server.url, SOUK_DATA_DIR: server.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(example, 'exit')
  ends.push(() => {
    example.kill()
    return ended
  })
  await Promise.race([once(example.stdout, 'data'), ended.then(() => Promise.reject(new Error('no coffee')))])
}, 120_000)
afterAll(async () => {
  for (const end of ends) await end()
  await server?.stop()
})

async function call<T>(path: string, input?: object, token?: string): Promise<T> {
  const answer = await fetch(server.url + path, {
    method: input ? 'POST' : 'GET',
    headers: {
      ...(input && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(input && { body: JSON.stringify(input) }),
  })
  expect(answer.ok, path).toBe(true)
  return (await answer.json()) as T
}

const stories = [
  { look: { language: 'en', scheme: 'light', device: 'phone' }, words: en, told: messages.en_US },
  { look: { language: 'zh-CN', scheme: 'dark', device: 'phone' }, words: zh, told: messages.zh_CN },
  { look: { language: 'ar', scheme: 'dark', device: 'desktop' }, words: ar, told: messages.ar_SA },
] as const satisfies { look: Look; words: typeof en; told: unknown }[]

test.concurrent.for(stories)('the whole story in $look.language', async ({ look, words, told }, { expect }) => {
  const { uid } = await call<{ uid: number }>('/console/v1/sandbox/users', { nickname: 'نورة' }, server.adminToken)
  const { session, user } = await call<{ session: string; user: object }>('/host/v1/sessions', { uid })
  const page = await newPage(look, `${server.url}/host/`, {
    'souk.host.language': look.language,
    'souk.host.session': JSON.stringify({ token: session, user }),
  })
  const frame = page.frameLocator('iframe')
  const button = (name: string) => frame.getByRole('button', { name, exact: true }).filter({ visible: true })
  const tab = (index: number) => page.locator('.neu-tabbar').getByRole('button', { name: words.tabs[index]! })
  const state = (name: keyof typeof words.states) => frame.getByRole('status').getByText(words.states[name]).waitFor()
  const sheet = page.getByRole('dialog')
  const settle = sheet.locator('footer button').first()
  const found: Record<string, string[]> = {}
  async function show(name: string) {
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await picture(page, `coffee-${name}.${look.language}.${look.scheme}`)
    const here = await faults(page)
    if (here.length > 0) found[name] = here
  }

  // Login: the page greets by the name that the backend has read.
  await page.goto('')
  await page.getByRole('link', { name: 'Souk Coffee' }).click()
  await frame.getByRole('heading', { name: words.welcome('نورة') }).waitFor()
  const drink = { en: 'Latte', 'zh-CN': '拿铁', ar: 'لاتيه' }[look.language]
  await button(words.add(drink)).click()
  await button(words.add(drink)).click()
  await tab(1).filter({ hasText: '2' }).waitFor()
  await show('menu')

  // Order, and leave the cashier: nothing is paid.
  await tab(1).click()
  await button(words.orderAndPay).waitFor()
  await show('cart')
  await button(words.orderAndPay).click()
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  await button(words.pay).waitFor()
  await state('unpaid')
  await show('unpaid')

  // The order changes, under its number.
  const heading = page.locator('.neu-navbar').filter({ visible: true })
  const number = Number(/\d+/.exec(await heading.innerText())![0])
  await button(words.change).click()
  await frame.getByText(words.changing(number)).waitFor()
  await button(words.fewer(drink)).click()
  await show('changing')
  await button(words.orderAndPay).click()
  await sheet
    .getByText(/16\.00/)
    .first()
    .waitFor()
  await settle.click()
  await state('making')
  await settle.click()
  await sheet.waitFor({ state: 'detached' })
  await show('making')

  // Messages arrive, the second time while the user is elsewhere.
  await page.locator('.capsule button').last().click()
  const { title, text } = told.waiting(number)
  const activity = page.getByRole('link').filter({ hasText: title })
  await activity.getByText(text).waitFor()
  await show('home')
  const inbox = () => call<{ title: string }[]>('/host/v1/inbox', undefined, session)
  await expect.poll(inbox).toMatchObject([told.ready(number), told.paid(number)])

  // The message leads to the order, and goes with it.
  await activity.click()
  await button(words.collect).click()
  await state('collected')
  await page.locator('.capsule button').last().click()
  await activity.waitFor({ state: 'detached' })
  expect(found).toEqual({})
})
