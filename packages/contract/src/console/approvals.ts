import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Appid, Hex32, Nullable, RealTime, Text } from '../schemas.ts'
import { AccountId, console, Flag, Page, ProjectId, paging } from './surface.ts'

/**
 * Changes that developers request and operators approve, per mini app (ADR 283). All but publication and testers are
 * parameters of updateApp.
 */
export const changeKinds = [
  'capabilities',
  'publication',
  'name',
  'iconUrl',
  'merchantName',
  'merchantLogoUrl',
  'domains',
  'testers',
] as const
export type ChangeKind = (typeof changeKinds)[number]

const states = ['pending', 'approved', 'rejected', 'withdrawn'] as const
export type ChangeState = (typeof states)[number]

/** A change of a mini app that operators approve or reject. Times are ms of real time. */
export const ChangeRequest = Type.Object({
  changeId: Hex32(),
  appid: Type.String(),
  appName: Type.String({ description: 'Current name of the mini app.' }),
  projectId: ProjectId,
  projectName: Type.String(),
  kind: Type.Enum([...changeKinds]),
  before: Type.Unknown({ description: 'The value in effect when the change was requested; null if there was none.' }),
  value: Type.Unknown({ description: 'The requested value; of a publication releaseId, platform and version.' }),
  state: Type.Enum([...states]),
  requestedBy: Type.String({ description: 'Name of the account, or admin.' }),
  decidedBy: Nullable(Type.String({ description: 'Name of the account, or admin; null while pending.' })),
  reason: Nullable(Type.String({ description: 'Why it was rejected.' })),
  ctime: RealTime(),
  decidedTime: Nullable(RealTime()),
})

const ChangeId = Hex32({ description: 'The change request.' })

/** Change requests of mini apps, and the trust of operators in projects and accounts. */
export const approvalOperations = {
  listChangeRequests: operation({
    ...console,
    id: 'listChangeRequests',
    method: 'GET',
    path: '/console/v1/change-requests',
    summary: 'List change requests of a mini app, newest first; administrators can list those of all mini apps',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      state: Type.Optional(Type.Enum([...states], { 'x-allowed': `must be one of ${states.join(', ')}` })),
      ...paging,
    }),
    result: Page(ChangeRequest),
    errors: [],
    redact: [],
  }),
  approveChange: operation({
    ...console,
    id: 'approveChange',
    method: 'POST',
    path: '/console/v1/change-requests/{changeId}/approve',
    summary: 'Approve a change request, which takes effect immediately',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ changeId: ChangeId }),
    result: ChangeRequest,
    errors: [
      'change_request_not_found',
      'change_request_closed',
      'own_change_request',
      'app_archived',
      'release_not_found',
      'release_unsigned',
      'user_not_found',
    ],
    redact: [],
  }),
  rejectChange: operation({
    ...console,
    id: 'rejectChange',
    method: 'POST',
    path: '/console/v1/change-requests/{changeId}/reject',
    summary: 'Reject a change request',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      changeId: ChangeId,
      reason: Text(500, { description: 'What the developer has to change; shown in the console.' }),
    }),
    example: { reason: 'The name belongs to another company.' },
    result: ChangeRequest,
    errors: ['change_request_not_found', 'change_request_closed'],
    redact: [],
  }),
  withdrawChange: operation({
    ...console,
    id: 'withdrawChange',
    method: 'POST',
    path: '/console/v1/apps/{appid}/change-requests/{changeId}/withdraw',
    summary: 'Withdraw a pending change request',
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, changeId: ChangeId }),
    result: ChangeRequest,
    errors: ['change_request_not_found', 'change_request_closed'],
    redact: [],
  }),
  trustProject: operation({
    ...console,
    id: 'trustProject',
    method: 'POST',
    path: '/console/v1/projects/{projectId}/trust',
    summary: 'Trust a project, whose later requests are approved at once, or stop trusting it',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ projectId: ProjectId, trusted: Flag('Whether requests are approved at once.') }),
    example: { trusted: false },
    result: Type.Boolean(),
    errors: ['project_not_found'],
    redact: [],
  }),
  allowProjects: operation({
    ...console,
    id: 'allowProjects',
    method: 'POST',
    path: '/console/v1/accounts/{accountId}/projects',
    summary: 'Allow an account to create projects, or stop allowing it',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ accountId: AccountId, allowed: Flag('Whether the account may create projects.') }),
    example: { allowed: false },
    result: Type.Boolean(),
    errors: ['account_not_found'],
    redact: [],
  }),
}
