import { consoleOperations, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { Failure } from '../failure.ts'
import { plain, type Style, table } from '../render.ts'
import type { Server } from '../server.ts'
import type { AddCommand } from '../session.ts'

const {
  listAccounts,
  updateAccount,
  createPasswordReset,
  sendPasswordReset,
  changeEmailOf,
  allowProjects,
  endSessionsOf,
  resetFactors,
} = consoleOperations

type Account = ResultOf<typeof listAccounts>['items'][number]

/** `souk accounts …`: console accounts, and password resets, including the administrator's. */
export function addAccountCommands(program: Command, add: AddCommand): void {
  const accounts = program.command('accounts')
  addListCommand(accounts, add)
  addResetPasswordCommand(accounts, add)
  addEmailCommands(accounts, add)
  addSecurityCommands(accounts, add)
  addProjectPermissionCommands(accounts, add)
  addStateCommands(accounts, add)
}

function addListCommand(accounts: Command, add: AddCommand): void {
  add(accounts, {
    usage: 'list',
    summary: 'list accounts, oldest first',
    examples: ['accounts list', 'accounts list --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.list(listAccounts, { sort: 'ctime' }), (found) =>
        found.length === 0
          ? 'No accounts yet. Open the link that the server printed when it started.'
          : table(
              ['USER NAME', 'NAME', 'E-MAIL', 'STATE', 'ADMINISTRATOR', 'SECOND FACTOR', 'LAST SIGN-IN'],
              found.map((it) => [
                plain(it.username),
                plain(it.name),
                plain(it.email ?? '–'),
                stateOf(it, style),
                it.administrator ? 'yes' : '–',
                it.secondFactor ? 'yes' : '–',
                it.lastSignIn === null ? '–' : formatRelative(it.lastSignIn, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
}

function addResetPasswordCommand(accounts: Command, add: AddCommand): void {
  add<[string], { mail?: true }>(accounts, {
    usage: 'reset-password <username>',
    summary: 'create a one-time password reset link, valid for one hour',
    examples: ['accounts reset-password layla', 'accounts reset-password layla --mail --json'],
    options: (command) => command.option('--mail', 'send it to the address of the account instead of showing it'),
    action: async ({ server, print }, { mail }, username) => {
      const { accountId } = await accountOf(server, username)
      if (mail) {
        print(await server.call(sendPasswordReset, { accountId }), () => 'The link is being sent.')
        return
      }
      print(await server.call(createPasswordReset, { accountId }), ({ link }) =>
        [
          `With this link ${plain(username)} can set a new password. It is valid once, for one hour, and is shown only once:`,
          link,
        ].join('\n'),
      )
    },
  })
}

function addStateCommands(accounts: Command, add: AddCommand): void {
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

function addEmailCommands(accounts: Command, add: AddCommand): void {
  add<[string, string]>(accounts, {
    usage: 'set-email <username> <address>',
    summary: 'send a confirmation link for an account to an address, which is used once it is confirmed',
    examples: ['accounts set-email layla layla@example.com'],
    action: async ({ server, print }, _, username, email) => {
      const { accountId } = await accountOf(server, username)
      print(
        await server.call(changeEmailOf, { accountId, email }),
        () => `${plain(username)} opens the link in the mail to ${plain(email)} to confirm it.`,
      )
    },
  })
  add<[string]>(accounts, {
    usage: 'remove-email <username>',
    summary: 'stop sending mail to an account',
    examples: ['accounts remove-email layla'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(
        await server.call(changeEmailOf, { accountId, email: null }),
        () => `${plain(username)} has no address anymore.`,
      )
    },
  })
}

function addSecurityCommands(accounts: Command, add: AddCommand): void {
  add<[string]>(accounts, {
    usage: 'end-sessions <username>',
    summary: 'sign an account out in every browser',
    examples: ['accounts end-sessions layla', 'accounts end-sessions layla --json'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(await server.call(endSessionsOf, { accountId }), (ended) =>
        ended === 1
          ? `1 session of ${plain(username)} has ended.`
          : `${ended} sessions of ${plain(username)} have ended.`,
      )
    },
  })

  add<[string]>(accounts, {
    usage: 'reset-factors <username>',
    summary: 'remove the passkeys, authenticator app and recovery codes of an account that has lost them',
    examples: ['accounts reset-factors layla', 'accounts reset-factors layla --json'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(
        await server.call(resetFactors, { accountId }),
        () => `${plain(username)} signs in with the password until another factor is added. All sessions have ended.`,
      )
    },
  })
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

function stateOf({ enabled, suspension }: Account, style: Style): string {
  if (!enabled) return style('red', 'disabled')
  return suspension ? style('yellow', 'suspended') : style('green', 'enabled')
}

/** @throws Failure 1 if no account has the user name */
export async function accountOf(server: Server, username: string): Promise<Account> {
  const { items } = await server.call(listAccounts, { username })
  const found = items.find((it) => it.username === username.toLowerCase())
  if (!found)
    throw new Failure(1, `No account has the user name ${plain(username)}.`, 'List accounts: souk accounts list')
  return found
}
