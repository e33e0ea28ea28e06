import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { console } from './surface.ts'

const File = Type.String({
  description: 'Its file in the data directory of the responding process. All processes accept the same token.',
})
const State = Type.Object({ enabled: Type.Boolean(), file: File })

/** The admin token, which the command line sends. */
export const adminTokenOperations = {
  getAdminToken: operation({
    ...console,
    id: 'getAdminToken',
    method: 'GET',
    path: '/console/v1/admin-token',
    summary: 'Show whether the admin token is accepted, and where it is stored',
    access: 'administrator',
    parameters: Type.Object({}),
    result: State,
    errors: [],
    redact: [],
  }),
  rotateAdminToken: operation({
    ...console,
    id: 'rotateAdminToken',
    method: 'POST',
    path: '/console/v1/admin-token/rotate',
    summary: 'Replace the admin token; the new one is shown once',
    access: 'administrator',
    stepUp: 'access',
    body: ['json'],
    parameters: Type.Object({}),
    result: Type.Object({ token: Type.String(), file: File }),
    errors: ['admin_token_disabled'],
    redact: ['token'],
  }),
  disableAdminToken: operation({
    ...console,
    id: 'disableAdminToken',
    method: 'POST',
    path: '/console/v1/admin-token/disable',
    summary: 'Switch the admin token off; only someone with access to the machine can switch it on again',
    access: 'administrator',
    stepUp: 'access',
    body: ['json'],
    parameters: Type.Object({}),
    result: State,
    errors: ['administrator_missing'],
    redact: [],
  }),
}
