import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Nullable } from '../schemas.ts'
import { console } from './surface.ts'

/** After this many days the owner is reminded to refresh the key (open API §5.1, §8). */
export const keyRotationDays = 90

/** What may be known of an API key once it has been shown. Times are ms of real time. */
const ApiKeyState = Type.Object({
  exists: Type.Boolean(),
  lastFour: Nullable(Type.String()),
  ctime: Nullable(Type.Integer()),
  lastUsedAt: Nullable(Type.Integer({ description: 'To the minute.' })),
  lastUsedFrom: Nullable(Type.String({ description: 'The address of the last use.' })),
  ageDays: Nullable(Type.Integer()),
  rotationDue: Type.Boolean({ description: `Whether the key is ${keyRotationDays} days old.` }),
})

const Shown = Type.Object({
  key: Nullable(Type.String({ description: 'The full key: in the answer that generated it, and never again.' })),
  state: ApiKeyState,
})

/** The API key of the caller’s account (open API §2.1, §3.1): exactly one, for the platform data API only. */
export const keyOperations = {
  getApiKey: operation({
    ...console,
    id: 'getApiKey',
    method: 'GET',
    path: '/console/v1/api-key',
    summary: 'The state of one’s API key, without the key; generates none',
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
    method: 'POST',
    path: '/console/v1/api-key/show',
    summary: 'Show: generates the key on first use and answers it in full then, and only then',
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
    method: 'POST',
    path: '/console/v1/api-key/refresh',
    summary: 'Refresh API Key: the old one is invalid at once; the new one is shown once',
    section: '3.1',
    access: 'account',
    body: ['json'],
    parameters: Type.Object({}),
    result: Shown,
    errors: [],
    redact: ['key'],
  }),
}
