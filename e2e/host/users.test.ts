import { expect, test } from 'vitest'
import type { WatchedPage } from '../console.ts'
import {
  builtMiniApp,
  chooseMiniApp,
  enterMiniApp,
  hostPage,
  manage,
  neu,
  newSession,
  newUser,
  openMiniApp,
  openShop,
  type Shop,
  serverUrl,
  signInElsewhere,
  started,
} from './fixture.ts'

/** Users who follow one another in a window: what began for one of them must not go on for the next. */

async function bakery(name: string): Promise<Shop> {
  const shop = await openShop(name)
  await shop.upload('1.0.0', await builtMiniApp())
  return shop
}

/** Returns a user's stored session, and its token. */
async function sessionOf(uid: number): Promise<{ session: string; token: string }> {
  const session = await newSession(uid)
  return { session, token: JSON.parse(session).token }
}

/** Lets the server answer the next request, which resolves `answered`. The page gets the answer by `release`. */
async function holdAnswer(page: WatchedPage, path: string) {
  const answered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === `/host/v1/${path}`,
    async (route) => {
      const response = await route.fetch()
      answered.resolve()
      await released.promise
      await route.fulfill({ response }).catch(() => {})
      done.resolve()
    },
    { times: 1 },
  )
  return {
    answered: answered.promise,
    async release() {
      released.resolve()
      await done.promise
    },
  }
}

/** Collects the paths that are requested with a session. */
function requestsOf(page: WatchedPage, token: string): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    if (request.headers().authorization !== `Bearer ${token}`) return
    paths.push(`${request.method()} ${new URL(request.url()).pathname.replace('/host/v1/', '')}`)
  })
  return paths
}

test('a mini app does not get consent of a user who signs in while it asks for data of another', async () => {
  const shop = await bakery('Old Town Bakery')
  const page = await hostPage(await newUser('Noura', { phone: '500000001' }))
  const frame = await enterMiniApp(page, shop)
  const scope = 'user.phone'
  const first = neu(frame, 'getAuthCode', { scope })
  await page.getByRole('button', { name: 'Allow' }).click()
  await first
  // Until then the page may still read the consent for it.
  await page.locator('.privacy-notice').waitFor()

  const held = await holdAnswer(page, `apps/${shop.appid}/consent`)
  // Its frame is removed before it gets an answer.
  neu(frame, 'getAuthCode', { scope }).catch(() => {})
  await held.answered
  const { session, token } = await sessionOf(await newUser('Huda', { phone: '500000002' }))
  const requested = requestsOf(page, token)
  await signInElsewhere(page, session)
  await held.release()
  await expect.poll(() => requested).toContain(`GET apps/${shop.appid}/consent`)
  const consent = await fetch(`${serverUrl()}/host/v1/apps/${shop.appid}/consent`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(await consent.json()).toMatchObject({ scopes: [] })
  expect(requested).not.toContain(`POST apps/${shop.appid}/auth-code`)
})

test('a list of mini apps that arrives late is not that of the next user', async () => {
  const shop = await openShop('Bakery on Trial')
  const [tester, other] = await Promise.all([newUser('Tariq'), newUser('Mona')])
  await shop.upload('0.1.0', await builtMiniApp(), false)
  await manage('PATCH', `apps/${shop.appid}`, { capabilities: ['notification'] })
  // Only testers get its messages.
  await manage('POST', `apps/${shop.appid}/testers`, { uids: [tester, other] })
  await manage('POST', `apps/${shop.appid}/notifications`, {
    uids: [other],
    language: 'en_US',
    navigateType: '1',
    title: 'Order 7 is ready',
    text: 'Pick it up.',
    link: 'pages/home/home',
  })
  await manage('POST', `apps/${shop.appid}/testers`, { uids: [tester] })
  const page = await hostPage(tester)
  const held = await holdAnswer(page, 'apps')
  await page.goto('')
  await page.getByRole('heading', { name: 'Mini apps' }).waitFor()
  await held.answered
  await signInElsewhere(page, await newSession(other))
  await page.getByRole('link', { name: 'Notifications' }).click()
  const message = page.getByRole('listitem').getByRole('button', { name: 'Order 7 is ready' })
  await message.waitFor()
  await held.release()
  let isLoaded = false
  page.on('request', (request) => {
    isLoaded ||= new URL(request.url()).pathname.startsWith(`/mini/${shop.appid}/`)
  })
  await message.click()
  await page.getByRole('alert').filter({ visible: true }).waitFor()
  expect(isLoaded).toBe(false)
})

test('answers that one user reads stay unread for the next', async () => {
  const shop = await bakery('Old Town Bakery')
  const noura = await newUser('Noura')
  const { token } = await sessionOf(noura)
  const sent = await fetch(`${serverUrl()}/host/v1/apps/${shop.appid}/feedback`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'idea', text: 'Sell cake.' }),
  })
  const { feedbackId } = (await sent.json()) as { feedbackId: string }
  await manage('POST', `feedback/${feedbackId}/answer`, { text: 'From Monday.' })

  const page = await hostPage(noura)
  await page.goto('')
  await page.getByRole('link', { name: 'Me: Noura' }).click()
  const feedback = page.getByRole('link', { name: 'Your feedback: 1 unread' })
  // The count is from the same operation, so its request could be held instead.
  await feedback.waitFor()
  const held = await holdAnswer(page, 'feedback')
  await feedback.click()
  await held.answered
  await page.getByRole('link', { name: 'Home' }).click()
  const huda = await sessionOf(await newUser('Huda'))
  const requested = requestsOf(page, huda.token)
  await signInElsewhere(page, huda.session)
  await page.getByRole('link', { name: 'Me: Huda' }).waitFor()
  await held.release()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(requested).not.toContain('POST feedback/read')
})

