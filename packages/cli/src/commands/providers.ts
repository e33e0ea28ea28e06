import { consoleOperations, providers as known, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listProviderAccounts, testProviderAccount, updateProviderAccount } = consoleOperations

type Account = ResultOf<typeof listProviderAccounts>[number]

/** `souk providers …`: accounts at payment providers. They are entered in the console, where nobody's history keeps the keys. */
export function addProviderCommands(program: Command, add: AddCommand): void {
  const providers = program.command('providers').description('accounts at payment providers')

  add<[], { appid?: string }>(providers, {
    usage: 'list',
    summary: 'list the accounts of a mini app’s merchant, or those that are there for all',
    examples: ['providers list', 'providers list --appid demoapp00000001 --json'],
    options: (command) => command.option('--appid <appid>', 'the mini app'),
    action: async ({ server, style, print }, { appid }) => {
      print(await server.call(listProviderAccounts, appid ? { appid } : {}), (found) =>
        found.length === 0
          ? 'There is no account.'
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
    summary: 'see whether a provider can be reached and takes the keys; exit status 1 where not',
    examples: ['providers test 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, providerAccountId) => {
      const found = await server.call(testProviderAccount, { providerAccountId })
      print(found, ({ works, reason, duration }) =>
        works ? `It answers and takes the keys (${duration} ms).` : `It does not work: ${plain(reason ?? '')}`,
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
      summary: enabled ? 'let new payments go to an account' : 'let no new payments go to an account',
      examples: [`providers ${word} 0123456789abcdef0123456789abcdef`],
      action: async ({ server, print }, _, providerAccountId) => {
        const account = await server.call(updateProviderAccount, { providerAccountId, enabled })
        print(account, (it) => `${plain(it.name)} takes ${it.enabled ? 'new payments' : 'no new payments'}.`)
      },
    })
  }
}

function stateOf({ enabled, outUntil, failures }: Account, style: Style): string {
  if (!enabled) return style('dim', 'not in use')
  return outUntil === null ? style('green', 'in use') : style('red', `taken out after ${failures} failures`)
}
