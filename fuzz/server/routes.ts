import { operations } from '@souk/contract'
import type { Callable } from '../grammar/call.ts'
import type { ServerSurface } from './callers.ts'

const text = { type: 'string' }

/** Routes that the contract does not declare, which anyone can call. */
const publicRoutes: Callable[] = [
  {
    id: 'releaseFile',
    surface: 'ops',
    method: 'GET',
    path: '/mini/{appid}/{releaseId}/{path}',
    parameters: {
      properties: {
        appid: text,
        releaseId: text,
        path: { enum: ['index.html', 'souk-app.json', 'assets/entry-a1b2c3d4.js'] },
      },
    },
  },
  {
    id: 'releaseFolder',
    surface: 'ops',
    method: 'GET',
    path: '/mini/{appid}/{releaseId}',
    parameters: { properties: { appid: text, releaseId: text } },
  },
  {
    id: 'uploadedFile',
    surface: 'ops',
    method: 'GET',
    path: '/files/{name}',
    parameters: { properties: { name: { type: 'string', pattern: '^[0-9a-f]{32}\\.png$' } } },
  },
  {
    id: 'avatar',
    surface: 'ops',
    method: 'GET',
    path: '/files/avatars/{name}',
    parameters: { properties: { name: { type: 'string', pattern: '^[0-9a-f]{1,6}\\.svg$' } } },
  },
  {
    id: 'package',
    surface: 'ops',
    method: 'GET',
    path: '/npm/{scope}/{name}/{version}',
    parameters: { properties: { scope: text, name: text, version: text } },
  },
  {
    id: 'webhook',
    surface: 'ops',
    method: 'POST',
    path: '/webhooks/{providerAccountId}',
    body: ['json'],
    parameters: { properties: { providerAccountId: text, id: text, type: text, data: {} } },
  },
  {
    id: 'payerReturn',
    surface: 'ops',
    method: 'GET',
    path: '/host/v1/return/{attemptId}',
    parameters: { properties: { attemptId: { type: 'string', pattern: '^[0-9a-f]{32}$' } } },
  },
]

/** Returns what can be called on a surface. */
export function callablesOf(surface: ServerSurface): Callable[] {
  if (surface === 'releases') return [...publicRoutes, ...operations.filter((each) => each.surface === 'ops')]
  return operations.filter((each) => each.surface === surface)
}
