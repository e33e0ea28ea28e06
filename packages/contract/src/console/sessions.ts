import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, RealTime } from '../schemas.ts'
import { AccountId, console } from './surface.ts'

const SessionId = Hex32({ description: 'The session.' })

/** A session of an account in a browser. Times are ms of real time. */
const AccountSession = Type.Object({
  sessionId: SessionId,
  current: Type.Boolean({ description: 'The session of this request.' }),
  browser: Nullable(Type.String({ description: 'Such as Firefox.' })),
  system: Nullable(Type.String({ description: 'Such as Windows.' })),
  address: Nullable(Type.String({ description: 'Address of the last use.' })),
  ctime: RealTime(),
  lastUsed: RealTime('Accurate to 5 minutes.'),
  expires: RealTime('When it ends unless it is used before.'),
})

/** Sessions of console accounts. */
export const sessionOperations = {
  listSessions: operation({
    ...console,
    id: 'listSessions',
    method: 'GET',
    path: '/console/v1/profile/sessions',
    summary: 'List the sessions of the account, last used first',
    access: 'account',
    parameters: Type.Object({}),
    result: Type.Array(AccountSession),
    errors: [],
    redact: [],
  }),
  endSession: operation({
    ...console,
    id: 'endSession',
    method: 'DELETE',
    path: '/console/v1/profile/sessions/{sessionId}',
    summary: 'End a session of the account',
    access: 'account',
    parameters: Type.Object({ sessionId: SessionId }),
    example: { sessionId: '0123456789abcdef0123456789abcdef' },
    result: Type.Boolean(),
    errors: ['session_not_found'],
    redact: [],
  }),
  endOtherSessions: operation({
    ...console,
    id: 'endOtherSessions',
    method: 'DELETE',
    path: '/console/v1/profile/sessions',
    summary: 'End all sessions of the account except the current one, and get their number',
    access: 'account',
    parameters: Type.Object({}),
    result: Type.Integer(),
    errors: [],
    redact: [],
  }),
  endSessionsOf: operation({
    ...console,
    id: 'endSessionsOf',
    method: 'DELETE',
    path: '/console/v1/accounts/{accountId}/sessions',
    summary: 'End all sessions of an account, and get their number',
    access: 'administrator',
    parameters: Type.Object({ accountId: AccountId }),
    result: Type.Integer(),
    errors: ['account_not_found'],
    redact: [],
  }),
}
