import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { release } from '@souk/vite-plugin'
import { archiveOf } from '../../apps/server/test/archive.ts'
import type { RunningServer } from '../../apps/server/test/server.ts'
import { consoleOperations } from '../../packages/contract/src/console/index.ts'
import { day, hour } from '../../packages/contract/src/time.ts'
import type { Fixture } from '../fixture.ts'

const root = join(import.meta.dirname, '../..')

type Json = Record<string, unknown>

/** Calls the console API with the admin token. */
export type Manage = <T = Json>(method: string, path: string, input?: Json | FormData) => Promise<T>

/** Returns a function that calls the console API of a server. */
export function managerOf({ url, adminToken }: RunningServer): Manage {
  return async <T>(method: string, path: string, input?: Json | FormData) => {
    const isForm = input instanceof FormData
    const answer = await fetch(`${url}/console/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${adminToken}`,
        ...(input && !isForm && { 'Content-Type': 'application/json' }),
      },
      ...(input && { body: isForm ? input : JSON.stringify(input) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

/** Moves the clock of a sandbox to nine o'clock on the next Monday, so that all pictures begin with a week. */
export async function beginWeek(manage: Manage): Promise<void> {
  const { now } = await manage<{ now: number }>('GET', '/sandbox/clock')
  const today = now - (now % day)
  const daysToMonday = 7 - ((new Date(now).getUTCDay() + 6) % 7)
  await manage('POST', '/sandbox/clock', { forward: today + daysToMonday * day + 9 * hour - now })
}

/** Signs a user of the host in, and returns the session as the host stores it. */
export async function signIn({ url }: RunningServer, uid: number): Promise<{ token: string; user: Json }> {
  const answer = await fetch(`${url}/host/v1/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ uid }),
  })
  const { session, user } = (await answer.json()) as { session: string; user: Json }
  return { token: session, user }
}

/** What the pictures show of Corner Coffee. */
export interface Furniture {
  /** The release that waits for a review. */
  reviewed: string
  /** A user with messages in English only. */
  uid: number
}

/** Gives the first mini app of the fixture what a shop has after some months: releases, figures, alerts and members. */
export async function furnish(server: RunningServer, manage: Manage, fixture: Fixture): Promise<Furniture> {
  const { appid, projectId } = fixture
  const loyaltyCard = consoleOperations.putHostFunction.example as Json
  await manage('POST', '/host-functions', loyaltyCard)
  const reviewed = await uploadReleases(manage, appid)
  const uids: number[] = []
  for (const nickname of ['Noura', 'Karim', 'Hala', 'Yusuf', 'Rana', 'Tariq', 'Dina', 'Faisal'])
    uids.push((await manage<{ uid: number }>('POST', '/sandbox/users', { nickname })).uid)
  for (const [index, uid] of uids.entries()) await openAs(server, { appid, uid, index })
  const rule = { threshold: 5, window: 60, minCount: 1, roles: ['owner'], accountIds: [] }
  await manage('POST', `/apps/${appid}/alerts`, { ...rule, metric: 'errors' })
  await manage('POST', `/apps/${appid}/alerts`, { ...rule, metric: 'failedCallbacks', threshold: 10, window: 15 })
  for (const { role, ...person } of [
    { name: 'Omar Nasser', username: 'omar', role: 'editor' },
    { name: 'Mei Lin', username: 'mei', role: 'viewer' },
  ]) {
    const { token } = await manage<{ token: string }>('POST', `/projects/${projectId}/invitations`, { role })
    await manage('POST', '/invitations/join', { ...person, token, password: 'correct horse battery' })
  }
  await manage('POST', `/projects/${projectId}/service-accounts`, { name: 'Pipeline', scopes: ['releases:write'] })
  const uid = uids[0]!
  await sendMessages(manage, { appid, uid, iconUrl: `${server.url}/console/favicon.svg` })
  return { reviewed, uid }
}

/** Sends a user three notifications and an activity message. */
async function sendMessages(
  manage: Manage,
  { appid, uid, iconUrl }: { appid: string; uid: number; iconUrl: string },
): Promise<void> {
  const language = 'en_US'
  for (const [title, text] of [
    ['Thank you', 'Your payment of $9.40 has arrived.'],
    ['Your order is ready', 'Please pick it up at the counter. Until 6 pm.'],
    ['A free coffee', 'You have ten stamps on your loyalty card.'],
  ])
    await manage('POST', `/apps/${appid}/notifications`, { uids: [uid], language, title, text, navigateType: '1' })
  await manage('POST', `/apps/${appid}/activities`, {
    uids: [uid],
    language,
    title: 'Order 17',
    text: 'Ready at the counter',
    activityId: 'order-17',
    color: '0B6B63',
    templateId: 'standard',
    iconUrl,
    path: 'pages/order/order',
    status: 1,
    validityTime: 604_800,
  })
}

/** Builds a mini app of the repository. */
async function buildMiniApp(project: string): Promise<Record<string, Buffer>> {
  const out = await mkdtemp(join(tmpdir(), 'souk-pictures-'))
  const { folder, files } = await release({
    project: join(root, project),
    platform: 'Mini App',
    out: join(out, 'release'),
  })
  const contents = await Promise.all(files.map(async ({ path }) => [path, await readFile(join(folder, path))] as const))
  await rm(out, { recursive: true })
  return Object.fromEntries(contents)
}

/** Uploads a release, and returns its id. */
async function uploadRelease(
  manage: Manage,
  appid: string,
  { version, notes, files }: { version: string; notes: string; files: Record<string, string | Buffer> },
): Promise<string> {
  const form = new FormData()
  form.append('version', version)
  form.append('notes', JSON.stringify({ en_US: notes }))
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(files))]), 'release.tar.gz')
  return (await manage<{ releaseId: string }>('POST', `/apps/${appid}/releases`, form)).releaseId
}

/** Publishes a mini app that may call the function of the host, and returns its appid. */
export async function publishBakery(manage: Manage, projectId: string): Promise<string> {
  const { appid } = await manage<{ appid: string }>('POST', '/apps', { projectId, name: 'Old Town Bakery' })
  const files = await buildMiniApp('e2e/host/miniApp')
  const releaseId = await uploadRelease(manage, appid, { version: '1.0.0', notes: 'The first cakes', files })
  const path = `/apps/${appid}/releases/${releaseId}`
  const { reviewId } = await manage<{ reviewId: string }>('POST', `${path}/submit`, {})
  await manage('POST', `/reviews/${reviewId}/approve`, { hostFunctions: ['loyaltyCard'] })
  await manage('POST', `${path}/publish`, {})
  return appid
}

/** Uploads builds of the example, of which the newest is submitted for review. */
async function uploadReleases(manage: Manage, appid: string) {
  const build = await buildMiniApp('examples/coffee')
  const manifest = JSON.parse(String(build['souk-app.json']))
  const upload = async (version: string, notes: string, more: Json = {}): Promise<string> => {
    const files = { ...build, 'souk-app.json': JSON.stringify({ ...manifest, ...more }) }
    return uploadRelease(manage, appid, { version, notes, files })
  }
  const act = (releaseId: string, verb: string, input: Json = {}) =>
    manage('POST', `/apps/${appid}/releases/${releaseId}/${verb}`, input)
  await act(await upload('1.2.0', 'The first menu'), 'publish')
  await act(await upload('1.3.0', 'Pay with one tap'), 'publish')
  await act(await upload('1.4.0', 'Order ahead'), 'canary', { share: 20 })
  const reviewed = await upload('1.5.0', 'Stamps on the loyalty card', { hostFunctions: ['loyaltyCard'] })
  await act(reviewed, 'submit', { note: 'The card is on the page Me.', testAccount: 'Sam, any drink' })
  return reviewed
}

/** Opens the mini app as a user, and reports what the host would: an error in every fourth opening. */
async function openAs(
  server: RunningServer,
  { appid, uid, index }: { appid: string; uid: number; index: number },
): Promise<void> {
  const { token } = await signIn(server, uid)
  const call = async <T>(path: string, input: Json): Promise<T> => {
    const answer = await fetch(`${server.url}/host/v1/apps/${appid}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { release } = await call<{ release: { releaseId: string } }>('open', { platform: 'Mini App' })
  const { releaseId } = release
  const message = "TypeError: Cannot read properties of undefined (reading 'price')"
  const events = [
    { kind: 'open', page: 'pages/menu/menu' },
    { kind: 'launch', duration: 640 + index * 90 },
    { kind: 'page', page: 'pages/menu/menu' },
    { kind: 'page', page: 'pages/cart/cart' },
    index % 4 === 3
      ? {
          kind: 'error',
          page: 'pages/cart/cart',
          message,
          stack: `${message}\n    at total (assets/cart-5f0c1d2e.js:1:2410)`,
        }
      : { kind: 'page', page: 'pages/order/order' },
  ]
  await call('analytics', { releaseId, events: events.map((event) => ({ age: 0, ...event })) })
  if (index % 4 === 3) await call(`releases/${releaseId}/report`, { failure: 'error' })
}

/** Waits for the jobs that count events and raise alerts, which run every minute. */
export async function untilAlertsAreRaised(manage: Manage, appid: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const { rules } = await manage<{ rules: { isRaised: boolean }[] }>('GET', `/apps/${appid}/alerts`)
    if (rules.every(({ isRaised }) => isRaised)) return
    await wait(5_000)
  }
  throw new Error('No alert was raised.')
}
