import { type CanarySystem, canarySystems, consoleOperations, type ResultOf } from '@souk/contract'
import type { Platform } from '@souk/pages'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Failure } from '../failure.ts'
import { plain, table } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { platformOption } from './arguments.ts'
import { chooseRelease } from './reviews.ts'

const { startCanary, listCanaries, widenCanary, pauseCanary, resumeCanary, rollBackCanary, publishRelease } =
  consoleOperations

type Canary = ResultOf<typeof startCanary>

interface App {
  appid: string
  platform?: Platform
}
interface Audience {
  share?: number
  uid?: number[]
  language?: string[]
  system?: CanarySystem[]
}

const stateNames: Record<Canary['state'], string> = {
  running: 'running',
  paused: 'paused',
  halted: 'halted',
  rolledBack: 'rolled back',
  published: 'published',
}

/** `souk canary …`: releases that some users get first (ADR 321). */
export function addCanaryCommands(program: Command, add: AddCommand): void {
  const canary = program.command('canary')
  addStartCommand(canary, add)
  addWidenCommand(canary, add)
  addStateCommands(canary, add)
  addFinishCommand(canary, add)
  addShowCommand(canary, add)
}

function addStartCommand(canary: Command, add: AddCommand): void {
  add<[], App & Audience & { version?: string; factor?: number; minOpenings?: number }>(canary, {
    usage: 'start',
    summary: 'roll out a release, by default the newest one, to some of the users',
    examples: [
      'canary start --appid demoapp00000001 --share 5',
      'canary start --appid demoapp00000001 --version 1.4.0 --share 100 --language ar --system iOS',
    ],
    options: (command) =>
      withAudience(withApp(command))
        .option('--version <version>', 'version (default: the newest release)')
        .option(
          '--factor <number>',
          'halt if it fails more than this many times as often as the published release',
          positive,
        )
        .option('--min-openings <number>', 'minimum number of openings before it can halt', positive),
    action: async (session, { version, factor, minOpenings, ...options }) => {
      const { appid, platform } = options
      const { releaseId } = await chooseRelease(session, {
        appid,
        ...(version && { version }),
        ...(platform && { platform }),
      })
      const limits = { ...(factor && { factor }), ...(minOpenings && { minOpenings }) }
      const input = { appid, releaseId, ...audienceOf(options), ...limits }
      session.print(await session.server.call(startCanary, input), describe)
    },
  })
}

function addWidenCommand(canary: Command, add: AddCommand): void {
  add<[], App & Audience>(canary, {
    usage: 'widen',
    summary: 'roll out the canary to more users',
    examples: ['canary widen --appid demoapp00000001 --share 20'],
    options: (command) => withAudience(withApp(command)),
    action: async (session, options) => {
      const { appid, releaseId, uids } = await openCanary(session, options)
      const audience = audienceOf(options)
      const input = {
        appid,
        releaseId,
        ...audience,
        ...(audience.uids && { uids: [...new Set([...uids, ...audience.uids])] }),
      }
      session.print(await session.server.call(widenCanary, input), describe)
    },
  })
}

function addStateCommands(canary: Command, add: AddCommand): void {
  for (const [usage, operation, summary] of [
    ['pause', pauseCanary, 'give all users the published release until the canary is resumed'],
    ['resume', resumeCanary, 'resume a canary that was paused or halted'],
    ['roll-back', rollBackCanary, 'end the canary: all users get the published release'],
  ] as const) {
    add<[], App>(canary, {
      usage,
      summary,
      examples: [`canary ${usage} --appid demoapp00000001`],
      options: withApp,
      action: async (session, options) => {
        const { appid, releaseId } = await openCanary(session, options)
        session.print(await session.server.call(operation, { appid, releaseId }), describe)
      },
    })
  }
}

