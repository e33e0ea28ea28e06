import { consoleOperations, processors as known, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listProcessorAccounts, testProcessorAccount, updateProcessorAccount } = consoleOperations

type Account = ResultOf<typeof listProcessorAccounts>[number]

/** `souk processors …`: accounts at payment processors. They are entered in the console, where nobody's history keeps the keys. */
export function addProcessorCommands(program: Command, add: AddCommand): void {
  const processors = program.command('processors').description('accounts at payment processors')

  add<[], { appid?: string }>(processors, {
    usage: 'list',
    summary: 'list the accounts of a mini app’s merchant, or those that are there for all',
    examples: ['processors list', 'processors list --appid demoapp00000001 --json'],
    options: (command) => command.option('--appid <appid>', 'the mini app'),
    action: async ({ server, style, print }, { appid }) => {
      print(await server.call(listProcessorAccounts, appid ? { appid } : {}), (found) =>
        found.length === 0
          ? 'There is no account.'
          : table(
              ['account', 'name', 'processor', 'state', 'webhooks'],
              found.map((it) => [
                ...[it.processorAccountId, plain(it.name), known[it.processor].title, stateOf(it, style)],
                plain(it.webhookUrl),
              ]),
              style,
            ),
      )
    },
  })

  add<[string]>(processors, {
    usage: 'test <processorAccountId>',
    summary: 'see whether a processor can be reached and takes the keys; exit status 1 where not',
    examples: ['processors test 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, processorAccountId) => {
      const found = await server.call(testProcessorAccount, { processorAccountId })
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
    add<[string]>(processors, {
      usage: `${word} <processorAccountId>`,
      summary: enabled ? 'let new payments go to an account' : 'let no new payments go to an account',
      examples: [`processors ${word} 0123456789abcdef0123456789abcdef`],
      action: async ({ server, print }, _, processorAccountId) => {
        const account = await server.call(updateProcessorAccount, { processorAccountId, enabled })
        print(account, (it) => `${plain(it.name)} takes ${it.enabled ? 'new payments' : 'no new payments'}.`)
      },
    })
  }
}

function stateOf({ enabled, outUntil, failures }: Account, style: Style): string {
  if (!enabled) return style('dim', 'not in use')
  return outUntil === null ? style('green', 'in use') : style('red', `taken out after ${failures} failures`)
}
