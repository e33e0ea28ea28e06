import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Appid, Hex32, Long, Nullable, RealTime } from '../schemas.ts'
import {
  console,
  Flag,
  Listed,
  Page,
  ProjectId,
  paging,
  realTimeRange,
  SearchText,
  Sort,
  searchedRows,
} from './surface.ts'

const RequestId = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: '`X-Request-Id` of the response.',
  'x-allowed': 'must be 32 lowercase hexadecimal digits',
})

/** A logged open API request. */
export const LoggedRequest = Type.Object({
  requestId: Type.String(),
  time: RealTime(),
  appid: Nullable(Type.String()),
  operation: Type.String(),
  status: Type.Integer(),
  code: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  duration: Type.Number({ description: 'ms' }),
  client: Nullable(Type.String({ description: 'The header User-Agent, cut after 200 characters.' })),
  tradeNo: Nullable(Hex32({ description: 'The trade that it created, read or closed.' })),
  diagnosis: Nullable(
    Type.Object(
      {
        canonicalString: Type.String({ description: 'The canonical string with the secret masked.' }),
        mistakes: Type.Array(Type.Unknown()),
      },
      { description: 'Diagnosis of a sign mismatch; sandbox only.' },
    ),
  ),
})

/** A logged request with what was sent and returned. Only requests with a valid sign or token have these. */
const RequestWithBodies = Type.Object({
  ...LoggedRequest.properties,
  parameters: Nullable(
    Type.Record(Type.String(), Type.String(), {
      description: 'Without `sign`. Secrets, tokens, codes and personal data are `******`; long values are cut.',
    }),
  ),
  response: Nullable(Type.String({ description: 'JSON, masked like the parameters, cut after 8,192 characters.' })),
})

/** The request log of the open API. */
export const requestOperations = {
  searchRequests: operation({
    ...console,
    id: 'searchRequests',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/requests',
    summary: 'List open API requests of a project',
    access: { action: 'request.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      appid: Type.Optional(Appid),
      failed: Type.Optional(Flag('Only refused ones.')),
      operation: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{1,32}$',
          description: 'Operation id.',
          'x-allowed': 'must be the id of an operation',
        }),
      ),
      code: Type.Optional(
        Type.String({ pattern: '^[a-z_]{1,64}$', description: 'Error code.', 'x-allowed': 'must be an error code' }),
      ),
      client: SearchText('the client'),
      text: SearchText('requestId, tradeNo, reason or client'),
      ...realTimeRange,
      sort: Sort(
        ['-time', 'time', '-duration', 'duration', '-status', 'status'],
        `The duration and the status sort the newest ${searchedRows} matching requests.`,
      ),
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
    summary: 'Get an open API request with its parameters and response, or the diagnosis of a sign mismatch',
    access: { action: 'request.read', by: 'requestId' },
    parameters: Type.Object({ requestId: RequestId }),
    result: RequestWithBodies,
    errors: [],
    redact: [],
  }),
  listRequests: operation({
    ...console,
    id: 'listRequests',
    method: 'GET',
    path: '/console/v1/requests',
    summary: 'List open API requests with the diagnoses of sign mismatches, newest first',
    access: { action: 'request.read', by: 'appid' },
    parameters: Type.Object({
      appid: Type.Optional(Appid),
      failed: Type.Optional(Flag('Only refused ones.')),
      client: SearchText('the client'),
      limit: Type.Optional(
        Long({ minimum: 1, maximum: 1000, default: 100, 'x-allowed': 'must be a number from 1 to 1000' }),
      ),
    }),
    result: Listed(LoggedRequest),
    errors: [],
    redact: [],
  }),
}