function addFinishCommand(canary: Command, add: AddCommand): void {
  add<[], App>(canary, {
    usage: 'finish',
    summary: 'publish the canary, so that all users get it',
    examples: ['canary finish --appid demoapp00000001'],
    options: withApp,
    action: async (session, options) => {
      const { appid, releaseId } = await openCanary(session, options)
      session.print(
        await session.server.call(publishRelease, { appid, releaseId }),
        ({ version, platform }) => `Published ${plain(version)} for ${platform}.`,
      )
    },
  })
}

function addShowCommand(canary: Command, add: AddCommand): void {
  add<[], App>(canary, {
    usage: 'show',
    summary: 'compare the last canaries with the published release',
    examples: ['canary show --appid demoapp00000001', 'canary show --appid demoapp00000001 --json'],
    options: withApp,
    action: async ({ server, print, style }, { appid, platform }) => {
      const all = await server.call(listCanaries, { appid })
      const canaries = all.filter((each) => platform === undefined || each.platform === platform)
      print(canaries, () =>
        canaries.length === 0
          ? 'No release has been rolled out.'
          : table(
              ['VERSION', 'STATE', 'SHARE', 'RELEASE', 'USERS', 'OPENINGS', 'FAILED LAUNCHES', 'WITH ERRORS'],
              canaries.flatMap(({ version, platform, state, share, figures }) =>
                (['canary', 'published'] as const).map((which) => {
                  const { users, openings, failedLaunches, usersWithFailedLaunches, errors, usersWithErrors } =
                    figures[which]
                  const about =
                    which === 'canary'
                      ? [`${plain(version)} for ${platform}`, stateNames[state], `${share} %`]
                      : ['', '', '']
                  const failed = withUsers(failedLaunches, usersWithFailedLaunches)
                  return [...about, which, String(users), String(openings), failed, withUsers(errors, usersWithErrors)]
                }),
              ),
              style,
            ),
      )
    },
  })
}

/** Formats a number of openings with the number of their users, which canaries of earlier versions lack. */
function withUsers(openings: number, users: number | undefined): string {
  return users === undefined || openings === 0 ? String(openings) : `${openings} (users: ${users})`
}

function withApp(command: Command): Command {
  return command.requiredOption('--appid <appid>', 'the mini app').addOption(platformOption())
}

function withAudience(command: Command): Command {
  return command
    .option('--share <percent>', 'percentage of the users', number)
    .option(
      '--uid <uid>',
      'user who always gets it, regardless of the percentage (repeatable)',
      (uid: string, uids: number[] = []) => [...uids, number(uid)],
    )
    .option('--language <language>', 'count users of this language only (repeatable)', repeated)
    .addOption(
      new Option('--system <system...>', 'count users of this operating system only').choices([...canarySystems]),
    )
}

const repeated = (value: string, earlier: string[] = []) => [...earlier, value]

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Use a number such as 5 or 2.5.')
  return value
}

function positive(text: string): number {
  const value = number(text)
  if (value <= 0) throw new InvalidArgumentError('Use a number above 0.')
  return value
}

function audienceOf({ share, uid, language, system }: Audience) {
  return {
    ...(share !== undefined && { share }),
    ...(uid && { uids: uid }),
    ...(language && { languages: language }),
    ...(system && { systems: system }),
  }
}

/** Returns the open canary of a mini app. @throws Failure if there is none, or one for each of several platforms */
async function openCanary({ server }: Session, { appid, platform }: App): Promise<Canary> {
  const open = (await server.call(listCanaries, { appid })).filter(
    (each) =>
      (each.state === 'running' || each.state === 'paused' || each.state === 'halted') &&
      (platform === undefined || each.platform === platform),
  )
  if (open.length > 1) throw new Failure(1, 'Several platforms have a canary.', 'Choose one with --platform.')
  if (!open[0]) throw new Failure(1, 'No release is being rolled out.', 'Start a canary: souk canary start')
  return open[0]
}

const describe = ({ version, platform, state, share, uids }: Canary) =>
  `${plain(version)} for ${platform} is ${stateNames[state]}: ${share} % of the users${uids.length > 0 ? `, and ${uids.length} listed` : ''}.`
