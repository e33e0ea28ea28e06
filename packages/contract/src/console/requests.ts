import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Appid, Long, Nullable } from '../schemas.ts'
import { console, Flag, Page, ProjectId, paging, timeRange } from './surface.ts'

const RequestId = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: '`X-Request-Id` of the answer.',
  'x-allowed': 'must be 32 lowercase hexadecimal digits',
})

/** One open API request as it was answered. Its parameters are not kept, save in the diagnosis of a sign. */
const LoggedRequest = Type.Object({
  requestId: Type.String(),
  time: Type.Integer({ description: 'ms, real time' }),
  appid: Nullable(Type.String()),
  operation: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  duration: Type.Number({ description: 'ms' }),
  diagnosis: Nullable(
    Type.Object(
      {
        canonicalString: Type.String({ description: 'With the secret masked.' }),
        mistakes: Type.Array(Type.Unknown()),
      },
      { description: 'Of a sign that did not match, in a sandbox.' },
    ),
  ),
})

/** The log of open API requests. */
export const requestOperations = {
  searchRequests: operation({
    ...console,
    id: 'searchRequests',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/requests',
    summary: 'Open API requests of a project’s mini apps, newest first',
    access: { action: 'request.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      failed: Type.Optional(Flag('Only refused ones.')),
      operation: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{1,32}$',
          description: 'Its id.',
          'x-allowed': 'must be the id of an operation',
        }),
      ),
      code: Type.Optional(
        Type.String({ pattern: '^[a-z_]{1,64}$', description: 'Error code.', 'x-allowed': 'must be an error code' }),
      ),
      ...timeRange,
      ...paging,
    }),
    result: Page(LoggedRequest),
    errors: ['app_not_found'],
    redact: [],
  }),
  getRequest: operation({
    ...console,
    id: 'getRequest',
    method: 'GET',
    path: '/console/v1/requests/{requestId}',
    summary: 'One open API request, with the diagnosis of a sign that did not match',
    access: { action: 'request.read', by: 'requestId' },
    parameters: Type.Object({ requestId: RequestId }),
    result: LoggedRequest,
    errors: [],
    redact: [],
  }),
  listRequests: operation({
    ...console,
    id: 'listRequests',
    method: 'GET',
    path: '/console/v1/requests',
    summary: 'The log of open API requests, newest first, with the diagnosis of a sign that did not match',
    access: { action: 'request.read', by: 'appid' },
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      failed: Type.Optional(Flag('Only refused ones.')),
      limit: Type.Optional(
        Long({ minimum: 1, maximum: 1000, default: 100, 'x-allowed': 'must be a number from 1 to 1000' }),
      ),
    }),
    result: Type.Array(LoggedRequest),
    errors: [],
    redact: [],
  }),
}
