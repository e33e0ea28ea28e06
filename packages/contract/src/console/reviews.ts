import { Type } from 'typebox'
import { DomainsSchema } from '../domains.ts'
import { operation } from '../operation.ts'
import { releasePlatforms } from '../release.ts'
import { maxDecisionNote, maxScreenshots, reviewItems, reviewStates } from '../review.ts'
import { Appid, DomainTime, Hex32, Nullable, RealTime, Text } from '../schemas.ts'
import { ChangeRequest, changeKinds } from './approvals.ts'
import { Block, BlockReason } from './blocks.ts'
import { GrantedHostFunctions, ReviewedHostFunctions } from './hostFunctions.ts'
import { Notes, Release } from './releases.ts'
import { console, Page, ProjectId, paging, Sort } from './surface.ts'

const maxReasons = 20
const Reason = Type.Object({ item: Type.Enum([...reviewItems]), text: Text(500) }, { additionalProperties: false })
const Reasons = Type.Array(Reason, {
  minItems: 1,
  maxItems: maxReasons,
  description: 'What the developer has to change, per item.',
  'x-allowed': `must be a list of 1 to ${maxReasons} objects with an item (${reviewItems.join(', ')}) and a text of 1 to 500 characters`,
})
const State = Type.Enum([...reviewStates], { 'x-allowed': `must be one of ${reviewStates.join(', ')}` })
const StoredReasons = Type.Array(Type.Object({ item: Type.Enum([...reviewItems]), text: Type.String() }))
const By = Type.String({ description: 'Name of the account or service account, admin, or system.' })

/** A review of a release. Times are ms. */
const Review = Type.Object({
  reviewId: Hex32(),
  appid: Type.String(),
  appName: Type.String(),
  projectId: ProjectId,
  projectName: Type.String(),
  releaseId: Type.String(),
  platform: Type.Enum([...releasePlatforms]),
  version: Type.String(),
  state: Type.Enum([...reviewStates]),
  note: Nullable(Type.String({ description: 'Note for the reviewer.' })),
  testAccount: Nullable(Type.String({ description: 'How the reviewer signs in to the mini app.' })),
  screenshots: Type.Array(Hex32(), {
    description: 'Images of the release; the server serves each at /files/{fileId}.',
  }),
  reasons: StoredReasons,
  publishTime: Nullable(DomainTime('When the release will be published, ms.')),
  submittedBy: By,
  changedBy: { ...By, description: 'Who changed its state last.' },
  ctime: RealTime('When it was submitted, ms of real time.'),
  mtime: RealTime('When its state last changed, ms of real time.'),
})

const Files = (description: string) =>
  Type.Object(
    {
      count: Type.Integer(),
      files: Type.Array(
        Type.Object({
          path: Type.String(),
          earlierPath: Nullable(
            Type.String({
              description: 'Its path in the published release, if only the hash in its name differs; otherwise null.',
            }),
          ),
          size: Nullable(Type.Integer({ description: 'Bytes that a device downloads; null if it was removed.' })),
          earlierSize: Nullable(Type.Integer({ description: 'In the published release; null if it was added.' })),
        }),
      ),
    },
    { description },
  )

/** A review with its release, and the differences to the published one. */
const ReviewDetail = Type.Object({
  review: Review,
  history: Type.Array(
    Type.Object({
      state: Type.Enum([...reviewStates]),
      by: By,
      reasons: StoredReasons,
      note: Nullable(Type.String({ description: 'Note of the reviewer with the decision, for the developer.' })),
      time: RealTime(),
    }),
    {
      description: 'Changes of its state, oldest first.',
    },
  ),
  release: Release,
  published: Nullable({ ...Release, description: 'The published release of the platform.' }),
  files: Type.Object(
    {
      added: Files('Files that the published release does not have.'),
      changed: Files('Files with another content.'),
      removed: Files('Files that only the published release has.'),
    },
    {
      description:
        'Files compared with the published release (without one, all are added): their numbers, and at most 200 of each kind.',
    },
  ),
  pages: Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }),
  approved: Type.Object(
    { capabilities: Type.Array(Type.String()), domains: DomainsSchema },
    { description: 'Capabilities and hosts that the mini app may use now.' },
  ),
  hostFunctions: ReviewedHostFunctions,
  changes: Type.Array(ChangeRequest, {
    description: 'Pending requests of the mini app, such as capabilities and domains.',
  }),
})

const Screenshots = Type.Array(Hex32(), {
  maxItems: maxScreenshots,
  uniqueItems: true,
  description: 'Images of the mini app that show the release: fileIds of uploadImage.',
  'x-allowed': `must be a list of at most ${maxScreenshots} fileIds, each once`,
})

/**
 * Kinds of entries in the queue of administrators: releases, appeals against blocks, and the changes that they approve
 * (ADR 283).
 */
export const queueKinds = ['release', 'appeal', ...changeKinds] as const
export type QueueKind = (typeof queueKinds)[number]

/** Decision of the reviewers: none yet, approved it (a release may be published since), or rejected it. */
export const queueStates = ['waiting', 'approved', 'rejected', 'withdrawn'] as const
export type QueueState = (typeof queueStates)[number]

const QueueEntry = Type.Object({
  kind: Type.Enum([...queueKinds]),
  ctime: RealTime('When it was submitted, ms of real time.'),
  review: Nullable({ ...Review, description: 'The review; null unless `kind` is release.' }),
  change: Nullable({ ...ChangeRequest, description: 'The change request; null if `kind` is release or appeal.' }),
  block: Nullable({ ...Block, description: 'What is appealed; null unless `kind` is appeal.' }),
})

