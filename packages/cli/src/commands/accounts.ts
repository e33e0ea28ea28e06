import { consoleOperations, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { Failure } from '../failure.ts'
import { plain, table } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand } from '../session.ts'

const { listAccounts, updateAccount, createPasswordReset, allowProjects } = consoleOperations

type Account = ResultOf<typeof listAccounts>[number]

/** `souk accounts …`: console accounts, and password resets, including the administrator's. */
export function addAccountCommands(program: Command, add: AddCommand): void {
  const accounts = program.command('accounts').description('manage console accounts')

  add(accounts, {
    usage: 'list',
    summary: 'list accounts, oldest first',
    examples: ['accounts list', 'accounts list --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(listAccounts, {}), (found) =>
        found.length === 0
          ? 'No accounts yet. Open the link that the server printed when it started.'
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
    summary: 'create a one-time password reset link, valid for one hour',
    examples: ['accounts reset-password layla', 'accounts reset-password layla --json'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(await server.call(createPasswordReset, { accountId }), ({ link }) =>
        [
          `With this link ${plain(username)} can set a new password. It is valid once, for one hour, and is shown only now:`,
          link,
        ].join('\n'),
      )
    },
  })

  addProjectPermissionCommands(accounts, add)
  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    add<[string]>(accounts, {
      usage: `${word} <username>`,
      summary: enabled
        ? 'enable an account, including its API key'
        : 'disable an account, including its API key, and end its sessions',
      examples: [`accounts ${word} layla`],
      action: async ({ server, print }, _, username) => {
        const { accountId } = await accountOf(server, username)
        print(await server.call(updateAccount, { accountId, enabled }), () => `${plain(username)} is ${word}d.`)
      },
    })
  }
}

function addProjectPermissionCommands(accounts: Command, add: AddCommand): void {
  for (const [word, allowed] of [
    ['allow', true],
    ['deny', false],
  ] as const) {
    add<[string]>(accounts, {
      usage: `${word}-projects <username>`,
      summary: allowed ? 'allow an account to create projects' : 'stop allowing an account to create projects',
      examples: [`accounts ${word}-projects layla`],
      action: async ({ server, print }, _, username) => {
        const { accountId } = await accountOf(server, username)
        print(await server.call(allowProjects, { accountId, allowed }), () =>
          allowed
            ? `${plain(username)} may create projects.`
            : `${plain(username)} may not create projects, unless SOUK_PROJECT_CREATION is everyone.`,
        )
      },
    })
  }
}

/** @throws Failure 1 if no account has the user name */
async function accountOf(server: Server, username: string): Promise<Account> {
  const found = (await server.call(listAccounts, {})).find((it) => it.username === username.toLowerCase())
  if (!found)
    throw new Failure(1, `No account has the user name ${plain(username)}.`, 'List accounts: souk accounts list')
  return found
}
