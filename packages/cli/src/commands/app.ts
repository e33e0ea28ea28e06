import { capabilities, consoleOperations, type Domains, day, domainPurposes, type ResultOf } from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatDuration } from '../duration.ts'
import { Failure } from '../failure.ts'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { overlapOption } from './arguments.ts'

const { archiveApp, createApp, deleteApp, getApp, listApps, restoreApp, updateApp, rotateSecret } = consoleOperations

type Capability = (typeof capabilities)[number]
type App = ResultOf<typeof listApps>['items'][number]

/** `souk app …`: mini apps of this installation. */
export function addAppCommands(program: Command, add: AddCommand): void {
  const app = program.command('app')
  addCreateCommand(app, add)
  addListCommand(app, add)
  addUpdateCommand(app, add)
  addArchiveCommands(app, add)
  addDeleteCommand(app, add)
  addRotateSecretCommand(app, add)
}

function addCreateCommand(app: Command, add: AddCommand): void {
  add<[], { name: string; language?: 'zh_CN' | 'en_US' | 'ar_SA' }>(app, {
    usage: 'create',
    summary: 'create a mini app; its secret is shown only once',
    examples: ['app create --name "Coffee shop"', 'app create --name "Coffee shop" --language ar_SA --json'],
    options: (command) =>
      command
        .requiredOption('--name <name>', 'displayed name')
        .addOption(new Option('--language <language>', 'default language').choices(['zh_CN', 'en_US', 'ar_SA'])),
    action: async ({ server, print, style }, { name, language }) => {
      const created = await server.call(createApp, { name, ...(language ? { language } : {}) })
      print(created, ({ appid, secret }) =>
        [
          `Created ${plain(name)}. The secret is shown only once: store it where only the backend can read it.`,
          fields(
            [
              ['appid', appid],
              ['secret', secret],
            ],
            style,
          ),
        ].join('\n'),
      )
    },
  })
}

function addListCommand(app: Command, add: AddCommand): void {
  add<[], { archived?: true }>(app, {
    usage: 'list',
    summary: 'list mini apps',
    examples: ['app list', 'app list --archived', 'app list --json'],
    options: (command) => command.option('--archived', 'list the archived ones'),
    action: async ({ server, style, printTimed }, { archived }) => {
      const apps = await server.list(listApps, archived ? { archived } : {})
      const none = archived ? 'No archived mini apps.' : 'No mini apps yet. Create one: souk app create --name N'
      await printTimed(apps, (_, relative) =>
        apps.length === 0
          ? none
          : table(
              ['APPID', 'NAME', 'STATE', 'CAPABILITIES', 'CREATED'],
              apps.map((it) => [
                it.appid,
                plain(it.name),
                stateOf(it, style),
                it.capabilities.join(', ') || '–',
                relative(it.ctime),
              ]),
              style,
            ),
      )
    },
  })
}

function stateOf({ archivedTime, enabled }: App, style: Style): string {
  if (archivedTime !== null) return 'archived'
  return enabled ? style('green', 'enabled') : style('red', 'disabled')
}

function addArchiveCommands(app: Command, add: AddCommand): void {
  add<[string], { reason?: string }>(app, {
    usage: 'archive <appid>',
    summary: 'take a mini app out of use; payments in progress, refunds and callbacks continue',
    examples: ['app archive demoapp00000001'],
    options: (command) => command.option('--reason <text>', 'reason that the owners see, if you are an administrator'),
    action: async ({ server, print }, { reason }, appid) => {
      print(
        await server.call(archiveApp, { appid, ...(reason && { reason }) }),
        () => `Archived ${appid}. Restore it: souk app restore ${appid}`,
      )
    },
  })
  add<[string]>(app, {
    usage: 'restore <appid>',
    summary: 'restore an archived mini app',
    examples: ['app restore demoapp00000001'],
    action: async ({ server, print }, _, appid) => {
      print(await server.call(restoreApp, { appid }), () => `Restored ${appid}.`)
    },
  })
}

function addDeleteCommand(app: Command, add: AddCommand): void {
  add<[string], { name?: string; yes?: true }>(app, {
    usage: 'delete <appid>',
    summary: 'permanently delete an archived mini app; trades, refunds, callbacks and the ledger stay',
    examples: ['app delete demoapp00000001 --name "Coffee shop"', 'app delete demoapp00000001 --yes --json'],
    options: (command) =>
      command
        .option('--name <name>', 'confirm with the name of the mini app')
        .addOption(new Option('--yes', 'confirm without the name').conflicts('name')),
    action: async ({ server, print }, { name, yes }, appid) => {
      if (name === undefined && !yes) {
        throw new Failure(
          2,
          'A deleted mini app cannot be restored.',
          'Add --name with its name, or --yes, to confirm.',
        )
      }
      const confirmed = name ?? (await server.call(getApp, { appid })).name
      print(await server.call(deleteApp, { appid, name: confirmed }), () => `Deleted ${appid}.`)
    },
  })
}

