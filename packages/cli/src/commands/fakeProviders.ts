import { consoleOperations, type ExternalProvider, externalProviderNames as names, providers } from '@souk/contract'
import type { FakeProvider } from '@souk/fake-providers'
import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { fields, type Style } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand, Session } from '../session.ts'

const { listProviderAccounts, createProviderAccount, updateProviderAccount } = consoleOperations

const titles = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names.map((name) => providers[name].title))

interface FakeProvidersOptions {
  port: number
  only: ExternalProvider[]
  connect?: string | true
}

/** A running fake provider with the fields of a provider account. */
interface Running {
  name: ExternalProvider
  provider: FakeProvider
  settings: Record<string, string>
  secrets: Record<string, string>
}

/** `souk sandbox fake-providers`: runs fake payment providers on this machine. */
export function addFakeProvidersCommand(sandbox: Command, add: AddCommand): void {
  add<[], FakeProvidersOptions>(sandbox, {
    usage: 'fake-providers',
    summary: `run fake ${titles} with payment pages on this machine, until Ctrl-C`,
    examples: [
      'sandbox fake-providers',
      'sandbox fake-providers --connect --only stripe',
      'sandbox fake-providers --connect demoapp00000001',
    ],
    options: (command) =>
      command
        .option('--port <number>', 'first port to listen on', parsePort, 7081)
        .option('--only <names>', `comma-separated providers: ${names.join(', ')}`, parseNames, [...names])
        .option('--connect [appid]', 'route payments of this mini app (default: all) to them while this runs'),
    action: async (session, { port, only, connect }) => {
      const { environment, server, json, style } = session
      const interrupted = environment.untilInterrupted()
      const running: Running[] = []
      const connected: string[] = []
      try {
        for (const name of only) running.push(await start(name, port + names.indexOf(name)))
        if (connect) {
          for (const each of running) connected.push(await open(session, each, connect === true ? undefined : connect))
        }
        const shown = running.map(({ name, settings, secrets }) => ({ provider: name, settings, secrets }))
        environment.out(json ? `${JSON.stringify(shown)}\n` : describe(running, style))
        if (!json && connected.length > 0) environment.out(`Payments are routed to them until Ctrl-C.\n`)
        if (!interrupted.aborted) {
          await new Promise((done) => interrupted.addEventListener('abort', done, { once: true }))
        }
      } finally {
        await stop(server, running, connected)
      }
    },
  })
}

async function start(name: ExternalProvider, port: number): Promise<Running> {
  // Loaded on demand, because most commands do not need them.
  const { fakeProviders } = await import('@souk/fake-providers')
  const { start, settings, secrets } = fakeProviders[name]
  const provider = await start({ port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Failure(2, `Port ${port} is in use.`, 'Choose other ports with --port.')
  })
  return { name, provider, settings: { baseUrl: provider.url, ...settings }, secrets }
}

/** Stops the providers after disabling their accounts, all of them although one may fail: its payments would fail. */
async function stop(server: Server, running: readonly Running[], connected: readonly string[]): Promise<void> {
  const disabled = await Promise.allSettled(
    connected.map((providerAccountId) => server.call(updateProviderAccount, { providerAccountId, enabled: false })),
  )
  for (const { provider } of running) await provider.close()
  const failed = disabled.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (!failed) return
  if (!(failed.reason instanceof Failure)) throw failed.reason
  const stillEnabled = connected.filter((_, index) => disabled[index]!.status === 'rejected')
  throw new Failure(
    failed.reason.status,
    `Souk still routes payments to fake providers, which have stopped: ${failed.reason.message}`,
    `Disable their accounts: ${stillEnabled.map((id) => `souk providers disable ${id}`).join(', ')}`,
  )
}

/** Creates a provider account, or enables that of an earlier run, points its webhooks to Souk, and returns its id. */
async function open({ environment, server }: Session, running: Running, appid: string | undefined): Promise<string> {
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
  provider.webhookUrl = `${await environment.serverUrl()}/webhooks/${providerAccountId}`
  return providerAccountId
}

function describe(running: readonly Running[], style: Style): string {
  const blocks = running.map(({ name, settings, secrets }) => {
    const entered = fields(Object.entries({ ...settings, ...secrets }), style)
    return `${style('bold', providers[name].title)}\n${entered.replace(/^/gm, '  ')}\n`
  })
  return `${blocks.join('\n')}\n`
}

function parseNames(text: string): ExternalProvider[] {
  const requested = text.split(',').map((name) => name.trim())
  const unknown = requested.find((name) => !names.some((known) => known === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`Use ${names.join(', ')}.`)
  return names.filter((name) => requested.includes(name))
}

function parsePort(text: string): number {
  const port = Number(text)
  const last = 65_536 - names.length
  if (!/^\d+$/.test(text) || port < 1 || port > last) throw new InvalidArgumentError(`Use a port from 1 to ${last}.`)
  return port
}
