import { capabilities, consoleOperations } from '@souk/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { formatDuration, parseDuration } from '../duration.ts'
import { Failure } from '../failure.ts'
import { fields, plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { createApp, listApps, updateApp, rotateSecret } = consoleOperations

type Capability = (typeof capabilities)[number]

/** `souk app …`: the mini apps of this installation. */
export function addAppCommands(program: Command, add: AddCommand): void {
  const app = program.command('app').description('the mini apps of this installation')

  add<[], { name: string; language?: 'zh_CN' | 'en_US' | 'ar_SA' }>(app, {
    usage: 'create',
    summary: 'create a mini app; its secret is shown this once',
    examples: ['app create --name "Coffee shop"', 'app create --name "Coffee shop" --language ar_SA --json'],
    options: (command) =>
      command
        .requiredOption('--name <name>', 'name that users see')
        .addOption(new Option('--language <language>', 'default language').choices(['zh_CN', 'en_US', 'ar_SA'])),
    action: async ({ server, print, style }, { name, language }) => {
      const created = await server.call(createApp, { name, ...(language ? { language } : {}) })
      print(created, ({ appid, secret }) =>
        [
          `${plain(name)} is created. The secret is shown this once: keep it where only its backend can read it.`,
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

  add(app, {
    usage: 'list',
    summary: 'list the mini apps',
    examples: ['app list', 'app list --json'],
    action: async ({ server, style, printTimed }) => {
      const apps = await server.call(listApps, {})
      await printTimed(apps, (_, relative) =>
        apps.length === 0
          ? 'There is no mini app yet. Create one: souk app create --name N'
          : table(
              ['APPID', 'NAME', 'STATE', 'CAPABILITIES', 'CREATED'],
              apps.map((it) => [
                it.appid,
                plain(it.name),
                it.enabled ? style('green', 'enabled') : style('red', 'disabled'),
                it.capabilities.join(', ') || '–',
                relative(it.ctime),
              ]),
              style,
            ),
      )
    },
  })

  add<
    [string],
    { enable?: true; disable?: true; capabilities?: Capability[]; merchantName?: string; merchantLogoUrl?: string }
  >(app, {
    usage: 'update <appid>',
    summary: 'enable or disable a mini app, set its capabilities, name its merchant',
    examples: [
      'app update demoapp00000001 --capabilities login,payment,notification',
      'app update demoapp00000001 --disable',
    ],
    options: (command) =>
      command
        .option('--enable', 'let it be used')
        .addOption(new Option('--disable', 'refuse all its requests').conflicts('enable'))
        .option(
          '--capabilities <list>',
          `exactly these, of ${capabilities.join(', ')}; none takes all`,
          parseCapabilities,
        )
        .option('--merchant-name <name>', 'name of its merchant')
        .option('--merchant-logo-url <url>', 'logo of its merchant'),
    action: async ({ server, print }, options, appid) => {
      const { enable, disable, capabilities, merchantName, merchantLogoUrl } = options
      const changes = {
        ...(enable || disable ? { enabled: enable === true } : {}),
        ...(capabilities ? { capabilities } : {}),
        ...(merchantName ? { merchantName } : {}),
        ...(merchantLogoUrl ? { merchantLogoUrl } : {}),
      }
      if (Object.keys(changes).length === 0) {
        throw new Failure(2, 'There is nothing to change.', 'See souk app update --help.')
      }
      print(await server.call(updateApp, { appid, ...changes }), () => `${appid} is updated.`)
    },
  })

  add<[string], { overlap?: number }>(app, {
    usage: 'rotate-secret <appid>',
    summary: 'make a new secret; the old one stays valid for the overlap',
    examples: ['app rotate-secret demoapp00000001', 'app rotate-secret demoapp00000001 --overlap 1h --json'],
    options: (command) =>
      command.option(
        '--overlap <duration>',
        'how long the old one stays valid (default: 24h; 0s ends it now)',
        (text) => (/^0(ms|s|m|h|d)?$/.test(text) ? 0 : parseDuration(text)),
      ),
    action: async ({ server, print, style }, { overlap = 86_400_000 }, appid) => {
      const rotated = await server.call(rotateSecret, { appid, overlap: Math.ceil(overlap / 1000) })
      const until = overlap === 0 ? 'no longer valid' : `valid for another ${formatDuration(overlap)}`
      print(rotated, ({ secret }) =>
        [
          `${appid} has a new secret, shown this once. The old one is ${until}.`,
          fields([['secret', secret]], style),
        ].join('\n'),
      )
    },
  })
}

function parseCapabilities(text: string): Capability[] {
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
  return names.map((name) => {
    const found = capabilities.find((capability) => capability === name)
    if (!found)
      throw new InvalidArgumentError(`It is a list of ${capabilities.join(', ')}, joined with commas, or none.`)
    return found
  })
}
