// Executes calls for the tests of all clients: a JSON object per line, answered by one per line.

import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type NotDelivered,
  type OnAttempt,
  Souk,
  SoukApiError,
  SoukConnectionError,
  SoukPlatform,
  SoukResponseError,
} from '@souk/sdk'
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici'

const { SOUK_URL = '', SOUK_APPID = '', SOUK_SECRET = '', SOUK_API_KEY = '' } = process.env
const timeout = Number(process.env.SOUK_TIMEOUT ?? 5) * 1000
const notDelivered: NotDelivered[] = []
let failsOnNotDelivered = false
const onNotDelivered = async (found: NotDelivered) => {
  notDelivered.push(found)
  // A failure that the client would retry.
  if (failsOnNotDelivered) throw new SoukConnectionError('sendNotify', 'the callback failed', true)
}
const settings = { baseUrl: SOUK_URL, appid: SOUK_APPID, secret: SOUK_SECRET, timeout, onNotDelivered }
const souk = new Souk(settings)
const other = new Souk(settings)
const platform = new SoukPlatform({ baseUrl: SOUK_URL, apiKey: SOUK_API_KEY, timeout })

// biome-ignore lint/suspicious/noExplicitAny: the test passes what each operation takes.
const calls: Record<string, (given: any) => Promise<unknown>> = {
  notDelivered: async () => notDelivered.splice(0),
  failOnNotDelivered: async ({ fails }) => {
    failsOnNotDelivered = fails
    return true
  },
  accessToken: (given) => souk.accessToken(given),
  trade: (given) => souk.trade(given),
  userInfo: ({ accessToken }) => souk.userInfo(accessToken),
  tradedetail: ({ tradeNo }) => souk.tradedetail(tradeNo),
  tradeclose: ({ tradeNo }) => souk.tradeclose(tradeNo),
  refund: (given) => souk.refund(given),
  refunddetail: ({ refundNo }) => souk.refunddetail(refundNo),
  waitForTrade: ({ tradeNo }) => souk.waitForTrade(tradeNo, { interval: 100 }),
  verifyCallback: async ({ body, headers }) => souk.callbacks.verify(body, headers),
  verifyRefund: async ({ body, headers }) => souk.callbacks.verifyRefund(body, headers),
  sendNotify: (notification) => souk.sendNotify(notification),
  queryAndClose: ({ tradeNo }) => Promise.all([souk.tradedetail(tradeNo), other.tradeclose(tradeNo)]),
  notifyTwice: (notification) => Promise.all([souk.sendNotify(notification), other.sendNotify(notification)]),
  whoAmI: () => platform.whoAmI(),
  listDatasets: (given) => platform.listDatasets(given),
  getDataset: (given) => platform.getDataset(given),
  exportRecords: async ({ datasetId, ...selection }) =>
    new Response(await platform.datasets.exportStream(datasetId, selection)).text(),
  atOnce,
  cancel,
  secured,
}

/** A call to make several times at once. `timeout` is in s. */
interface Repeated {
  url: string
  timeout: number
  times: number
  call: string
  id: string
  options?: { timeout?: number; maxRetries?: number }
}

/** Makes a call several times at once with a new client, and returns all answers, with all attempts in the first. */
async function atOnce({ url: baseUrl, timeout, times, call, id, options }: Repeated): Promise<object[]> {
  const attempts: object[] = []
  const onAttempt: OnAttempt = (attempt) => {
    // A header of the client, which stays as it is.
    Object.assign(attempt.headers, { traceparent: `00-${attempt.number}`, ACCEPT: 'text/html' })
    return (result) => attempts.push({ ...attempt, ...result })
  }
  const souk = new Souk({ ...settings, baseUrl, timeout: timeout * 1000, onAttempt })
  const { datasets } = new SoukPlatform({ baseUrl, apiKey: SOUK_API_KEY, timeout: timeout * 1000, onAttempt })
  const own = { ...options, ...(options?.timeout && { timeout: options.timeout * 1000 }) }
  const once = async (): Promise<unknown> =>
    call === 'tradedetail' ? souk.tradedetail(id, own) : datasets.delete(id, own)
  const answers = await Promise.all(Array.from({ length: times }, () => answer(once())))
  return answers.map((one, index) => (index === 0 ? { ...one, attempts } : one))
}

/** Queries a trade with the certificates and the proxy that are given. */
async function secured({ url: baseUrl, id, ca, cert, key, proxy }: Record<string, string>): Promise<unknown> {
  const read = (path: string | undefined) => path && readFileSync(path)
  const tls = { ca: read(ca), cert: read(cert), key: read(key) }
  const dispatcher = proxy ? new ProxyAgent({ uri: proxy, requestTls: tls }) : new Agent({ connect: tls })
  const souk = new Souk({
    ...settings,
    baseUrl: baseUrl!,
    maxRetries: 0,
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
  })
  return souk.tradedetail(id!)
}

/** Makes a call that gets no answer, cancels it, and returns whether it ended for this reason. */
async function cancel({ url: baseUrl, id }: Pick<Repeated, 'url' | 'id'>): Promise<boolean> {
  const abort = new AbortController()
  setTimeout(() => abort.abort('no longer needed'), 200)
  const call = new Souk({ ...settings, baseUrl, timeout: 600_000 }).tradedetail(id, { signal: abort.signal })
  return call.then(
    () => false,
    (reason) => reason === 'no longer needed',
  )
}

function answer(made: Promise<unknown>): Promise<object> {
  return made.then((result) => ({ result }), failure)
}

for await (const line of createInterface(process.stdin)) {
  const { call, parameters } = JSON.parse(line)
  console.log(JSON.stringify(await answer(calls[call]!(parameters))))
}

function failure(error: Error): object {
  const named = { type: error.name, message: error.message }
  if (error instanceof SoukApiError) return { error: { kind: 'api', status: error.status, code: error.code, ...named } }
  if (error instanceof SoukConnectionError) return { error: { kind: 'connection', notSent: error.notSent, ...named } }
  if (error instanceof SoukResponseError) return { error: { kind: 'response', path: error.path, ...named } }
  throw error
}
