import { consoleOperations, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { Failure } from '../failure.ts'
import { plain, table } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand } from '../session.ts'

const { listAccounts, updateAccount, createPasswordReset } = consoleOperations

type Account = ResultOf<typeof listAccounts>[number]

/** `souk accounts …`: the people of the console; the way back for somebody whose password is lost, the administrator too. */
export function addAccountCommands(program: Command, add: AddCommand): void {
  const accounts = program.command('accounts').description('the people of the console')

  add(accounts, {
    usage: 'list',
    summary: 'list the accounts, the oldest first',
    examples: ['accounts list', 'accounts list --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(listAccounts, {}), (found) =>
        found.length === 0
          ? 'There is no account yet: open the link that the server printed when it started.'
          : table(
              ['USER NAME', 'NAME', 'STATE', 'ADMINISTRATOR', 'LAST SIGN-IN'],
              found.map((it) => [
                plain(it.username),
                plain(it.name),
                it.enabled ? style('green', 'enabled') : style('red', 'disabled'),
                it.administrator ? 'yes' : '–',
                it.lastSignIn === null ? '–' : formatRelative(it.lastSignIn, environment.now()),
              ]),
              style,
            ),
      )
    },
  })

  add<[string]>(accounts, {
    usage: 'reset-password <username>',
    summary: 'make the one-time link by which somebody sets a new password; it lives for an hour',
    examples: ['accounts reset-password layla', 'accounts reset-password layla --json'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(await server.call(createPasswordReset, { accountId }), ({ link }) =>
        [
          `With this link ${plain(username)} sets a new password. It counts once, for an hour, and is shown this once:`,
          link,
        ].join('\n'),
      )
    },
  })

  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    add<[string]>(accounts, {
      usage: `${word} <username>`,
      summary: enabled
        ? 'let an account be used again, with its password and its API key'
        : 'end the sessions of an account, and refuse it and its API key',
      examples: [`accounts ${word} layla`],
      action: async ({ server, print }, _, username) => {
        const { accountId } = await accountOf(server, username)
        print(await server.call(updateAccount, { accountId, enabled }), () => `${plain(username)} is ${word}d.`)
      },
    })
  }
}

/** @throws Failure 1 where nobody has the user name */
async function accountOf(server: Server, username: string): Promise<Account> {
  const found = (await server.call(listAccounts, {})).find((it) => it.username === username.toLowerCase())
  if (!found) throw new Failure(1, `Nobody has the user name ${plain(username)}.`, 'The accounts: souk accounts list')
  return found
}
