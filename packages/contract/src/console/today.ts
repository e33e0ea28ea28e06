import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { releasePlatforms } from '../release.ts'
import { DomainTime, Long, Nullable, RealTime } from '../schemas.ts'
import { currencies } from '../trade.ts'
import { Project } from './projects.ts'
import { console, Page, ProjectId, paging, timeRange } from './surface.ts'

/** Maximum value of a counter. */
export const maxCounter = 100

const Amounts = (description: string) =>
  Type.Array(Type.Object({ currency: Type.Enum([...currencies]), amount: Type.Integer({ description: 'cents' }) }), {
    description,
  })

/** A host that acknowledges no callback of some mini apps. */
const FailingReceiver = Type.Object({
  host: Type.String({ description: 'Host and port of the notifyUrl.' }),
  since: DomainTime('Time of the first failed attempt since the last acknowledgement, ms.'),
  receivers: Type.Array(
    Type.Object({
      appid: Type.String(),
      failingSince: DomainTime(),
      disabled: Type.Boolean({ description: 'True if callbacks are no longer sent.' }),
    }),
    { description: 'The mini apps whose callbacks it receives.' },
  ),
  callbacks: Type.Integer({ description: 'Callbacks without acknowledgement, at most 1000 per mini app.' }),
  states: Type.Array(Type.Enum(['pending', 'dead']), { description: 'States of these callbacks.' }),
  oldest: Nullable(DomainTime('When the oldest of these callbacks was stored, ms.')),
  paid: Amounts('Sums of the paid trades among them, largest first.'),
})

const ofApp = { appid: Type.String(), name: Type.String() }

const Waiting = (description: string) =>
  Nullable(
    Type.Object(
      {
        count: Type.Integer(),
        since: RealTime('When the first of them was submitted, ms of real time.'),
      },
      { description },
    ),
  )

/** What the list of projects and the overview of a project show. */
export const todayOperations = {
  listProjectFigures: operation({
    ...console,
    id: 'listProjectFigures',
    method: 'GET',
    path: '/console/v1/project-figures',
    summary:
      'List the caller’s projects that are not archived, those with failing callbacks first, then those where something waits, then by name',
    access: 'signedIn',
    programs: 'none',
    parameters: Type.Object({
      from: Type.Optional(
        Long({
          description: 'When the day of the sales began, at most 2 days ago; 24 hours ago by default, ms.',
          'x-allowed': 'must be a Unix time in milliseconds, at most 2 days ago',
          'x-clock': 'domain',
        }),
      ),
      ...paging,
    }),
    result: Page(
      Type.Object({
        ...Project.properties,
        failingHosts: Type.Integer({ description: 'Hosts that acknowledge no callback of a mini app.' }),
        failingCallbacks: Type.Integer({ description: 'Their callbacks, at most 100 per host and mini app.' }),
        reviews: Type.Integer({ description: 'Releases that wait for review.' }),
        changes: Type.Integer({ description: 'Changes that wait for approval.' }),
        sales: Amounts('Sums of the paid trades that were created in this time, largest first.'),
      }),
    ),
    errors: ['too_many_trades'],
    redact: [],
  }),
  listIncidents: operation({
    ...console,
    id: 'listIncidents',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/incidents',
    summary: 'List what is wrong or waits in a project, at most 10 of a kind, newest first',
    access: { action: 'project.read', by: 'projectId' },
    // What it shows belongs to several scopes.
    programs: 'none',
    parameters: Type.Object({ projectId: ProjectId }),
    result: Type.Object({
      receivers: Type.Array(FailingReceiver),
      wrongSigns: Type.Array(
        Type.Object({
          ...ofApp,
          requests: Type.Integer({ description: 'Requests with a wrong signature in the last 24 hours, at most 100.' }),
          requestId: Type.String({ description: 'The last of them.' }),
          time: RealTime('Time of the last of them, ms of real time.'),
        }),
      ),
      releases: Type.Array(
        Type.Object({
          ...ofApp,
          releaseId: Type.String(),
          version: Type.String(),
          platform: Type.Enum([...releasePlatforms]),
          canary: Type.Boolean({ description: 'True if only some users get it.' }),
          publishedTime: Nullable(DomainTime('When it was published, ms; null for a canary.')),
          canaryTime: Nullable(RealTime('When its canary started, ms of real time.')),
          opens: Type.Integer({ description: 'Times that it was opened in the last 24 hours.' }),
          failures: Type.Integer({ description: 'Its JavaScript errors and failed launches in that time.' }),
        }),
        { description: 'Releases that fail more than those before them.' },
      ),
      reviews: Waiting('Releases that wait for review; null if there is none.'),
      changes: Waiting('Changes that wait for approval; null if there is none.'),
    }),
    errors: [],
    redact: [],
  }),
  getCounters: operation({
    ...console,
    id: 'getCounters',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/counters',
    summary: `Count what waits in a project and, for administrators, in the installation; each at most ${maxCounter}`,
    access: { action: 'project.read', by: 'projectId' },
    programs: 'none',
    parameters: Type.Object({ projectId: ProjectId }),
    result: Type.Object({
      callbacks: Type.Integer({ description: 'Callbacks of the project that failed and are retried.' }),
      feedback: Type.Integer({ description: 'Unanswered messages of users.' }),
      reviews: Nullable(
        Type.Integer({ description: 'Releases, appeals and changes that wait for a decision; null for members.' }),
      ),
      reports: Nullable(Type.Integer({ description: 'Open reports; null for members.' })),
    }),
    errors: [],
    redact: [],
  }),
  listAppFigures: operation({
    ...console,
    id: 'listAppFigures',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/app-figures',
    summary: 'List the 50 newest mini apps with openings, errors and sales; at most 92 days, by default the last 30',
    access: { action: 'project.read', by: 'projectId' },
    programs: 'none',
    parameters: Type.Object({ projectId: ProjectId, ...timeRange }),
    result: Type.Array(
      Type.Object({
        ...ofApp,
        iconUrl: Nullable(Type.String()),
        enabled: Type.Boolean(),
        live: Type.Array(Type.Object({ platform: Type.Enum([...releasePlatforms]), version: Type.String() }), {
          description: 'Published releases.',
        }),
        opens: Type.Integer({ description: 'Times that it was opened, by days in UTC.' }),
        errors: Type.Integer({ description: 'JavaScript errors and failed launches, by days in UTC.' }),
        sales: Amounts('Sums of the paid trades that were created in this time, largest first.'),
      }),
    ),
    errors: ['too_many_trades'],
    redact: [],
  }),
}
