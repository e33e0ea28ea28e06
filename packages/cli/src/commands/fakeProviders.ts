import { consoleOperations, providers } from '@souk/contract'
import type { FakeProvider } from '@souk/fake-providers'
import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { fields, type Style } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand } from '../session.ts'

const { listProviderAccounts, createProviderAccount, updateProviderAccount } = consoleOperations

const names = ['checkout', 'stripe', 'paytabs'] as const
type Name = (typeof names)[number]

interface FakeProvidersOptions {
  port: number
  only: Name[]
  connect?: string | true
}

/** A provider that runs, and what an account of it is opened with. */
interface Running {
  name: Name
  provider: FakeProvider
  settings: Record<string, string>
  secrets: Record<string, string>
}

/** `souk sandbox fake-providers`: payment providers on this machine. */
export function addFakeProvidersCommand(sandbox: Command, add: AddCommand): void {
  add<[], FakeProvidersOptions>(sandbox, {
    usage: 'fake-providers',
    summary: 'run Checkout.com, Stripe and PayTabs on this machine, with pages to pay on, until Ctrl-C',
    examples: [
      'sandbox fake-providers',
      'sandbox fake-providers --connect --only stripe',
      'sandbox fake-providers --connect demoapp00000001',
    ],
    options: (command) =>
      command
        .option('--port <number>', 'the first of the ports to listen on', parsePort, 7081)
        .option('--only <names>', `which, separated by commas: ${names.join(', ')}`, parseNames, [...names])
        .option('--connect [appid]', 'pay the trades of this mini app there (default: of all), as long as this runs'),
    action: async ({ environment, server, json, style }, { port, only, connect }) => {
      const interrupted = environment.untilInterrupted()
      const running: Running[] = []
      const connected: string[] = []
      try {
        for (const name of only) running.push(await start(name, port + names.indexOf(name)))
        if (connect) {
          for (const each of running) connected.push(await open(server, each, connect === true ? undefined : connect))
        }
        const shown = running.map(({ name, settings, secrets }) => ({ provider: name, settings, secrets }))
        environment.out(json ? `${JSON.stringify(shown)}\n` : describe(running, style))
        if (!json && connected.length > 0) environment.out(`Payments go there until Ctrl-C.\n`)
        if (!interrupted.aborted) {
          await new Promise((done) => interrupted.addEventListener('abort', done, { once: true }))
        }
      } finally {
        for (const providerAccountId of connected) {
          await server.call(updateProviderAccount, { providerAccountId, enabled: false })
        }
        for (const { provider } of running) await provider.close()
      }
      return undefined
    },
  })
}

async function start(name: Name, port: number): Promise<Running> {
  // Most commands do without them.
  const local = await import('@souk/fake-providers')
  const starts = { checkout: local.startCheckout, stripe: local.startStripe, paytabs: local.startPaytabs }
  const provider = await starts[name]({ port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Failure(2, `Port ${port} is in use.`, 'Name other ones with --port.')
  })
  const baseUrl = provider.url
  switch (name) {
    case 'checkout':
      return { name, provider, settings: { baseUrl, ...local.checkoutSettings }, secrets: local.checkoutSecrets }
    case 'stripe':
      return { name, provider, settings: { baseUrl }, secrets: local.stripeSecrets }
    case 'paytabs':
      return { name, provider, settings: { baseUrl, ...local.paytabsSettings }, secrets: local.paytabsSecrets }
  }
}

/** Enters an account, or takes the one of an earlier run into use again; its id. Its webhooks go to Souk from then on. */
async function open(server: Server, running: Running, appid: string | undefined): Promise<string> {
  const { name, provider, settings, secrets } = running
  const ofApp = appid === undefined ? {} : { appid }
  const before = (await server.call(listProviderAccounts, ofApp)).find(
    (account) => account.provider === name && account.settings.baseUrl === provider.url,
  )
  const { providerAccountId } = before
    ? await server.call(updateProviderAccount, { providerAccountId: before.providerAccountId, enabled: true })
    : await server.call(createProviderAccount, {
        ...ofApp,
        provider: name,
        name: `${providers[name].title} on this machine`,
        settings,
        secrets,
      })
  provider.webhookUrl = `${server.url}/webhooks/${providerAccountId}`
  return providerAccountId
}

function describe(running: readonly Running[], style: Style): string {
  const blocks = running.map(({ name, settings, secrets }) => {
    const entered = fields(Object.entries({ ...settings, ...secrets }), style)
    return `${style('bold', providers[name].title)}\n${entered.replace(/^/gm, '  ')}\n`
  })
  return `${blocks.join('\n')}\n`
}

function parseNames(text: string): Name[] {
  const asked = text.split(',').map((name) => name.trim())
  const unknown = asked.find((name) => !names.some((known) => known === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`They are ${names.join(', ')}.`)
  return names.filter((name) => asked.includes(name))
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_533) throw new InvalidArgumentError('A port is a number from 1 to 65533.')
  return port
}