const ReviewId = Hex32({ description: 'The review.' })
const ofRelease = { appid: Appid, releaseId: Hex32({ description: 'The release.' }) }
const DecisionNote = Type.Optional(Text(maxDecisionNote, { description: 'Note for the developer.' }))
const ofReview = Type.Object({ reviewId: ReviewId })

/** Reviews of releases, from their submission to their publication. */
export const reviewOperations = {
  submitRelease: operation({
    ...console,
    id: 'submitRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/submit',
    summary: 'Submit a release for review',
    access: { action: 'release.upload', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      ...ofRelease,
      notes: Type.Optional({
        ...Notes,
        description: 'What is new, for users, by language tag; replaces the notes of the upload.',
      }),
      note: Type.Optional(Text(2000, { description: 'Note for the reviewer.' })),
      testAccount: Type.Optional(Text(500, { description: 'How the reviewer signs in to the mini app.' })),
      screenshots: Type.Optional(Screenshots),
    }),
    example: { note: 'The menu is new.' },
    result: Review,
    errors: ['release_not_found', 'release_stage_conflict', 'file_not_found'],
    redact: ['testAccount'],
  }),
  listReviews: operation({
    ...console,
    id: 'listReviews',
    method: 'GET',
    path: '/console/v1/reviews',
    summary: 'List reviews of a mini app, newest first; administrators can list those of all mini apps',
    access: { action: 'release.read', by: 'appid' },
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      state: Type.Optional(State),
      open: Type.Optional(
        Type.Boolean({ description: 'Only those that are open, or closed.', 'x-allowed': 'must be true or false' }),
      ),
      ...paging,
    }),
    result: Page(Review),
    errors: [],
    redact: ['testAccount'],
  }),
  listReviewQueue: operation({
    ...console,
    id: 'listReviewQueue',
    method: 'GET',
    path: '/console/v1/review-queue',
    summary: 'List reviews of releases, appeals and change requests, longest waiting first',
    access: 'administrator',
    parameters: Type.Object({
      kind: Type.Optional(Type.Enum([...queueKinds], { 'x-allowed': `must be one of ${queueKinds.join(', ')}` })),
      state: Type.Optional(Type.Enum([...queueStates], { 'x-allowed': `must be one of ${queueStates.join(', ')}` })),
      sort: Sort(['ctime', '-ctime']),
      ...paging,
    }),
    result: Page(QueueEntry),
    errors: [],
    redact: ['testAccount'],
  }),
  getReview: operation({
    ...console,
    id: 'getReview',
    method: 'GET',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/review',
    summary: 'Get the last review of a release: history, and what differs from the published release',
    access: { action: 'release.read', by: 'appid' },
    parameters: Type.Object(ofRelease),
    result: ReviewDetail,
    errors: ['release_not_found', 'review_not_found'],
    redact: ['testAccount'],
  }),
  startReview: operation({
    ...console,
    id: 'startReview',
    method: 'POST',
    path: '/console/v1/reviews/{reviewId}/start',
    summary: 'Start reviewing a submitted release',
    access: 'administrator',
    body: ['json'],
    parameters: ofReview,
    result: Review,
    errors: ['review_not_found', 'review_state_conflict', 'release_stage_conflict'],
    redact: ['testAccount'],
  }),
  approveRelease: operation({
    ...console,
    id: 'approveRelease',
    method: 'POST',
    path: '/console/v1/reviews/{reviewId}/approve',
    summary: 'Approve a release, which its owners can then publish or schedule, and grant functions of the host',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ reviewId: ReviewId, note: DecisionNote, hostFunctions: GrantedHostFunctions }),
    result: Review,
    errors: ['review_not_found', 'review_state_conflict', 'release_stage_conflict', 'own_change_request'],
    redact: ['testAccount'],
  }),
  rejectRelease: operation({
    ...console,
    id: 'rejectRelease',
    method: 'POST',
    path: '/console/v1/reviews/{reviewId}/reject',
    summary: 'Reject a release that is not published yet, with reasons per item; it returns to development',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ reviewId: ReviewId, reasons: Reasons, note: DecisionNote }),
    example: { reasons: [{ item: 'payment', text: 'The price is not shown before the payment.' }] },
    result: Review,
    errors: ['review_not_found', 'review_state_conflict', 'release_stage_conflict'],
    redact: ['testAccount'],
  }),
  createPreview: operation({
    ...console,
    id: 'createPreview',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/preview',
    summary: 'Create a token that opens exactly this release in the host application, for its reviewer',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object(ofRelease),
    result: Type.Object({
      preview: Type.String({ description: 'The token, for links to the host application.' }),
      validUntil: RealTime(),
    }),
    errors: ['release_not_found'],
    redact: ['preview'],
  }),
  withdrawRelease: operation({
    ...console,
    id: 'withdrawRelease',
    method: 'POST',
    path: '/console/v1/apps/{appid}/releases/{releaseId}/withdraw',
    summary: 'Withdraw a release from review, from its schedule, or from users; it returns to development',
    access: { action: 'release.publish', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ ...ofRelease, reason: BlockReason }),
    result: Release,
    errors: ['release_not_found', 'release_stage_conflict'],
    redact: [],
  }),
}