function addUpdateCommand(app: Command, add: AddCommand): void {
  add<
    [string],
    DomainOptions & {
      enable?: true
      disable?: true
      reason?: string
      name?: string
      iconUrl?: string
      capabilities?: Capability[]
      merchantName?: string
      merchantLogoUrl?: string
      http200?: keyof typeof http200Choices
    }
  >(app, {
    usage: 'update <appid>',
    summary: 'enable or disable a mini app, set its name, capabilities, merchant and hosts',
    examples: [
      'app update demoapp00000001 --capabilities login,payment,notification',
      'app update demoapp00000001 --request-domains api.example.com,*.cdn.example.com',
      'app update demoapp00000001 --http-200 always',
      'app update demoapp00000001 --disable --reason "It sells what it does not have."',
    ],
    options: (command) =>
      command
        .option('--enable', 'enable the mini app')
        .addOption(new Option('--disable', 'disable the mini app; all its requests are refused').conflicts('enable'))
        .option('--reason <text>', 'reason that the owners see, if you are an administrator')
        .option(
          '--capabilities <list>',
          `comma-separated capabilities: ${capabilities.join(', ')}; or none`,
          parseCapabilities,
        )
        .option('--name <name>', 'displayed name')
        .option('--icon-url <url>', 'icon URL')
        .option('--merchant-name <name>', 'merchant name')
        .option('--merchant-logo-url <url>', 'merchant logo URL')
        .addOption(
          new Option('--http-200 <when>', 'HTTP 200 for errors of the open API').choices(Object.keys(http200Choices)),
        )
        .option('--request-domains <list>', 'comma-separated hosts that pages may call, or none', parseDomains)
        .option('--upload-domains <list>', 'hosts that files may be uploaded to', parseDomains)
        .option('--download-domains <list>', 'hosts that files may be downloaded from', parseDomains)
        .option('--web-view-domains <list>', 'hosts that web views may open', parseDomains),
    action: async ({ server, print }, options, appid) => {
      const { enable, disable, reason, name, iconUrl, capabilities, merchantName, merchantLogoUrl, http200 } = options
      const domains = domainsOf(options)
      const changes = {
        ...(enable || disable ? { enabled: enable === true } : {}),
        ...(name ? { name } : {}),
        ...(iconUrl ? { iconUrl } : {}),
        ...(capabilities ? { capabilities } : {}),
        ...(merchantName ? { merchantName } : {}),
        ...(merchantLogoUrl ? { merchantLogoUrl } : {}),
        ...(http200 ? { openApiAlways200: http200Choices[http200] } : {}),
        ...(Object.keys(domains).length > 0 ? { domains } : {}),
      }
      if (Object.keys(changes).length === 0) {
        throw new Failure(2, 'Nothing to change.', 'See souk app update --help.')
      }
      print(await server.call(updateApp, { appid, ...changes, ...(reason && { reason }) }), (complete) =>
        complete
          ? `Updated ${appid}.`
          : `Some changes of ${appid} await approval: souk approvals list --appid ${appid}`,
      )
    },
  })
}

function addRotateSecretCommand(app: Command, add: AddCommand): void {
  add<[string], { overlap?: number }>(app, {
    usage: 'rotate-secret <appid>',
    summary: 'create a new secret; the old one stays valid for the overlap',
    examples: ['app rotate-secret demoapp00000001', 'app rotate-secret demoapp00000001 --overlap 1h --json'],
    options: (command) => command.addOption(overlapOption()),
    action: async ({ server, print, style }, { overlap = day }, appid) => {
      const rotated = await server.call(rotateSecret, { appid, overlap: Math.ceil(overlap / 1000) })
      const until = overlap === 0 ? 'no longer valid' : `valid for another ${formatDuration(overlap)}`
      print(rotated, ({ secret }) =>
        [
          `Rotated the secret of ${appid}. It is shown only once. The old one is ${until}.`,
          fields([['secret', secret]], style),
        ].join('\n'),
      )
    },
  })
}

/** Values of `--http-200`. */
const http200Choices = { always: true, never: false, default: null } as const

interface DomainOptions {
  requestDomains?: string[]
  uploadDomains?: string[]
  downloadDomains?: string[]
  webViewDomains?: string[]
}

/** Returns the given lists of hosts by purpose. */
function domainsOf(options: DomainOptions): Partial<Domains> {
  return Object.fromEntries(
    domainPurposes.flatMap((purpose) => {
      const hosts = options[`${purpose}Domains`]
      return hosts ? [[purpose, hosts]] : []
    }),
  )
}

function parseDomains(text: string): string[] {
  return text === 'none' ? [] : text.split(',').map((domain) => domain.trim())
}

function parseCapabilities(text: string): Capability[] {
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
  return names.map((name) => {
    const found = capabilities.find((capability) => capability === name)
    if (!found) throw new InvalidArgumentError(`Use a comma-separated list of ${capabilities.join(', ')}, or none.`)
    return found
  })
}
