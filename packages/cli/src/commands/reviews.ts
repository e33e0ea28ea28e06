import {
  type ChangeKind,
  consoleOperations,
  type ReleasePlatform,
  type ResultOf,
  type ReviewItem,
  type ReviewState,
  reviewItems,
} from '@souk/contract'
import type { Platform } from '@souk/pages'
import { type Command, InvalidArgumentError } from 'commander'
import { formatRelative } from '../duration.ts'
import { Failure } from '../failure.ts'
import { fields, plain, size, table } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { platformOption } from './arguments.ts'

const {
  listReleases,
  submitRelease,
  setReleaseStage,
  publishRelease,
  rollBack,
  listReviews,
  getReview,
  startReview,
  approveRelease,
  rejectRelease,
  withdrawRelease,
  listChangeRequests,
  updatePlatformSettings,
  uploadImage,
} = consoleOperations

type Review = ResultOf<typeof approveRelease>
type Release = ResultOf<typeof listReleases>[number]

interface Choice {
  appid: string
  version?: string
  platform?: Platform
}

const stateNames: Record<ReviewState, string> = {
  submitted: 'submitted',
  inReview: 'in review',
  approved: 'approved',
  scheduled: 'scheduled',
  rejected: 'rejected',
  published: 'published',
  withdrawn: 'withdrawn',
}

/** `souk submit`, `souk review …`, `souk publish` and `souk roll-back`: from an upload to the users (ADR 320). */
export function addReviewCommands(program: Command, add: AddCommand): void {
  addSubmitCommand(program, add)
  const review = program.command('review')
  addListCommand(review, add)
  addShowCommand(review, add)
  addDecisionCommands(review, add)
  addRequireCommand(review, add)
  addPublishCommand(program, add)
  addRollBackCommand(program, add)
}

function addSubmitCommand(program: Command, add: AddCommand): void {
  add<[], Choice & { note?: string; testAccount?: string; screenshot?: string[]; withdraw?: true }>(program, {
    usage: 'submit',
    examples: [
      'submit --appid demoapp00000001',
      'submit --appid demoapp00000001 --version 1.4.0 --note "The menu is new." --test-account "layla, tea"',
      'submit --appid demoapp00000001 --screenshot menu.png cart.png',
      'submit --appid demoapp00000001 --version 1.4.0 --withdraw',
    ],
    options: (command) =>
      withChoice(command)
        .option('--note <text>', 'note for the reviewer')
        .option('--test-account <text>', 'how the reviewer signs in to the mini app')
        .option('--screenshot <file...>', 'images for the reviewer')
        .option('--withdraw', 'withdraw it instead: from review, from its schedule, or from users'),
    action: async (session, { note, testAccount, screenshot = [], withdraw, ...choice }) => {
      const { server, print, style, environment } = session
      const { appid } = choice
      const { releaseId, current } = await chooseRelease(session, choice)
      if (withdraw) {
        // Only owners withdraw a release from users; everyone who may submit it withdraws it from review.
        const release = current
          ? await server.call(withdrawRelease, { appid, releaseId })
          : await server.call(setReleaseStage, { appid, releaseId, stage: 'development' })
        print(
          release,
          (it) => `${style('green', 'ok')} ${plain(it.version)} for ${it.platform} is in development again.`,
        )
        return
      }
      // Two files with the same content are the same image.
      const images = new Set<string>()
      for (const path of screenshot) {
        const content = (await environment.readBytes(path)).toString('base64')
        const image = await server.call(uploadImage, { appid, content }).catch((error: unknown) => {
          if (error instanceof Failure) error.message = `${path}: ${error.message}`
          throw error
        })
        images.add(image.fileId)
      }
      const input = {
        appid,
        releaseId,
        screenshots: [...images],
        ...(note && { note }),
        ...(testAccount && { testAccount }),
      }
      print(await server.call(submitRelease, input), (it) =>
        [
          `${style('green', 'ok')} ${plain(it.version)} for ${it.platform} submitted.`,
          fields([['review', it.reviewId]], style),
        ].join('\n'),
      )
    },
  })
}