test('a mini app that one user opens is not among those that the next has opened', async () => {
  const shop = await bakery('Old Town Bakery')
  const page = await hostPage(await newUser('Noura'))
  const held = await holdAnswer(page, `apps/${shop.appid}/open`)
  await chooseMiniApp(page, shop)
  await held.answered
  await page.getByRole('button', { name: 'Leave mini app' }).click()
  await page.waitForURL('**/host/')
  const huda = await newUser('Huda')
  await signInElsewhere(page, await newSession(huda))
  await page.getByRole('link', { name: 'Me: Huda' }).waitFor()
  await held.release()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await page.evaluate((uid) => localStorage.getItem(`souk.host.shelf.${uid}`), huda)).toBeNull()
})

test('what a mini app has done for one user is not counted for the next', async () => {
  const shop = await bakery('Old Town Bakery')
  const page = await hostPage(await newUser('Noura'))
  await enterMiniApp(page, shop)
  const { session, token } = await sessionOf(await newUser('Huda'))
  const requested = requestsOf(page, token)
  await signInElsewhere(page, session)
  await expect.poll(() => requested).toContain(`POST apps/${shop.appid}/open`)
  const counted = `POST apps/${shop.appid}/analytics`
  expect(requested).not.toContain(counted)
  // Events of the next user are counted.
  await started(page, shop)
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect.poll(() => requested).toContain(counted)
})

test('a mini app that is replaced while it is being opened counts once', async () => {
  const shop = await bakery('Old Town Bakery')
  const page = await hostPage(await newUser('Noura'))
  const openings: string[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith(`/${shop.appid}/analytics`)) return
    const { events } = request.postDataJSON() as { events: { kind: string }[] }
    openings.push(...events.map(({ kind }) => kind).filter((kind) => kind === 'open'))
  })
  const held = await holdAnswer(page, `apps/${shop.appid}/open`)
  await chooseMiniApp(page, shop)
  await held.answered
  await page.getByRole('button', { name: 'Mini app menu' }).waitFor()
  // As a click on a system notification does.
  await page.evaluate((open) => {
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { open } }))
  }, `/apps/${shop.appid}?page=pages/cart/cart`)
  await started(page, shop)
  await held.release()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect.poll(() => openings).toContain('open')
  expect(openings).toEqual(['open'])
})

