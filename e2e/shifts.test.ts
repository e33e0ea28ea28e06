import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { consoleCall } from './calls.ts'
import { consolePage, type Look, layoutShift, maxLayoutShift, settled } from './console.ts'
import { hostPage } from './host.ts'

const { projectId, appid, trades, uids } = inject('fixture')
const project = `projects/${projectId}`
const app = `${project}/apps/${appid}`

/** The address of each page of the console, by the name of its route; undefined if the fixture has nothing to show. */
const pages: Record<string, string | undefined> = {
  projects: '',
  profile: 'profile',
  reviews: 'reviews',
  reports: 'reports',
  platform: 'platform',
  users: 'users',
  accounts: 'accounts',
  reference: 'reference?operation=trade',
  overview: project,
  apps: `${project}/apps`,
  app,
  appSettings: `${app}/settings`,
  releases: `${app}/releases`,
  analytics: `${app}/analytics`,
  inspect: `${app}/inspect`,
  pagesEditor: `${app}/pages`,
  appFeedback: `${app}/feedback`,
  trades: `${project}/trades`,
  trade: `${project}/trades/${trades.callbackFailed}`,
  money: `${project}/money`,
  providers: `${project}/providers`,
  callbacks: `${project}/callbacks`,
  messages: `${project}/messages`,
  feedback: `${project}/feedback`,
  requests: `${project}/requests`,
  sandbox: `${project}/sandbox?tradeNo=${trades.open}`,
  datasets: `${project}/datasets`,
  dataset: `${project}/datasets/${projectId}.trades`,
  members: `${project}/members`,
  projectSettings: `${project}/settings`,
  audit: `${project}/audit`,
  missing: 'nowhere',
  // What is not there has the place of what is.
  eventEndpoint: `platform/events/${'0'.repeat(32)}`,
  review: `${app}/releases/${'0'.repeat(32)}/review`,
  report: `reports/${'0'.repeat(32)}`,
  feedbackMessage: `${project}/feedback/${'0'.repeat(32)}`,
}
/** Pages before the sign-in. */
const entrance: Record<string, string> = {
  signIn: 'sign-in',
  setup: 'setup',
  signedOn: 'signed-on',
  passwordReset: `password-reset#${'a'.repeat(43)}`,
  enrolment: 'second-factor',
  email: `email#${'a'.repeat(43)}`,
  forgottenPassword: 'forgotten-password',
  invitation: '',
}
const hostPages: Record<string, string> = {
  home: '',
  inbox: 'inbox',
  profile: 'profile',
  feedback: 'feedback',
  chat: 'chat',
  conversation: `chat/${uids[1]}`,
}
const hostEntrance: Record<string, string> = { signIn: 'sign-in', signedIn: 'signed-in', paid: 'paid' }

beforeAll(async () => {
  const first = async (path: string) => (await consoleCall<{ items: Record<string, string>[] }>('GET', path)).items[0]!
  pages.callback = `${project}/callbacks/${(await first(`/${project}/callbacks?failuresFirst=true`)).notifyId}`
  const invited = await consoleCall<{ link: string }>('POST', `/${project}/invitations`, { role: 'viewer' })
  entrance.invitation = `invitation${new URL(invited.link).hash}`
  pages.request = `${project}/requests/${(await first(`/${project}/requests`)).requestId}`
})

/** Returns the names of the routes of the application on a page. */
const routesOf = (page: Page) =>
  page.evaluate(() => {
    type Router = { getRoutes(): { name?: string; redirect?: unknown }[] }
    type Root = { __vue_app__: { config: { globalProperties: { $router: Router } } } }
    const { $router } = (document.querySelector('#app') as unknown as Root).__vue_app__.config.globalProperties
    return $router.getRoutes().flatMap(({ name, redirect }) => (name && !redirect ? [name] : []))
  })

/** Loads each page afresh, and returns those that move more than they may. */
async function shiftsOf(page: Page, paths: Record<string, string | undefined>): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const [name, path] of Object.entries(paths)) {
    // The least of three, since what other tests change at the moment moves live pages.
    let least = 1
    for (let load = 0; load < 3 && least > maxLayoutShift; load += 1) {
      // A page of the same document would not be loaded.
      await page.goto('about:blank')
      await page.goto(path!)
      await settled(page)
      least = Math.min(least, await layoutShift(page))
    }
    if (least > maxLayoutShift) found[name] = Number(least.toFixed(3))
  }
  return found
}

const looks: Partial<Look>[] = [{ device: 'desktop' }, { device: 'phone' }]

describe.each(looks)('on a $device', (look) => {
  test('no page of the console moves while it loads', { timeout: 300_000 }, async () => {
    const page = await consolePage(look)
    expect(await shiftsOf(page, pages)).toEqual({})
    expect((await routesOf(page)).sort()).toEqual(Object.keys({ ...pages, ...entrance }).sort())
    expect(await shiftsOf(await consolePage(look, null), entrance)).toEqual({})
  })

  test('no page of the host moves while it loads', { timeout: 120_000 }, async () => {
    const page = await hostPage(look, uids[0])
    expect(await shiftsOf(page, hostPages)).toEqual({})
    // Mini apps draw their own pages, and addresses of others are in a frame.
    const known = [...Object.keys({ ...hostPages, ...hostEntrance }), 'miniApp', 'webView']
    expect((await routesOf(page)).sort()).toEqual(known.sort())
    expect(await shiftsOf(await hostPage(look), hostEntrance)).toEqual({})
  })
})
