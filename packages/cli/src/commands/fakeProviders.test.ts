import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Environment } from '../environment.ts'
import { runCommand } from '../program.ts'

/** The accounts of a Souk that has nothing else. */
let accounts: { providerAccountId: string; provider: string; settings: { baseUrl: string }; enabled: boolean }[]
let webhooks: string[]
/** Account that Souk refuses to change. */
let locked: string | undefined
let souk: Server
let url: string
let out: string
let err: string
let interrupt: AbortController

beforeEach(async () => {
  accounts = []
  webhooks = []
  locked = undefined
  out = ''
  err = ''
  interrupt = new AbortController()
  souk = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const id = request.url!.split('/').at(-1)!
    if (request.url!.startsWith('/webhooks/')) {
      webhooks.push(id)
      response.end()
    } else if (request.method === 'GET') response.end(JSON.stringify(accounts))
    else if (request.method === 'POST') {
      const account = { ...JSON.parse(text), enabled: true, providerAccountId: String(accounts.length + 1) }
      accounts.push(account)
      response.end(JSON.stringify(account))
    } else if (id === locked) {
      response.writeHead(409).end(JSON.stringify({ code: 'account_locked', detail: 'Locked.' }))
    } else {
      const account = Object.assign(
        accounts.find(({ providerAccountId }) => providerAccountId === id)!,
        JSON.parse(text),
      )
      response.end(JSON.stringify(account))
    }
  })
  await new Promise<void>((resolve) => souk.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(souk.address() as AddressInfo).port}`
})
afterEach(() => {
  souk.closeAllConnections()
  souk.close()
})

const environment = () =>
  ({
    serverUrl: async () => url,
    adminToken: () => ({ token: 'token', source: 'a test' }),
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    colors: false,
    untilInterrupted: () => interrupt.signal,
  }) as unknown as Environment

/** Runs the command; what it has printed once it waits for the interrupt. */
async function running(...args: string[]): Promise<{ done: Promise<number>; printed: string }> {
  const done = runCommand(['sandbox', 'fake-providers', ...args], environment())
  const ended = done.then((status) => expect.unreachable(`it exited with ${status}: ${err}`))
  await Promise.race([ended, expect.poll(() => out).toContain('\n')])
  return { done, printed: out }
}

test('runs three fake providers and prints their account fields', async () => {
  const { done, printed } = await running('--port', '29181', '--json')
  const started = JSON.parse(printed) as { provider: string; settings: { baseUrl: string }; secrets: object }[]
  expect(started.map(({ provider }) => provider)).toEqual(['checkout', 'stripe', 'paytabs'])
  for (const { settings } of started) {
    expect((await fetch(`${settings.baseUrl}/_control/payments`)).status).toBe(200)
  }
  interrupt.abort()
  expect(await done).toBe(0)
  for (const { settings } of started) await expect(fetch(settings.baseUrl)).rejects.toThrow()
})

test('--connect enables a provider account while they run, and reuses it', async () => {
  for (let run = 0; run < 2; run++) {
    out = ''
    interrupt = new AbortController()
    const { done } = await running('--port', '29191', '--only', 'stripe', '--connect')
    expect(accounts).toMatchObject([
      { providerAccountId: '1', provider: 'stripe', settings: { baseUrl: 'http://localhost:29192' }, enabled: true },
    ])
    await payOnce()
    await expect.poll(() => webhooks.length).toBeGreaterThan(run)
    expect(new Set(webhooks)).toEqual(new Set(['1']))
    interrupt.abort()
    await done
    expect(accounts).toMatchObject([{ enabled: false }])
  }
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('--connect disables its account on %s', async (signal) => {
  const main = join(import.meta.dirname, '../main.ts')
  const args = ['sandbox', 'fake-providers', '--port', '29195', '--only', 'stripe', '--connect']
  const child = spawn(process.execPath, ['--conditions=souk-source', main, ...args], {
    env: { ...process.env, SOUK_URL: url, SOUK_ADMIN_TOKEN: 'token' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  for await (const chunk of child.stdout) if (String(chunk).includes('until Ctrl-C')) break
  expect(accounts).toMatchObject([{ enabled: true }])
  child.kill(signal)
  expect(await ended).toEqual([0, null])
  expect(accounts).toMatchObject([{ enabled: false }])
})

test('disables the other accounts and stops although Souk refuses to disable one', async () => {
  const { done } = await running('--port', '29201', '--connect')
  expect(accounts.map(({ enabled }) => enabled)).toEqual([true, true, true])
  locked = '1'
  interrupt.abort()
  expect(await done).toBe(1)
  expect(err).toMatch(/still routes payments .*account_locked.*\n.*souk providers disable 1\n/)
  expect(accounts.map(({ enabled }) => enabled)).toEqual([true, false, false])
  for (const { settings } of accounts) await expect(fetch(settings.baseUrl)).rejects.toThrow()
})

test('refuses a port in use or out of range, and an unknown provider', async () => {
  const port = Number(new URL(url).port)
  expect(
    await runCommand(['sandbox', 'fake-providers', '--only', 'checkout', '--port', String(port)], environment()),
  ).toBe(2)
  expect(err).toContain(`Port ${port} is in use.`)
  for (const wrong of [
    ['--only', 'paypal'],
    ['--port', '0'],
    ['--port', '65534'],
  ]) {
    expect(await runCommand(['sandbox', 'fake-providers', ...wrong], environment())).toBe(2)
  }
})

/** Opens a Checkout Session and pays it. */
async function payOnce(): Promise<void> {
  const session = new URLSearchParams({
    mode: 'payment',
    client_reference_id: 'order',
    success_url: 'http://localhost:9/',
    'line_items[0][price_data][unit_amount]': '100',
    'line_items[0][price_data][currency]': 'sar',
  })
  await fetch('http://localhost:29192/v1/checkout/sessions', {
    method: 'POST',
    body: session,
    headers: { authorization: 'Bearer sk_test_local' },
  })
  await fetch('http://localhost:29192/_control/pay', { method: 'POST', body: JSON.stringify(['order']) })
}