test('a mini app reports custom events, numbered within its opening', async () => {
  const shop = await bakery('Hill Bakery')
  const page = await hostPage(await newUser('Noura'))
  const reports: { opening: { id: string; place: number }; events: { kind: string; custom?: object }[] }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/${shop.appid}/analytics`)) reports.push(request.postDataJSON())
  })
  const frame = await openMiniApp(page, shop)
  const report = (name: string, fields: object) =>
    frame.evaluate(
      ([name, fields]) =>
        (window as unknown as { uni: { reportEvent(name: string, fields: object): void } }).uni.reportEvent(
          name,
          fields,
        ),
      [name, fields] as const,
    )
  const custom = () =>
    reports.flatMap(({ opening, events }) =>
      events.flatMap((event, index) => (event.custom ? [{ ...event.custom, place: opening.place + index }] : [])),
    )
  const sent = (count: number) =>
    expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('pagehide')))
        return custom().length
      })
      .toBe(count)
  await report('addToCart', { category: 'bread', price: 300 })
  await report('addToCart', { note: 'x'.repeat(41) })
  await sent(2)
  await report('order', {})
  await sent(3)
  const [first] = custom()
  expect(custom().map(({ place: _, ...event }) => event)).toEqual([
    { name: 'addToCart', fields: { category: 'bread', price: 300 } },
    { name: 'addToCart' },
    { name: 'order', fields: {} },
  ])
  const places = custom().map(({ place }) => place - first!.place)
  expect(places.slice(0, 2)).toEqual([0, 1])
  // The frame may have reported something else in between.
  expect(places[2]).toBeGreaterThan(1)
  expect(new Set(reports.map(({ opening }) => opening.id)).size).toBe(1)
})

test('a page from the back/forward cache shows the user who has signed in since', async () => {
  const page = await hostPage(await newUser('Noura'))
  await page.goto('')
  await page.getByRole('link', { name: 'Me: Noura' }).waitFor()
  const { session } = await sessionOf(await newUser('Huda'))
  await page.evaluate((session) => {
    localStorage.setItem('souk.host.session', session)
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  }, session)
  await page.getByRole('link', { name: 'Me: Huda' }).waitFor()
})

test('the page after a payment does not show the result of another user', async () => {
  const page = await hostPage(await newUser('Noura'))
  let own: string | undefined
  await page.route('**/host/v1/trades/1/result', (route) => {
    const { authorization } = route.request().headers()
    own ??= authorization
    return authorization === own ? route.fulfill({ json: { status: 2 } }) : route.abort()
  })
  await page.goto('paid?tradeNo=1')
  const result = page.getByRole('status').filter({ hasText: 'Payment successful' })
  await result.waitFor()
  await signInElsewhere(page, (await sessionOf(await newUser('Huda'))).session)
  await result.waitFor({ state: 'detached' })
})

test('a late answer to a sign-out does not take the user away from the next sign-in', async () => {
  const page = await hostPage(await newUser('Noura'))
  await newUser('Samira')
  await page.goto('profile')
  const answers = Promise.withResolvers<void>()
  await page.route('**/host/v1/sessions', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    await answers.promise
    await route.fulfill({ json: { signOutUrl: new URL('/host/feedback', page.url()).href } })
  })
  const answer = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Samira' }).click()
  await page.getByRole('link', { name: 'Me: Samira' }).waitFor()
  const opened = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        navigation.addEventListener('navigate', ({ destination }) => {
          const { pathname } = new URL(destination.url)
          // The router also replaces the entry of the page that it leaves.
          if (pathname !== '/host/') resolve(pathname)
        })
      }),
  )
  answers.resolve()
  await (await answer).finished()
  await page.getByRole('link', { name: 'Me: Samira' }).click()
  expect(await opened).toBe('/host/profile')
})

test('a window that has missed the sign-in in another one does not end the new session', async () => {
  const noura = await newUser('Noura')
  const page = await hostPage(noura)
  await page.goto('')
  await page.getByRole('link', { name: 'Me: Noura' }).waitFor()
  const stored = () => page.evaluate(() => localStorage.getItem('souk.host.session')!)
  // Without an event, as for a page in the back/forward cache.
  const signInUnnoticed = async (uid: number) => {
    const { token: ended } = JSON.parse(await stored())
    const next = await sessionOf(uid)
    await page.evaluate((session) => localStorage.setItem('souk.host.session', session), next.session)
    await fetch(`${serverUrl()}/host/v1/sessions`, { method: 'DELETE', headers: { Authorization: `Bearer ${ended}` } })
    return next
  }
  const again = await signInUnnoticed(noura)
  const requested = requestsOf(page, again.token)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect.poll(() => requested).toContain('GET events')
  expect(await stored()).toBe(again.session)

  const huda = await signInUnnoticed(await newUser('Huda'))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('link', { name: 'Me: Huda' }).waitFor()
  expect(await stored()).toBe(huda.session)
})