function addPublishCommand(program: Command, add: AddCommand): void {
  add<[], Choice & { at?: number }>(program, {
    usage: 'publish',
    examples: [
      'publish --appid demoapp00000001 --version 1.4.0',
      'publish --appid demoapp00000001 --version 1.4.0 --at 2026-12-01T09:00:00+03:00',
    ],
    options: (command) =>
      withChoice(command).option('--at <time>', 'publish an approved release at this time, with its zone', parseTime),
    action: async (session, { at, ...choice }) => {
      const { server, print, style, environment } = session
      const { appid } = choice
      const { releaseId } = await chooseRelease(session, choice)
      const input = { appid, releaseId, ...(at !== undefined && { publishTime: at }) }
      print(await server.call(publishRelease, input), ({ version, platform }) => {
        const done = at === undefined ? 'published' : `will be published ${formatRelative(at, environment.now())}`
        return `${style('green', 'ok')} ${plain(version)} for ${platform} ${done}.`
      })
    },
  })
}

function addRollBackCommand(program: Command, add: AddCommand): void {
  add<[], Choice>(program, {
    usage: 'roll-back',
    examples: ['roll-back --appid demoapp00000001', 'roll-back --appid demoapp00000001 --version 1.3.0'],
    options: (command) =>
      command
        .requiredOption('--appid <appid>', 'the mini app')
        .option('--version <version>', 'version that was published before (default: the one before the current one)')
        .addOption(platformOption()),
    action: async (session, choice) => {
      const { server, print, style } = session
      const { releaseId } = choice.version ? await chooseRelease(session, choice) : await releaseBefore(session, choice)
      print(
        await server.call(rollBack, { appid: choice.appid, releaseId }),
        ({ version, platform }) => `${style('green', 'ok')} Rolled back to ${plain(version)} for ${platform}.`,
      )
    },
  })
}

/** Returns the release that was current before the one that is. */
async function releaseBefore({ server }: Session, { appid, platform }: Choice): Promise<Release> {
  const releases = await server.call(listReleases, { appid })
  const current = releases.filter((each) => each.current && (platform === undefined || each.platform === platform))
  if (current.length > 1) {
    const names = current.map((each) => each.platform).join(', ')
    throw new Failure(2, `Releases are published for several platforms: ${names}.`, 'Choose one with --platform.')
  }
  const [before] = releases
    .filter((each) => !each.current && each.publishedTime !== null && each.platform === current[0]?.platform)
    .sort((a, b) => b.publishedTime! - a.publishedTime!)
  if (before) return before
  throw new Failure(1, 'No release was published before the current one.', 'See souk roll-back --help.')
}

/** Parses a time such as `2026-12-01T09:00:00+03:00` to ms. Without a zone it would depend on the machine. */
function parseTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(time) || !new Date(day).toISOString().startsWith(day)) {
    throw new InvalidArgumentError('Use a time with its zone, such as 2026-12-01T09:00:00+03:00.')
  }
  return time
}

function withChoice(command: Command): Command {
  return command
    .requiredOption('--appid <appid>', 'the mini app')
    .option('--version <version>', 'version (default: the newest release)')
    .addOption(platformOption())
}

/** Returns the newest release of a version and platform. @throws Failure if there is none */
export async function chooseRelease({ server }: Session, { appid, version, platform }: Choice): Promise<Release> {
  const releases = await server.call(listReleases, { appid })
  const found = releases.find(
    (each) =>
      (version === undefined || each.version === version) &&
      (platform === undefined || each.platform === (platform as ReleasePlatform)),
  )
  if (found) return found
  throw new Failure(1, 'The mini app has no such release.', 'Upload one: souk upload')
}

