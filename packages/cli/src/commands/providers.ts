import { consoleOperations, processors } from '@souk/contract'
import type { LocalProcessor } from '@souk/processors'
import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { fields, type Style } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand } from '../session.ts'

const { listProcessorAccounts, createProcessorAccount, updateProcessorAccount } = consoleOperations

const names = ['checkout', 'stripe', 'paytabs'] as const
type Name = (typeof names)[number]

interface ProvidersOptions {
  port: number
  only: Name[]
  connect?: string | true
}

/** A processor that runs, and what an account of it is opened with. */
interface Running {
  name: Name
  processor: LocalProcessor
  settings: Record<string, string>
  secrets: Record<string, string>
}

/** `souk sandbox providers`: payment processors on this machine. */
export function addProvidersCommand(sandbox: Command, add: AddCommand): void {
  add<[], ProvidersOptions>(sandbox, {
    usage: 'providers',
    summary: 'run Checkout.com, Stripe and PayTabs on this machine, with pages to pay on, until Ctrl-C',
    examples: [
      'sandbox providers',
      'sandbox providers --connect --only stripe',
      'sandbox providers --connect demoapp00000001',
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
        const shown = running.map(({ name, settings, secrets }) => ({ processor: name, settings, secrets }))
        environment.out(json ? `${JSON.stringify(shown)}\n` : describe(running, style))
        if (!json && connected.length > 0) environment.out(`Payments go there until Ctrl-C.\n`)
        if (!interrupted.aborted) {
          await new Promise((done) => interrupted.addEventListener('abort', done, { once: true }))
        }
      } finally {
        for (const processorAccountId of connected) {
          await server.call(updateProcessorAccount, { processorAccountId, enabled: false })
        }
        for (const { processor } of running) await processor.close()
      }
      return undefined
    },
  })
}

async function start(name: Name, port: number): Promise<Running> {
  // Most commands do without them.
  const local = await import('@souk/processors')
  const starts = { checkout: local.startCheckout, stripe: local.startStripe, paytabs: local.startPaytabs }
  const processor = await starts[name]({ port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Failure(2, `Port ${port} is in use.`, 'Name other ones with --port.')
  })
  const baseUrl = processor.url
  switch (name) {
    case 'checkout':
      return { name, processor, settings: { baseUrl, ...local.checkoutSettings }, secrets: local.checkoutSecrets }
    case 'stripe':
      return { name, processor, settings: { baseUrl }, secrets: local.stripeSecrets }
    case 'paytabs':
      return { name, processor, settings: { baseUrl, ...local.paytabsSettings }, secrets: local.paytabsSecrets }
  }
}

/** Enters an account, or takes the one of an earlier run into use again; its id. Its webhooks go to Souk from then on. */
async function open(server: Server, running: Running, appid: string | undefined): Promise<string> {
  const { name, processor, settings, secrets } = running
  const ofApp = appid === undefined ? {} : { appid }
  const before = (await server.call(listProcessorAccounts, ofApp)).find(
    (account) => account.processor === name && account.settings.baseUrl === processor.url,
  )
  const { processorAccountId } = before
    ? await server.call(updateProcessorAccount, { processorAccountId: before.processorAccountId, enabled: true })
    : await server.call(createProcessorAccount, {
        ...{ ...ofApp, processor: name, name: `${processors[name].title} on this machine`, settings, secrets },
      })
  processor.webhookUrl = `${server.url}/webhooks/${processorAccountId}`
  return processorAccountId
}

function describe(running: readonly Running[], style: Style): string {
  const blocks = running.map(({ name, settings, secrets }) => {
    const entered = fields(Object.entries({ ...settings, ...secrets }), style)
    return `${style('bold', processors[name].title)}\n${entered.replace(/^/gm, '  ')}\n`
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
