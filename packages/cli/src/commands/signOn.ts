import { consoleOperations, type Role, roles } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { addClientOptions, type ClientOptions, readClient } from './clientOptions.ts'

const { listSignOnProviders, addSignOnProvider, removeSignOnProvider, allowPasswordSignIn } = consoleOperations

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
}

/** `souk sign-on …`: OpenID providers whose accounts sign in to the console. */
export function addSignOnCommands(program: Command, add: AddCommand): void {
  const signOn = program.command('sign-on')
  addAddCommand(signOn, add)
  addListCommand(signOn, add)
  addRemoveCommand(signOn, add)
  addPasswordCommands(signOn, add)
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
          ),
      ),
    action: async (session, { name, issuer, groupsClaim, role, ...client }) => {
      const added = await session.server.call(addSignOnProvider, {
        name,
        issuer,
        ...(await readClient(session, client)),
        ...(groupsClaim === undefined ? {} : { groupsClaim }),
        ...(role === undefined ? {} : { roles: role }),
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

function collectRole(text: string, collected: GroupRole[] = []): GroupRole[] {
  const [, group, name, projectId] = /^(.+)=([a-z]+)(?::([0-9a-f]{32}))?$/.exec(text) ?? []
  const role = (['administrator', ...roles] as const).find((each) => each === name)
  if (group === undefined || role === undefined || (role === 'administrator') !== (projectId === undefined)) {
    throw new InvalidArgumentError(`Write group=administrator, or group=role:projectId with ${roles.join(', ')}.`)
  }
  return [...collected, { group, role, ...(projectId === undefined ? {} : { projectId }) }]
}
