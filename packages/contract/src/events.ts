import { type Static, type TObject, Type } from 'typebox'
import { alertMetrics, alertWindows } from './alerts.ts'
import { canaryStates } from './canary.ts'
import { feedbackKinds, feedbackStates, reportReasons } from './feedback.ts'
import { releasePlatforms } from './release.ts'
import { reviewItems, reviewStates } from './review.ts'
import { LanguageTag, Nullable } from './schemas.ts'

/**
 * A user that an event is about. `issuer` and `subject` are those of the company's token; mock users of a sandbox have
 * none.
 */
export const EventUser = Type.Object({
  uid: Type.Integer({ description: 'Host user id, as in `GET /host/v1/me`.' }),
  issuer: Nullable(Type.String({ description: 'Claim iss of the tokens that sign the user in; null for mock users.' })),
  subject: Nullable(Type.String({ description: 'The user’s id at the issuer; null for mock users.' })),
})
export type EventUser = Static<typeof EventUser>

/** Maximum number of users in one event. A message to more users becomes several events. */
export const maxEventUsers = 100

const users = Type.Array(EventUser, { description: `1 to ${maxEventUsers} users that the event is about.` })
const app = {
  appid: Type.String({ description: 'The mini app.' }),
  appName: Type.String({ description: 'Name of the mini app.' }),
}
const language = { ...LanguageTag, description: 'Language that the message was sent in.' }
const text = (description: string) => Type.String({ description })

const alert = {
  alertId: text('32 hexadecimal digits; the same when it is raised and resolved.'),
  ruleId: text('32 hexadecimal digits.'),
  metric: Type.Enum([...alertMetrics], { description: 'What the rule watches.' }),
  event: Nullable(Type.String({ description: 'The custom event that the rule watches; null for other metrics.' })),
  threshold: Type.Number({ description: 'In the unit of the metric, as in the rule.' }),
  window: Type.Enum([...alertWindows], { description: 'Minutes over which the metric is computed.' }),
}

/**
 * The event types of Souk, the only registry: summary, and data with units. The console's choices, the reference and
 * OpenAPI are derived from it.
 */
