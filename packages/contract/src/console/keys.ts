import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable, RealTime } from '../schemas.ts'
import { console } from './surface.ts'

/** Age in days after which the owner is reminded to refresh the key (open-api §5.1, open-api §8). */
export const keyRotationDays = 90

/** An API key without the key itself. Times are ms of real time. */
const ApiKeyState = Type.Object({
  exists: Type.Boolean(),
  lastFour: Nullable(Type.String()),
  ctime: Nullable(RealTime()),
  lastUsedAt: Nullable(RealTime('Rounded to the minute.')),
  lastUsedFrom: Nullable(Type.String({ description: 'IP address of the last use.' })),
  ageDays: Nullable(Type.Integer()),
  rotationDue: Type.Boolean({ description: `Whether the key is at least ${keyRotationDays} days old.` }),
})

const Shown = Type.Object({
  key: Nullable(Type.String({ description: 'The full key, only in the response that generates it.' })),
  state: ApiKeyState,
})

/** The API key of the caller’s account (open-api §2.1, open-api §3.1): exactly one, only for the platform data API. */
export const keyOperations = {
  getApiKey: operation({
    ...console,
    id: 'getApiKey',
    method: 'GET',
    path: '/console/v1/api-key',
    summary: 'Get the state of the API key, without the key and without generating one',
    section: '2.1',
    access: 'account',
    parameters: Type.Object({}),
    result: ApiKeyState,
    errors: [],
    redact: [],
  }),
  showApiKey: operation({
    ...console,
    id: 'showApiKey',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/api-key/show',
    summary: 'Show the API key: generates it on first use, and returns it in full only then',
    section: '3.1',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Shown,
    errors: [],
    redact: ['key'],
  }),
  refreshApiKey: operation({
    ...console,
    id: 'refreshApiKey',
    stepUp: 'access',
    method: 'POST',
    path: '/console/v1/api-key/refresh',
    summary: 'Refresh the API key: the old key becomes invalid at once; the new one is shown once',
    section: '3.1',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Shown,
    errors: [],
    redact: ['key'],
  }),
}
