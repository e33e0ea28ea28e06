import { Type } from 'typebox'
import { feedbackKinds, feedbackStates, maxFeedbackText, reportReasons } from '../feedback.ts'
import { FeedbackDevice } from '../host/feedback.ts'
import { operation } from '../operation.ts'
import { releasePlatforms } from '../release.ts'
import { Appid, DomainTime, Hex32, Nullable, Text } from '../schemas.ts'
import { console, Page, ProjectId, paging } from './surface.ts'

/** A message of a host user about a mini app. Times are ms. */
const Feedback = Type.Object({
  feedbackId: Hex32(),
  appid: Type.String(),
  appName: Type.String(),
  projectId: ProjectId,
  projectName: Type.String(),
  kind: Type.Enum([...feedbackKinds, 'report']),
  reason: Nullable(Type.Enum([...reportReasons], { description: 'Only for reports.' })),
  text: Nullable(Type.String({ description: 'Plain text; null for a report without one.' })),
  state: Type.Enum([...feedbackStates]),
  releaseId: Nullable(Type.String({ description: 'The release that was open; null once it is deleted.' })),
  platform: Nullable(Type.Enum([...releasePlatforms])),
  version: Nullable(Type.String({ description: 'Version of the release; null for a development server.' })),
  page: Nullable(Type.String({ description: 'Path of the top page.' })),
  device: FeedbackDevice,
  openId: Nullable(Type.String({ description: 'The user under this appid; null if it has never signed in there.' })),
  uid: Nullable(Type.Integer({ description: 'The host user; for administrators only.' })),
  answer: Nullable(
    Type.Object({
      text: Type.String(),
      by: Type.String({ description: 'Name of the account or service account, or admin. Users do not see it.' }),
      time: DomainTime(),
    }),
  ),
  ctime: DomainTime(),
  mtime: DomainTime(),
})

const FeedbackId = Hex32({ description: 'The message.' })
const State = Type.Enum([...feedbackStates], { 'x-allowed': `must be one of ${feedbackStates.join(', ')}` })

/** Feedback on mini apps for the members of their project, and reports for administrators (ADR 328). */
export const feedbackOperations = {
  listFeedback: operation({
    ...console,
    id: 'listFeedback',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/feedback',
    summary: 'List feedback on a project’s mini apps, newest first',
    access: { action: 'feedback.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      kind: Type.Optional(Type.Enum([...feedbackKinds], { 'x-allowed': `must be one of ${feedbackKinds.join(', ')}` })),
      state: Type.Optional(State),
      openId: Type.Optional(Hex32({ description: 'The user under the appid of the mini app.' })),
      ...paging,
    }),
    result: Page(Feedback),
    errors: ['app_not_found'],
    redact: [],
  }),
  listReports: operation({
    ...console,
    id: 'listReports',
    method: 'GET',
    path: '/console/v1/reports',
    summary: 'List reports of mini apps of all projects, newest first',
    access: 'administrator',
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      reason: Type.Optional(
        Type.Enum([...reportReasons], { 'x-allowed': `must be one of ${reportReasons.join(', ')}` }),
      ),
      state: Type.Optional(State),
      ...paging,
    }),
    result: Page(Feedback),
    errors: [],
    redact: [],
  }),
  getFeedback: operation({
    ...console,
    id: 'getFeedback',
    method: 'GET',
    path: '/console/v1/feedback/{feedbackId}',
    summary: 'Get a user’s message; reports are for administrators only',
    access: { action: 'feedback.read', by: 'feedbackId' },
    parameters: Type.Object({ feedbackId: FeedbackId }),
    result: Feedback,
    errors: [],
    redact: [],
  }),
  answerFeedback: operation({
    ...console,
    id: 'answerFeedback',
    method: 'POST',
    path: '/console/v1/feedback/{feedbackId}/answer',
    summary: 'Answer a message, which the user sees in the host application; replaces an earlier answer',
    access: { action: 'feedback.answer', by: 'feedbackId' },
    body: ['json'],
    parameters: Type.Object({ feedbackId: FeedbackId, text: Text(maxFeedbackText, { description: 'Plain text.' }) }),
    example: { text: 'Thank you. It works again since version 1.4.1.' },
    result: Feedback,
    errors: [],
    redact: [],
  }),
  setFeedbackState: operation({
    ...console,
    id: 'setFeedbackState',
    method: 'POST',
    path: '/console/v1/feedback/{feedbackId}/state',
    summary: 'Close a message, or open it again',
    access: { action: 'feedback.answer', by: 'feedbackId' },
    body: ['json'],
    parameters: Type.Object({
      feedbackId: FeedbackId,
      state: Type.Enum(['open', 'closed'], { 'x-allowed': 'must be open or closed' }),
    }),
    example: { state: 'closed' },
    result: Feedback,
    errors: [],
    redact: [],
  }),
}