export const eventTypes = {
  'notification.created': {
    summary: 'A mini app sent a notification. It is in the inbox of these users.',
    data: Type.Object({
      ...app,
      notificationId: text('32 hexadecimal digits; the same for all users and events of this notification.'),
      title: text('Plain text.'),
      text: text('Plain text.'),
      link: Nullable(text('Page of the mini app to open, with its query.')),
      url: Nullable(text('URL to open instead of a page.')),
      language,
      ctime: Type.Integer({ description: 'When it was sent, ms.' }),
      silent: Type.Boolean({
        description: 'These users want it in their inbox without being alerted: send them no push notification.',
      }),
      users,
    }),
  },
  'activity.changed': {
    summary: 'A mini app showed, replaced or removed an activity message on the home page of these users.',
    data: Type.Object({
      ...app,
      activityId: text('Chosen by the mini app; a message with the same id is replaced.'),
      state: Type.Enum(['shown', 'removed'], { description: 'After `removed`, the nullable fields are null.' }),
      title: Nullable(text('Plain text.')),
      text: Nullable(text('Plain text.')),
      iconUrl: Nullable(text('URL of the icon.')),
      color: Nullable(text('Six hexadecimal digits.')),
      templateId: Nullable(text('Chosen by the mini app.')),
      path: Nullable(text('Page of the mini app to open, with its query.')),
      language: Nullable(language),
      validUntil: Nullable(Type.Integer({ description: 'When it disappears from the home page, ms.' })),
      users,
    }),
  },
  'trade.changed': {
    summary: 'A trade of these users (one: the payer) became final: paid, failed, expired, canceled or closed.',
    data: Type.Object({
      ...app,
      merchantId: text('32 hexadecimal digits.'),
      tradeNo: text('32 hexadecimal digits.'),
      outTradeNo: text('The order number of the mini app.'),
      description: Nullable(text('What is paid for, plain text.')),
      amount: Type.Integer({ description: 'Cents.' }),
      currency: text('CNY, USD, SGD or SAR.'),
      transactionStatus: Type.Integer({ description: '2 succeeded, 3 failed, 4 expired, 5 canceled, 6 closed.' }),
      failReasonType: Type.Integer({ description: 'Why the payment failed; -1 if it did not.' }),
      mtime: Type.Integer({ description: 'When it became final, ms.' }),
      users,
    }),
  },
  'user.erased': {
    summary: 'A user was permanently erased. Delete what you store about it.',
    data: Type.Object({ users }),
  },
  'release.reviewed': {
    summary:
      'A release was submitted for review, or its review changed: started, approved, rejected, published and more.',
    data: Type.Object({
      ...app,
      reviewId: text('32 hexadecimal digits; the same for all events of this review.'),
      releaseId: text('32 hexadecimal digits.'),
      platform: Type.Enum([...releasePlatforms], { description: 'Target platform.' }),
      version: text('Version of the release.'),
      state: Type.Enum([...reviewStates], { description: 'New state of the review.' }),
      reasons: Type.Array(Type.Object({ item: Type.Enum([...reviewItems]), text: Type.String() }), {
        description: 'Why it was rejected, per item.',
      }),
      publishTime: Nullable(Type.Integer({ description: 'When the release will be published, ms.' })),
      mtime: Type.Integer({ description: 'When the state changed, ms of real time.' }),
    }),
  },
  'canary.changed': {
    summary: 'A release is being rolled out to some of the users, or this canary changed: widened, halted and more.',
    data: Type.Object({
      ...app,
      canaryId: text('32 hexadecimal digits; the same for all events of this canary.'),
      releaseId: text('32 hexadecimal digits.'),
      platform: Type.Enum([...releasePlatforms], { description: 'Target platform.' }),
      version: text('Version of the release.'),
      state: Type.Enum([...canaryStates], { description: 'State of the canary.' }),
      share: Type.Number({ description: 'Percentage of the users.' }),
      haltReason: Nullable(
        Type.Enum(['failedLaunches', 'errors'], { description: 'What exceeded the limit, if it was halted.' }),
      ),
      mtime: Type.Integer({ description: 'When it changed, ms of real time.' }),
    }),
  },
  'alert.raised': {
    summary: 'A metric of a mini app crossed the threshold of an alert rule.',
    data: Type.Object({
      ...app,
      ...alert,
      value: Type.Number({ description: 'Value of the metric.' }),
      raisedTime: Type.Integer({ description: 'ms of real time.' }),
    }),
  },
  'alert.resolved': {
    summary: 'A metric that raised an alert has been back within its threshold for 15 minutes.',
    data: Type.Object({
      ...app,
      ...alert,
      value: Nullable(Type.Number({ description: 'Value of the metric; null without enough data.' })),
      raisedTime: Type.Integer({ description: 'ms of real time.' }),
      resolvedTime: Type.Integer({ description: 'ms of real time.' }),
    }),
  },
  'feedback.changed': {
    summary: 'A user sent feedback on a mini app or reported it, or the message was answered, closed or reopened.',
    data: Type.Object({
      ...app,
      feedbackId: text('32 hexadecimal digits; the same for all events of this message.'),
      kind: Type.Enum([...feedbackKinds, 'report'], { description: '`report` is for the operator only.' }),
      reason: Nullable(Type.Enum([...reportReasons], { description: 'Only for reports.' })),
      state: Type.Enum([...feedbackStates], { description: 'New state of the message.' }),
      text: Nullable(text('Message of the user, plain text.')),
      answer: Nullable(text('The answer, plain text.')),
      version: Nullable(text('Version of the release that was open.')),
      page: Nullable(text('Path of the top page.')),
      mtime: Type.Integer({ description: 'When it changed, ms.' }),
      users,
    }),
  },
  'receiver.disabled': {
    summary: 'A host failed for five days, and gets no more callbacks of a mini app until a member enables it.',
    data: Type.Object({
      ...app,
      host: text('Host and port of the notifyUrl.'),
      failingSince: Type.Integer({ description: 'Time of the first failed attempt, ms.' }),
    }),
  },
  'endpoint.disabled': {
    summary: 'An endpoint failed for five days, and gets no more events until an administrator enables it.',
    data: Type.Object({
      endpointId: text('The disabled endpoint.'),
      url: text('Its URL.'),
      failingSince: Type.Integer({ description: 'Time of the first failed attempt, ms.' }),
    }),
  },
  'endpoint.tested': {
    summary: 'A test from the console or the command line. Every endpoint gets its own tests.',
    data: Type.Object({ endpointId: text('The endpoint that was tested.') }),
  },
} as const satisfies Record<string, { summary: string; data: TObject }>

export type EventType = keyof typeof eventTypes
export const eventTypeNames = Object.keys(eventTypes) as EventType[]

/** The types that endpoints subscribe to. */
export const subscribedEventTypes = eventTypeNames.filter((type) => type !== 'endpoint.tested')

/** The data of an event. */
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['data']>

/** Returns the schema of the body of an event (Standard Webhooks). */
export function eventSchema(type: EventType) {
  return Type.Object({
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When the event happened, ISO 8601 in UTC.' }),
    data: eventTypes[type].data,
  })
}
