import { Type } from 'typebox'
import { analyticsDays, errorRecordingLimits } from '../analytics.ts'
import { operation } from '../operation.ts'
import { Appid, DomainTime, Hex32, Nullable, RealTime } from '../schemas.ts'
import { currencies } from '../trade.ts'
import { BlockReason } from './blocks.ts'
import { console, Flag, ProjectId } from './surface.ts'

const Count = (description: string) => Type.Integer({ description })
const Milliseconds = (description: string) => Nullable(Type.Integer({ description }))

/** Counts of a mini app in one period. */
const counts = {
  opens: Count('Times that it was opened.'),
  cardOpens: Count('Times that it was opened by a shared card.'),
  launches: Count('Times that its first page was shown.'),
  launchFailures: Count('Times that it did not start.'),
  pageViews: Count('Pages shown.'),
  errors: Count('JavaScript errors.'),
  failedRequests: Count('Requests without a response, or with an HTTP status from 400.'),
  p50: Milliseconds('Launch time that half of the launches stay below, ms; null without launches.'),
  p95: Milliseconds('Launch time that 95% of the launches stay below, ms.'),
}

/** Shows whether a release works. */
const health = {
  opens: Type.Integer(),
  launchFailures: Type.Integer(),
  errors: Type.Integer(),
}

const Period = Type.Object({ ...counts, newUsers: Count('Users that had not opened it before.') })

/** Funnel of trades. Each step includes the next one, except that a trade can be paid without a cashier. */
const funnel = {
  created: Count('Trades created.'),
  opened: Count('Trades opened in the cashier.'),
  tried: Count('Trades with a payment attempt.'),
  paid: Count('Trades paid.'),
}

/** A name with its number of events in the period and in the previous one. */
const Named = { count: Type.Integer(), previous: Type.Integer() }

/** The recording of a tester's session. */
const ErrorRecording = Type.Object({
  recordingId: Type.String(),
  fingerprint: Type.String({ description: 'The group of errors.' }),
  uid: Type.Integer({ description: 'The tester.' }),
  releaseId: Type.String(),
  version: Nullable(Type.String({ description: 'Null if the release was deleted.' })),
  size: Type.Integer({ description: 'Bytes.' }),
  ctime: RealTime(),
})

