import { consoleOperations, providers as known, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listProviderAccounts, testProviderAccount, updateProviderAccount } = consoleOperations

type Account = ResultOf<typeof listProviderAccounts>[number]

/**
 * `souk providers …`: provider accounts. They are added in the console, so that no shell history contains their keys.
 */
export function addProviderCommands(program: Command, add: AddCommand): void {
  const providers = program.command('providers')

  add<[], { appid?: string }>(providers, {
    usage: 'list',
    summary: 'list provider accounts of a mini app’s merchant, or those that serve all merchants',
    examples: ['providers list', 'providers list --appid demoapp00000001 --json'],
    options: (command) => command.option('--appid <appid>', 'the mini app'),
    action: async ({ server, style, print }, { appid }) => {
      print(await server.call(listProviderAccounts, appid ? { appid } : {}), (found) =>
        found.length === 0
          ? 'No provider accounts.'
          : table(
              ['account', 'name', 'provider', 'state', 'webhooks'],
              found.map((it) => [
                ...[it.providerAccountId, plain(it.name), known[it.provider].title, stateOf(it, style)],
                plain(it.webhookUrl),
              ]),
              style,
            ),
      )
    },
  })

  add<[string]>(providers, {
    usage: 'test <providerAccountId>',
    summary: 'test the connection and keys of a provider account; exit status 1 if it fails',
    examples: ['providers test 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, providerAccountId) => {
      const found = await server.call(testProviderAccount, { providerAccountId })
      print(found, ({ works, reason, duration }) =>
        works ? `The provider accepts the keys (${duration} ms).` : `Test failed: ${plain(reason ?? '')}`,
      )
      return found.works ? 0 : 1
    },
  })

  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    add<[string]>(providers, {
      usage: `${word} <providerAccountId>`,
      summary: enabled ? 'enable a provider account for new payments' : 'disable a provider account for new payments',
      examples: [`providers ${word} 0123456789abcdef0123456789abcdef`],
      action: async ({ server, print }, _, providerAccountId) => {
        const account = await server.call(updateProviderAccount, { providerAccountId, enabled })
        print(account, (it) => `${it.enabled ? 'Enabled' : 'Disabled'} ${plain(it.name)}.`)
      },
    })
  }
}

function stateOf({ enabled, outUntil, failures }: Account, style: Style): string {
  if (!enabled) return style('dim', 'disabled')
  return outUntil === null ? style('green', 'enabled') : style('red', `paused after ${failures} failures`)
}