function addListCommand(review: Command, add: AddCommand): void {
  add<[], { appid?: string; all?: true }>(review, {
    usage: 'list',
    summary: 'list open reviews and pending requests, newest first, at most 200 each',
    examples: ['review list', 'review list --appid demoapp00000001 --all --json'],
    options: (command) =>
      command.option('--appid <appid>', 'only reviews of this mini app').option('--all', 'include closed ones'),
    action: async ({ server, style, print, environment }, { appid, all }) => {
      const filter = { limit: 200, ...(appid ? { appid } : {}) }
      const [reviews, requests] = await Promise.all([
        server.call(listReviews, { ...filter, ...(all ? {} : { open: true }) }),
        server.call(listChangeRequests, { ...filter, ...(all ? {} : { state: 'pending' }) }),
      ])
      const rows = [
        ...reviews.items.map((it) => ({ ...it, id: it.reviewId, what: describeRelease(it), by: it.submittedBy })),
        ...requests.items.map((it) => ({ ...it, id: it.changeId, what: kinds[it.kind], by: it.requestedBy })),
      ].sort((one, other) => other.ctime - one.ctime)
      print({ reviews: reviews.items, requests: requests.items }, () =>
        rows.length === 0
          ? 'Nothing to review.'
          : table(
              ['ID', 'PROJECT', 'MINI APP', 'WHAT', 'STATE', 'BY', 'SINCE'],
              rows.map(({ id, projectName, appName, what, state, by, ctime }) => [
                ...[id, plain(projectName), plain(appName), plain(what)],
                ...[state === 'inReview' ? stateNames[state] : state, plain(by)],
                formatRelative(ctime, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
}

const kinds: Record<ChangeKind, string> = {
  capabilities: 'capabilities',
  publication: 'first publication',
  name: 'name',
  iconUrl: 'icon',
  merchantName: 'merchant name',
  merchantLogoUrl: 'merchant logo',
  domains: 'hosts',
  testers: 'testers',
}

/** Returns the size of a changed file, and its earlier one if it has both. */
function describeSizes({
  size: now,
  earlierSize: earlier,
}: {
  size: number | null
  earlierSize: number | null
}): string {
  if (now === null || earlier === null) return size(now ?? earlier ?? 0)
  return `${size(earlier)} → ${size(now)}`
}

function addShowCommand(review: Command, add: AddCommand): void {
  add<[], Choice>(review, {
    usage: 'show',
    summary: 'show the review of a release, by default the newest one, and what differs from the published release',
    examples: ['review show --appid demoapp00000001', 'review show --appid demoapp00000001 --version 1.4.0 --json'],
    options: withChoice,
    action: async (session, choice) => {
      const { server, print, style, environment } = session
      const { releaseId } = await chooseRelease(session, choice)
      const found = await server.call(getReview, { appid: choice.appid, releaseId })
      const url = await environment.serverUrl()
      print(found, ({ review: it, history, published, files, pages, approved, hostFunctions, changes }) => {
        const since = published ? `since ${plain(published.version)}` : 'the first release'
        const lines = (sign: string, { files: listed, count }: typeof files.added) => [
          ...listed.map((file) => `${sign} ${plain(file.path)} (${describeSizes(file)})`),
          ...(count > listed.length ? [`${sign} and ${count - listed.length} more`] : []),
        ]
        return [
          `${style('bold', `${plain(it.appName)} ${describeRelease(it)}`)}: ${stateNames[it.state]}`,
          fields(
            [
              ['review', it.reviewId],
              ['note', it.note === null ? '–' : plain(it.note)],
              ['test account', it.testAccount === null ? '–' : plain(it.testAccount)],
              ['screenshots', it.screenshots.map((id) => `${url}/files/${id}`).join(', ') || '–'],
              ['capabilities', approved.capabilities.join(', ') || '–'],
              ['hosts', [...new Set(Object.values(approved.domains).flat())].map(plain).join(', ') || '–'],
              ['functions asked for', hostFunctions.requested.join(', ') || '–'],
              ['functions granted', hostFunctions.granted.join(', ') || '–'],
              ['pending requests', changes.map(({ kind }) => kinds[kind]).join(', ') || '–'],
              ['pages added', pages.added.map(plain).join(', ') || '–'],
              ['pages removed', pages.removed.map(plain).join(', ') || '–'],
              [
                'files',
                `${files.added.count} added, ${files.changed.count} changed, ${files.removed.count} removed, ${since}`,
              ],
            ],
            style,
          ),
          ...(published
            ? [...lines('+', files.added), ...lines('~', files.changed), ...lines('-', files.removed)]
            : []),
          ...history.map(
            ({ state, by, time, reasons, note }) =>
              `${formatRelative(time, environment.now())}: ${stateNames[state]} by ${plain(by)}${describeReasons(reasons)}${note ? `. Note: ${plain(note)}` : ''}`,
          ),
        ].join('\n')
      })
    },
  })
}

function addDecisionCommands(review: Command, add: AddCommand): void {
  add<[string]>(review, {
    usage: 'start <reviewId>',
    summary: 'start a review, so that other reviewers know',
    examples: ['review start 0123456789abcdef0123456789abcdef'],
    action: async ({ server, print }, _, reviewId) => {
      print(await server.call(startReview, { reviewId }), (it) => `In review: ${describe(it)}.`)
    },
  })
  const withNote = (command: Command) => command.option('--note <text>', 'note for the developer')
  add<[string], { note?: string; grant?: string[] }>(review, {
    usage: 'approve <reviewId>',
    summary: 'approve a release, which its owners can then publish',
    examples: [
      'review approve 0123456789abcdef0123456789abcdef',
      'review approve 0123456789abcdef0123456789abcdef --grant loyaltyCard',
    ],
    options: (command) =>
      withNote(command).option(
        '--grant <function...>',
        'functions of the host that it may call, of those that it asks for (default: those that it may call now)',
      ),
    action: async ({ server, print }, { note, grant }, reviewId) => {
      const granted = { ...(grant && { hostFunctions: grant }) }
      print(
        await server.call(approveRelease, { reviewId, ...(note !== undefined && { note }), ...granted }),
        (it) => `Approved ${describe(it)}.`,
      )
    },
  })
  add<[string], { reason: string[]; note?: string }>(review, {
    usage: 'reject <reviewId>',
    summary: 'reject a release, with what the developer has to change',
    examples: ['review reject 0123456789abcdef0123456789abcdef --reason payment="The price is not shown."'],
    options: (command) =>
      withNote(command).requiredOption(
        '--reason <item=text>',
        `reason for an item: ${reviewItems.join(', ')} (repeatable)`,
        (reason: string, earlier: string[] = []) => [...earlier, reason],
      ),
    action: async ({ server, print }, { reason, note }, reviewId) => {
      print(
        await server.call(rejectRelease, {
          reviewId,
          reasons: reason.map(reasonOf),
          ...(note !== undefined && { note }),
        }),
        (it) => `Rejected ${describe(it)}.`,
      )
    },
  })
}

function addRequireCommand(review: Command, add: AddCommand): void {
  for (const [usage, requireReviews] of [
    ['require', true],
    ['waive', false],
  ] as const) {
    add(review, {
      usage,
      summary: requireReviews
        ? 'require an approved review for every publication from now on'
        : 'stop requiring reviews',
      examples: [`review ${usage}`],
      action: async ({ server, print }) => {
        print(await server.call(updatePlatformSettings, { requireReviews }), (it) =>
          it.requireReviews ? 'Releases need an approved review.' : 'Releases need no review.',
        )
      },
    })
  }
}

/** Parses `item=text`; a text without an item is about `other`. */
function reasonOf(given: string): { item: ReviewItem; text: string } {
  const item = reviewItems.find((each) => given.startsWith(`${each}=`))
  return item ? { item, text: given.slice(item.length + 1) } : { item: 'other', text: given }
}

const describeRelease = ({ version, platform }: Pick<Review, 'version' | 'platform'>) => `${version} for ${platform}`
const describe = (review: Review) => plain(`${review.appName} ${describeRelease(review)}`)
const describeReasons = (reasons: Review['reasons']) =>
  reasons.length === 0 ? '' : `: ${reasons.map(({ item, text }) => `${item}: ${plain(text)}`).join('; ')}`
