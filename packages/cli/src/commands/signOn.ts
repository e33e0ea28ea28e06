import { consoleOperations, defaultSuspensionDays, type ResultOf, type Role, roles } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { accountOf } from './accounts.ts'
import { addClientOptions, type ClientOptions, readClient } from './clientOptions.ts'

const {
  listSignOnProviders,
  addSignOnProvider,
  removeSignOnProvider,
  allowPasswordSignIn,
  listAccounts,
  restoreAccount,
} = consoleOperations

type Suspension = NonNullable<ResultOf<typeof listAccounts>['items'][number]['suspension']>

interface GroupRole {
  group: string
  role: Role | 'administrator'
  projectId?: string
}

interface AddOptions extends ClientOptions {
  name: string
  issuer: string
  groupsClaim?: string
  role?: GroupRole[]
  suspensionDays?: number
}

/** `souk sign-on …`: OpenID providers whose accounts sign in to the console. */
export function addSignOnCommands(program: Command, add: AddCommand): void {
  const signOn = program.command('sign-on')
  addAddCommand(signOn, add)
  addListCommand(signOn, add)
  addRemoveCommand(signOn, add)
  addPasswordCommands(signOn, add)
  addSuspensionCommands(signOn, add)
}

function addAddCommand(signOn: Command, add: AddCommand): void {
  add<[], AddOptions>(signOn, {
    usage: 'add',
    summary: 'let accounts of an OpenID provider sign in to the console',
    examples: [
      'sign-on add --name Example --issuer https://id.example --client-id souk --client-secret-file - --role admins=administrator',
      'sign-on add --name Example --issuer https://id.example --client-id souk --role tea=editor:0123456789abcdef0123456789abcdef',
    ],
    options: (command) =>
      addClientOptions(
        command
          .requiredOption('--name <name>', 'name on the sign-in button')
          .requiredOption('--issuer <url>', 'issuer of the provider')
          .option('--groups-claim <claim>', 'claim with the groups of an account; groups by default')
          .option(
            '--role <group=role>',
            `role of a group: administrator, or ${roles.join(', ')} and a project as role:projectId; can be repeated`,
            collectRole,
          )
          .option(
            '--suspension-days <days>',
            `days after which credentials and roles are deleted of an account that has left all groups; ${defaultSuspensionDays} by default`,
            parseDays,
          ),
      ),
    action: async (session, { name, issuer, groupsClaim, role, suspensionDays, ...client }) => {
      const added = await session.server.call(addSignOnProvider, {
        name,
        issuer,
        ...(await readClient(session, client)),
        ...(groupsClaim === undefined ? {} : { groupsClaim }),
        ...(role === undefined ? {} : { roles: role }),
        ...(suspensionDays === undefined ? {} : { suspensionDays }),
      })
      session.print(
        added,
        (it) => `Added ${plain(it.name)}: ${it.providerId}\nRegister this redirect URL there: ${it.redirectUrl}`,
      )
    },
  })
}

function addListCommand(signOn: Command, add: AddCommand): void {
  add(signOn, {
    usage: 'list',
    summary: 'list sign-on providers',
    examples: ['sign-on list', 'sign-on list --json'],
    action: async ({ server, style, print, environment }) => {
      print(await server.call(listSignOnProviders, {}), (found) =>
        found.length === 0
          ? 'No sign-on providers yet. Add one with souk sign-on add.'
          : table(
              ['ID', 'NAME', 'ISSUER', 'CLIENT', 'ROLES', 'ADDED'],
              found.map((it) => [
                it.providerId,
                plain(it.name),
                plain(it.issuer),
                plain(it.clientId),
                plain(it.roles.map(({ group, role }) => `${group}=${role}`).join(', ')),
                formatRelative(it.ctime, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
}

function addRemoveCommand(signOn: Command, add: AddCommand): void {
  add<[string]>(signOn, {
    usage: 'remove <providerId>',
    summary: 'remove a sign-on provider, and end the sessions of its accounts',
    examples: ['sign-on remove 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, providerId) => {
      print(await server.call(removeSignOnProvider, { providerId }), () => `Removed ${providerId}.`)
    },
  })
}

function addPasswordCommands(signOn: Command, add: AddCommand): void {
  for (const [word, allowed] of [
    ['allow', true],
    ['forbid', false],
  ] as const) {
    add(signOn, {
      usage: `${word}-passwords`,
      summary: allowed ? 'let accounts sign in with a password again' : 'let accounts sign in at providers only',
      examples: [`sign-on ${word}-passwords`],
      action: async ({ server, print }) => {
        print(await server.call(allowPasswordSignIn, { allowed }), (isAllowed) =>
          isAllowed
            ? 'Accounts can sign in with a password.'
            : 'Accounts sign in at providers only. If those fail, a restart of the server prints a set-up link.',
        )
      },
    })
  }
}

function addSuspensionCommands(signOn: Command, add: AddCommand): void {
  add(signOn, {
    usage: 'suspended',
    summary: 'list accounts whose API key, sessions and roles are suspended, and why',
    examples: ['sign-on suspended', 'sign-on suspended --json'],
    action: async ({ server, style, print, environment }) => {
      const accounts = await server.list(listAccounts, { sort: 'ctime' })
      const suspended = accounts.flatMap((it) => (it.suspension ? [{ ...it, suspension: it.suspension }] : []))
      print(suspended, (found) =>
        found.length === 0
          ? 'No account is suspended.'
          : table(
              ['USER NAME', 'NAME', 'REASON', 'SINCE', 'DELETION'],
              found.map(({ username, name, suspension }) => [
                plain(username),
                plain(name),
                plain(explain(suspension)),
                formatRelative(suspension.since, environment.now()),
                suspension.deletionTime === null ? 'never' : formatRelative(suspension.deletionTime, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
  add<[string]>(signOn, {
    usage: 'restore <username>',
    summary: 'end the suspension of an account, whose API key, sessions and roles can be used again',
    examples: ['sign-on restore layla'],
    action: async ({ server, print }, _, username) => {
      const { accountId } = await accountOf(server, username)
      print(await server.call(restoreAccount, { accountId }), (wasSuspended) =>
        wasSuspended ? `${plain(username)} is restored.` : `${plain(username)} is not suspended.`,
      )
    },
  })
}

function explain({ reason, claim }: Suspension): string {
  return reason === 'claimMissing' ? `the provider did not send the claim ${claim}` : `no group in ${claim} has a role`
}

function parseDays(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a number of days from 1 to 3650.')
}

function collectRole(text: string, collected: GroupRole[] = []): GroupRole[] {
  const [, group, name, projectId] = /^(.+)=([a-z]+)(?::([0-9a-f]{32}))?$/.exec(text) ?? []
  const role = (['administrator', ...roles] as const).find((each) => each === name)
  if (group === undefined || role === undefined || (role === 'administrator') !== (projectId === undefined)) {
    throw new InvalidArgumentError(`Write group=administrator, or group=role:projectId with ${roles.join(', ')}.`)
  }
  return [...collected, { group, role, ...(projectId === undefined ? {} : { projectId }) }]
}