/** Analytics of mini apps. */
export const analyticsOperations = {
  getAnalytics: operation({
    ...console,
    id: 'getAnalytics',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics',
    summary: 'Get a mini app’s analytics of the last days, compared with the days before',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({
      appid: Appid,
      days: Type.Optional(
        Type.Enum([...analyticsDays], {
          default: 30,
          description: 'Length of the period in days; with 1, the last 24 hours by hour.',
          'x-allowed': `must be one of ${analyticsDays.join(', ')}`,
        }),
      ),
      releaseId: Type.Optional(
        Hex32({ description: 'Only this release; users and trades always count all releases.' }),
      ),
    }),
    result: Type.Object({
      collects: Type.Boolean({ description: 'False if the project has switched analytics off.' }),
      span: Type.Enum(['hour', 'day']),
      from: RealTime(),
      to: RealTime(),
      current: Period,
      previous: Period,
      series: Type.Array(
        Type.Object({
          start: RealTime('Start of the hour or day (UTC), ms.'),
          ...counts,
          users: Type.Integer({ description: 'Users of the day; 0 for hours.' }),
          newUsers: Type.Integer(),
        }),
        { description: 'Every hour or day, oldest first.' },
      ),
      weekUsers: Type.Integer({ description: 'Users of the last 7 days.' }),
      monthUsers: Type.Integer({ description: 'Users of the last 30 days.' }),
      cohorts: Type.Array(
        Type.Object({
          week: RealTime('Start of the first week of its users, ms.'),
          users: Type.Array(Type.Integer(), { description: 'Users that came back, by weeks since then.' }),
        }),
        { description: 'Newest last.' },
      ),
      pages: Type.Array(Type.Object({ page: Type.String({ description: 'Empty for others.' }), ...Named })),
      cards: Type.Array(Type.Object({ page: Type.String({ description: 'Empty for others.' }), ...Named }), {
        description: 'Pages that were opened by shared cards.',
      }),
      requests: Type.Array(
        Type.Object({ request: Type.String({ description: 'Method, host, path and status.' }), ...Named }),
      ),
      failures: Type.Array(Type.Object({ reason: Type.String(), ...Named })),
      errors: Type.Array(
        Type.Object({
          fingerprint: Type.String(),
          message: Type.String(),
          stack: Type.String({ description: 'Of the newest occurrence; files are named as in the release.' }),
          page: Type.String(),
          releaseId: Type.String(),
          version: Nullable(Type.String({ description: 'Null if the release was deleted.' })),
          firstTime: RealTime(),
          lastTime: RealTime(),
          ...Named,
        }),
        { description: 'Most frequent first.' },
      ),
      releases: Type.Array(
        Type.Object({
          releaseId: Type.String(),
          version: Nullable(Type.String()),
          platform: Nullable(Type.String()),
          ...health,
        }),
        { description: 'All releases, also if one is selected; most opened first.' },
      ),
      funnel: Type.Object({ current: Type.Object(funnel), previous: Type.Object(funnel) }),
      money: Type.Array(
        Type.Object({
          start: DomainTime('Start of the day (UTC), ms.'),
          currency: Type.Enum([...currencies]),
          paid: Type.Integer({ description: 'Paid trades, by the day of their creation.' }),
          amount: Type.Integer({ description: 'cents' }),
        }),
        { description: 'Every day of the period, oldest first, per currency in which something was paid.' },
      ),
    }),
    errors: [],
    redact: [],
  }),
  getErrorStack: operation({
    ...console,
    id: 'getErrorStack',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics/errors/{fingerprint}',
    summary: 'Get the stack of a JavaScript error, mapped by the source maps of its release',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid, fingerprint: Hex32({ description: 'The group of errors.' }) }),
    example: { fingerprint: '0123456789abcdef0123456789abcdef' },
    result: Type.Object({
      releaseId: Type.String({ description: 'Release of the newest occurrence, whose stack this is.' }),
      sourceMaps: Type.Enum(['found', 'missing', 'tooLarge'], {
        description:
          'missing: none were uploaded, or the release was deleted; tooLarge: mapping exceeded the limits of the server.',
      }),
      frames: Type.Array(
        Type.Object({
          text: Type.String({ description: 'The line of the stack.' }),
          source: Nullable(
            Type.Object({
              file: Type.String({ description: 'Path in the project or its package.' }),
              line: Type.Integer({ description: 'From 1.' }),
              column: Type.Integer({ description: 'From 1.' }),
              function: Nullable(Type.String()),
            }),
          ),
        }),
      ),
    }),
    errors: ['error_group_not_found', 'rate_limited'],
    redact: [],
  }),
  listErrorRecordings: operation({
    ...console,
    id: 'listErrorRecordings',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics/recordings',
    summary: 'List the recordings of testers whose session ended with a JavaScript error',
    access: { action: 'app.inspect', by: 'appid' },
    parameters: Type.Object({
      appid: Appid,
      fingerprint: Type.Optional(Hex32({ description: 'Only this group of errors.' })),
    }),
    result: Type.Array(ErrorRecording, {
      maxItems: errorRecordingLimits.perApp,
      description: `Newest first; at most ${errorRecordingLimits.perApp}, of the last ${errorRecordingLimits.days} days.`,
    }),
    errors: [],
    redact: [],
  }),
  downloadErrorRecording: operation({
    ...console,
    id: 'downloadErrorRecording',
    method: 'GET',
    path: '/console/v1/apps/{appid}/analytics/recordings/{recordingId}',
    summary: 'Download the recording of a tester, for souk test and souk dev --replay',
    access: { action: 'app.inspect', by: 'appid' },
    media: ['application/x-ndjson'],
    parameters: Type.Object({ appid: Appid, recordingId: Hex32({ description: 'The recording.' }) }),
    result: Type.String(),
    errors: ['error_recording_not_found', 'rate_limited'],
    redact: [],
  }),
  listReleaseHealth: operation({
    ...console,
    id: 'listReleaseHealth',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/release-health',
    summary:
      'List mini apps with a release of the last 30 days, and compare its failures with those of earlier releases',
    access: { action: 'app.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId }),
    result: Type.Array(
      Type.Object({
        appid: Type.String(),
        name: Type.String(),
        releaseId: Type.String(),
        version: Type.String(),
        platform: Type.String(),
        publishedTime: DomainTime(),
        since: Type.Object(health, { description: 'Counts of the release, also those as a canary.' }),
        before: Type.Object(health, { description: 'Counts of the other releases in the 7 days before.' }),
      }),
      { description: 'Newest release first, at most 20.' },
    ),
    errors: [],
    redact: [],
  }),
  switchAnalytics: operation({
    ...console,
    id: 'switchAnalytics',
    method: 'PATCH',
    path: '/console/v1/projects/{projectId}/analytics',
    summary: 'Switch the analytics of all mini apps of a project on or off',
    access: { action: 'project.manage', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({
      projectId: ProjectId,
      enabled: Flag('Whether events are collected.'),
      reason: BlockReason,
    }),
    example: { enabled: true },
    result: Type.Boolean(),
    errors: ['blocked_by_operator'],
    redact: [],
  }),
}
