import { Type } from 'typebox'
import { canarySystems } from '../canary.ts'
import {
  feedbackKinds,
  feedbackStates,
  maxFeedbackPerDay,
  maxFeedbackText,
  ownFeedbackPageSize,
  reportReasons,
} from '../feedback.ts'
import { operation } from '../operation.ts'
import { Appid, Hex32, LanguageTag, Long, Nullable, Text } from '../schemas.ts'

const host = { surface: 'host', auth: 'hostSession' } as const
const Side = (description: string) => Type.Optional(Long({ maximum: 100_000, description }))

/** The device that a message was sent from. */
export const FeedbackDevice = Type.Object(
  {
    system: Type.Optional(Type.Enum([...canarySystems], { description: 'Operating system.' })),
    userAgent: Type.Optional(Text(300, { description: 'Header User-Agent of the browser or host application.' })),
    width: Side('Width of its screen, px.'),
    height: Side('Height of its screen, px.'),
    language: Type.Optional({ ...LanguageTag, description: 'Language of the host application.' }),
  },
  {
    additionalProperties: false,
    'x-allowed': 'must be an object with system, userAgent, width, height and language, all optional',
  },
)

/** Page that was open when the message was written. */
const place = {
  releaseId: Type.Optional(Hex32({ description: 'The open release; absent for a development server.' })),
  page: Type.Optional(Text(300, { description: 'Path of the top page, without its query.' })),
  device: Type.Optional(FeedbackDevice),
}

const Sent = Type.Object({ feedbackId: Type.String() })
const limit = `at most ${maxFeedbackPerDay} messages a day`

/** A message of the user, with the answer. */
const OwnFeedback = Type.Object({
  feedbackId: Type.String(),
  appid: Type.String(),
  appName: Type.String(),
  appIconUrl: Nullable(Type.String()),
  kind: Type.Enum([...feedbackKinds, 'report']),
  reason: Nullable(Type.Enum([...reportReasons], { description: 'Only for reports.' })),
  text: Nullable(Type.String()),
  state: Type.Enum([...feedbackStates]),
  answer: Nullable(
    Type.Object({
      text: Type.String(),
      time: Type.Integer({ description: 'ms' }),
      read: Type.Boolean({ description: 'Whether the user has seen it, see readAnswers.' }),
    }),
  ),
  ctime: Type.Integer({ description: 'ms' }),
})

/** Messages of host users to the developers of a mini app, and reports of mini apps to the operator (ADR 328). */
export const feedbackHostOperations = {
  sendFeedback: operation({
    ...host,
    id: 'sendFeedback',
    method: 'POST',
    path: '/host/v1/apps/{appid}/feedback',
    summary: `Send a problem, an idea or praise to the developers of a mini app; ${limit}`,
    body: ['json'],
    repairsText: true,
    parameters: Type.Object({
      appid: Appid,
      kind: Type.Enum([...feedbackKinds], { 'x-allowed': `must be one of ${feedbackKinds.join(', ')}` }),
      text: Text(maxFeedbackText, { description: 'Plain text.' }),
      ...place,
    }),
    example: { kind: 'idea', text: 'Let me order again what I had last time.' },
    result: Sent,
    errors: ['session_invalid', 'app_not_found', 'release_not_found', 'rate_limited'],
    redact: [],
  }),
  reportMiniApp: operation({
    ...host,
    id: 'reportMiniApp',
    method: 'POST',
    path: '/host/v1/apps/{appid}/report',
    summary: `Report a mini app to the operator, without its developers seeing it; ${limit}`,
    body: ['json'],
    repairsText: true,
    parameters: Type.Object({
      appid: Appid,
      reason: Type.Enum([...reportReasons], { 'x-allowed': `must be one of ${reportReasons.join(', ')}` }),
      text: Type.Optional(Text(maxFeedbackText, { description: 'Plain text.' })),
      ...place,
    }),
    example: { reason: 'fraud' },
    result: Sent,
    errors: ['session_invalid', 'app_not_found', 'release_not_found', 'rate_limited'],
    redact: [],
  }),
  listOwnFeedback: operation({
    ...host,
    id: 'listOwnFeedback',
    method: 'GET',
    path: '/host/v1/feedback',
    summary: `List what the user has sent and reported, with the answers; newest first, at most ${ownFeedbackPageSize}`,
    parameters: Type.Object({ before: Type.Optional(Hex32({ description: 'feedbackId of the last one seen.' })) }),
    result: Type.Object({
      items: Type.Array(OwnFeedback, { maxItems: ownFeedbackPageSize }),
      unread: Type.Integer({ description: 'Number of all answers that the user has not seen.' }),
    }),
    errors: ['session_invalid'],
    redact: [],
  }),
  readAnswers: operation({
    ...host,
    id: 'readAnswers',
    method: 'POST',
    path: '/host/v1/feedback/read',
    summary: 'Mark all answers as seen by the user',
    body: ['json'],
    parameters: Type.Object({}),
    result: Type.Boolean(),
    errors: ['session_invalid'],
    redact: [],
  }),
}
