import { Type } from 'typebox'
import { canaryStates, canarySystems, maxCanaryLanguages, maxCanaryUsers } from '../canary.ts'
import { operation } from '../operation.ts'
import { releasePlatforms } from '../release.ts'
import { Appid, Hex32, LanguageTag, Long, Nullable, RealTime } from '../schemas.ts'
import { BlockReason } from './blocks.ts'
import { console, Uid } from './surface.ts'

const Share = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Percentage of the users, among those that languages and systems select.',
  'x-allowed': 'must be a number from 0 to 100',
})
const Uids = Type.Array(Uid, {
  maxItems: maxCanaryUsers,
  uniqueItems: true,
  description: 'Users who always get the release, regardless of the percentage.',
  'x-allowed': `must be a list of at most ${maxCanaryUsers} user ids`,
})
const Languages = Type.Array(LanguageTag, {
  maxItems: maxCanaryLanguages,
  uniqueItems: true,
  description: 'The percentage counts users of these languages only; all if empty. `zh` includes `zh_CN`.',
  'x-allowed': `must be a list of at most ${maxCanaryLanguages} language tags such as en or zh_CN`,
})
const Systems = Type.Array(Type.Enum([...canarySystems]), {
  maxItems: canarySystems.length,
  uniqueItems: true,
  description: 'The percentage counts users of these operating systems only; all if empty.',
  'x-allowed': `must be a list of ${canarySystems.join(', ')}`,
})
const audience = {
  share: Type.Optional(Share),
  uids: Type.Optional(Uids),
  languages: Type.Optional(Languages),
  systems: Type.Optional(Systems),
}

const Figures = Type.Object({
  users: Type.Integer(),
  openings: Type.Integer(),
  failedLaunches: Type.Integer({ description: 'Openings in which the mini app did not start.' }),
  errors: Type.Integer({ description: 'Openings with at least one JavaScript error.' }),
  usersWithFailedLaunches: Type.Optional(
    Type.Integer({ description: 'Users with at least one failed launch; missing in canaries of earlier versions.' }),
  ),
  usersWithErrors: Type.Optional(
    Type.Integer({ description: 'Users with at least one JavaScript error; missing in canaries of earlier versions.' }),
  ),
})

/** A canary: a release that some users get before the others. */
const Canary = Type.Object({
  canaryId: Hex32(),
  appid: Type.String(),
  releaseId: Type.String(),
  platform: Type.Enum([...releasePlatforms]),
  version: Type.String(),
  state: Type.Enum([...canaryStates]),
  share: Type.Number({ description: 'Percentage.' }),
  uids: Type.Array(Type.Integer()),
  languages: Type.Array(Type.String()),
  systems: Type.Array(Type.Enum([...canarySystems])),
  factor: Type.Number(),
  minOpenings: Type.Integer(),
  haltReason: Nullable(
    Type.Enum(['failedLaunches', 'errors'], { description: 'What exceeded the limit, if it was halted.' }),
  ),
  figures: Type.Object(
    { canary: Figures, published: Figures },
    {
      description:
        'Figures of both releases since the canary started or was resumed after a halt. At most 50 openings per user are counted.',
    },
  ),
  startedBy: Type.String({ description: 'Name of the account or service account, or admin.' }),
  ctime: RealTime(),
  mtime: RealTime('When its state or audience last changed, ms.'),
})

const ofRelease = { appid: Appid, releaseId: Hex32({ description: 'The release.' }) }
const conflicts = ['release_not_found', 'canary_not_found', 'canary_state_conflict'] as const

/** Canary releases: roll-outs to a part of the users. */
export const canaryOperations = {
  startCanary: operation({
    ...console,
    id: 'startCanary',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/canary',
    summary: 'Roll out a release to some of the users; the others keep the published release of its platform',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRelease,
      ...audience,
      factor: Type.Optional(
        Type.Number({
          minimum: 1.1,
          maximum: 100,
          default: 2,
          description:
            'It halts when the share of its users with failures exceeds that of the published release by this factor.',
          'x-allowed': 'must be a number from 1.1 to 100',
        }),
      ),
      minOpenings: Type.Optional(
        Long({
          minimum: 10,
          maximum: 1_000_000,
          default: 200,
          description: 'Openings of the canary before it can halt.',
          'x-allowed': 'must be a number from 10 to 1000000',
        }),
      ),
    }),
    example: { share: 5 },
    result: Canary,
    errors: [
      'release_not_found',
      'release_stage_conflict',
      'release_unsigned',
      'release_review_required',
      'canary_state_conflict',
      'user_not_found',
      'blocked_by_operator',
    ],
    redact: [],
  }),
  listCanaries: operation({
    ...console,
    id: 'listCanaries',
    method: 'GET',
    path: '/console/v1/apps/{appid}/canaries',
    summary: 'List the last 20 canaries of a mini app with their figures, newest first',
    access: { action: 'release.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Type.Array(Canary),
    errors: [],
    redact: [],
  }),
  widenCanary: operation({
    ...console,
    id: 'widenCanary',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/canary/widen',
    summary: 'Widen a canary to more users, in addition to those who have it',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ ...ofRelease, ...audience }),
    example: { share: 20 },
    result: Canary,
    errors: [...conflicts, 'user_not_found'],
    redact: [],
  }),
  pauseCanary: operation({
    ...console,
    id: 'pauseCanary',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/canary/pause',
    summary: 'Give all users the published release again until the canary is resumed',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ ...ofRelease, reason: BlockReason }),
    result: Canary,
    errors: conflicts,
    redact: [],
  }),
  resumeCanary: operation({
    ...console,
    id: 'resumeCanary',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/canary/resume',
    summary: 'Resume a paused or halted canary; the figures of a halted one start again',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object(ofRelease),
    result: Canary,
    errors: [...conflicts, 'blocked_by_operator'],
    redact: [],
  }),
  rollBackCanary: operation({
    ...console,
    id: 'rollBackCanary',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/canary/roll-back',
    summary: 'End a canary: all users get the published release; publishing the canary ends it too',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object(ofRelease),
    result: Canary,
    errors: conflicts,
    redact: [],
  }),
}
