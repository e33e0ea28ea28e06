import { consoleOperations, type ServiceScope, serviceAccountDays, serviceScopes } from '@souk/contract'
import { type Command, Option } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { parseNumber } from './arguments.ts'

const { addServiceAccount, listServiceAccounts, removeServiceAccount } = consoleOperations

interface AddOptions {
  project: string
  name: string
  scope: ServiceScope[]
  days?: number
}

/** `souk service-accounts …`: programs that act on a project with their own token. */
export function addServiceAccountCommands(program: Command, add: AddCommand): void {
  const accounts = program.command('service-accounts')
  addAddCommand(accounts, add)
  addListCommand(accounts, add)
  addRemoveCommand(accounts, add)
}

const withProject = (command: Command) => command.requiredOption('--project <projectId>', 'the project')

function addAddCommand(accounts: Command, add: AddCommand): void {
  add<[], AddOptions>(accounts, {
    usage: 'add',
    summary: 'add a service account and print its token, which is shown only once',
    examples: [
      'service-accounts add --project 0123456789abcdef0123456789abcdef --name CI --scope releases:write',
      'service-accounts add --project 0123456789abcdef0123456789abcdef --name Export --scope datasets:read trades:read --days 365 --json',
    ],
    options: (command) =>
      withProject(command)
        .requiredOption('--name <name>', 'name that says what it is for')
        .addOption(
          new Option('--scope <scopes...>', 'scopes of its token').choices(serviceScopes).makeOptionMandatory(),
        )
        .option(
          '--days <number>',
          `days until it expires, at most ${serviceAccountDays.max} (default: ${serviceAccountDays.default})`,
          parseNumber,
        ),
    action: async ({ server, print, environment }, { project, name, scope, days }) => {
      const input = { projectId: project, name, scopes: scope, ...(days === undefined ? {} : { days }) }
      print(await server.call(addServiceAccount, input), ({ token, serviceAccount }) =>
        [
          `Added ${plain(serviceAccount.name)}, which expires ${formatRelative(serviceAccount.expires, environment.now())}.`,
          'Its token is shown only once. Set it as SOUK_TOKEN:',
          token,
        ].join('\n'),
      )
    },
  })
}

function addListCommand(accounts: Command, add: AddCommand): void {
  add<[], { project: string }>(accounts, {
    usage: 'list',
    summary: 'list the service accounts of a project',
    examples: ['service-accounts list --project 0123456789abcdef0123456789abcdef --json'],
    options: withProject,
    action: async ({ server, style, print, environment }, { project }) => {
      const now = environment.now()
      print(await server.call(listServiceAccounts, { projectId: project }), (found) =>
        found.length === 0
          ? 'No service accounts yet. Add one with souk service-accounts add.'
          : table(
              ['ID', 'NAME', 'SCOPES', 'EXPIRES', 'LAST USED'],
              found.map((it) => [
                it.serviceAccountId,
                plain(it.name),
                it.scopes.join(', '),
                it.expires <= now ? style('red', 'expired') : formatRelative(it.expires, now),
                it.lastUsedAt === null
                  ? '–'
                  : `${formatRelative(it.lastUsedAt, now)}${it.lastUsedFrom ? ` from ${plain(it.lastUsedFrom)}` : ''}`,
              ]),
              style,
            ),
      )
    },
  })
}

function addRemoveCommand(accounts: Command, add: AddCommand): void {
  add<[string], { project: string }>(accounts, {
    usage: 'remove <serviceAccountId>',
    summary: 'remove a service account; its token stops working at once',
    examples: ['service-accounts remove 0123456789abcdef0123456789abcdef --project 0123456789abcdef0123456789abcdef'],
    options: withProject,
    action: async ({ server, print }, { project }, serviceAccountId) => {
      print(
        await server.call(removeServiceAccount, { projectId: project, serviceAccountId }),
        () => `Removed ${serviceAccountId}. Its token no longer works.`,
      )
    },
  })
}
