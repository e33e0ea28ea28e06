import { beforeAll, describe, expect, inject, test } from 'vitest'
import { faultsOfPages, type Look, misfits } from './console.ts'

const { projectId, emptyProjectId, trades, uids, url, session } = inject('fixture')
const project = `projects/${projectId}`
const empty = `projects/${emptyProjectId}`

/** Pages of trades, callbacks, messages and requests, each in its most complete state. */
const pages: Record<string, string> = {
  trades: `${project}/trades`,
  trade: `${project}/trades/${trades.callbackFailed}`,
  callbacks: `${project}/callbacks`,
  messages: `${project}/messages`,
  'messages-activities': `${project}/messages?view=activities`,
  'messages-phone': `${project}/messages?view=phone&uid=${uids[2]}`,
  'messages-compose': `${project}/messages?view=compose`,
  requests: `${project}/requests`,
  reference: 'reference?operation=trade',
  sandbox: `${project}/sandbox?tradeNo=${trades.open}`,
}
/** The same pages when empty, without results, and with all filters open. */
const rarer: Record<string, string> = {
  'trades-filtered': `${project}/trades?status=2,3&minAmount=500&currency=USD`,
  'trades-totals': `${project}/trades?view=totals`,
  'trades-nothing': `${project}/trades?text=nowhere`,
  'trades-empty': `${empty}/trades`,
  'trade-missing': `${project}/trades/${'0'.repeat(32)}`,
  'callbacks-empty': `${empty}/callbacks`,
  'messages-empty': `${empty}/messages`,
  'requests-empty': `${empty}/requests`,
}

async function first(path: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/console/v1/${project}/${path}`, { headers: { Cookie: `souk_session=${session}` } })
  return ((await answer.json()) as { items: Record<string, string>[] }).items[0] ?? {}
}

beforeAll(async () => {
  const [callback, request] = await Promise.all([
    first('callbacks?failuresFirst=true'),
    first('requests?code=sign_mismatch'),
  ])
  pages.callback = `${project}/callbacks/${callback.notifyId}`
  pages.request = `${project}/requests/${request.requestId}`
})

/** Axe examines the pages in one look per color scheme. */
const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]
const tablet: Look = { language: 'zh-CN', scheme: 'dark', device: 'tablet' }

describe.each(looks)('$language, $scheme, $device', (look) => {
  test('every page of the desk is accessible, fits the screen, breaks no policy', async () => {
    expect(await faultsOfPages(look, pages)).toEqual({})
  })
  test('so is every page when empty, without results, or filtered', async () => {
    expect(await faultsOfPages(look, rarer)).toEqual({})
  })
})

test('every page of the desk fits a tablet in Chinese and breaks no policy', async () => {
  expect(await faultsOfPages(tablet, pages, { find: misfits })).toEqual({})
})
