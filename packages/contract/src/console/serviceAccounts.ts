import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Long, Nullable, RealTime } from '../schemas.ts'
import { serviceScopes } from '../serviceScopes.ts'
import { console, Name, ProjectId } from './surface.ts'

/** Lifetime of service accounts in days. */
export const serviceAccountDays = { default: 90, max: 365 } as const

/** A service account, with which a program acts on one project. Times are ms of real time. */
const ServiceAccount = Type.Object({
  serviceAccountId: Hex32(),
  projectId: ProjectId,
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...serviceScopes])),
  createdBy: Type.String({ description: 'Name of the account, or admin.' }),
  expires: RealTime('When its token is no longer valid.'),
  lastUsedAt: Nullable(RealTime('Accurate to a minute.')),
  lastUsedFrom: Nullable(Type.String({ description: 'Address of the last use.' })),
  ctime: RealTime(),
})

/** Service accounts: programs that act on a project, such as CI. */
export const serviceAccountOperations = {
  addServiceAccount: operation({
    ...console,
    id: 'addServiceAccount',
    method: 'POST',
    path: '/console/v1/projects/{projectId}/service-accounts',
    summary: 'Add a service account and get its token; shown once',
    access: { action: 'project.manage', by: 'projectId' },
    stepUp: 'access',
    body: ['json'],
    parameters: Type.Object({
      projectId: ProjectId,
      name: Name('What it is for.'),
      scopes: Type.Array(Type.Enum([...serviceScopes]), {
        minItems: 1,
        uniqueItems: true,
        description: `Scopes: ${serviceScopes.join(', ')}.`,
        'x-allowed': `must be a list of different scopes: ${serviceScopes.join(', ')}`,
      }),
      days: Type.Optional(
        Long({
          minimum: 1,
          maximum: serviceAccountDays.max,
          default: serviceAccountDays.default,
          description: 'Days until it expires.',
          'x-allowed': `must be a number of days from 1 to ${serviceAccountDays.max}`,
        }),
      ),
    }),
    example: { name: 'CI', scopes: ['releases:write'] },
    result: Type.Object({
      serviceAccount: ServiceAccount,
      token: Type.String({ description: 'Token for `Authorization: Bearer …`.' }),
    }),
    errors: ['service_account_name_taken', 'service_account_limit_reached'],
    redact: ['token'],
  }),
  listServiceAccounts: operation({
    ...console,
    id: 'listServiceAccounts',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/service-accounts',
    summary: 'List the service accounts of a project, newest first, with those that have expired',
    access: { action: 'project.manage', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId }),
    result: Type.Array(ServiceAccount),
    errors: [],
    redact: [],
  }),
  removeServiceAccount: operation({
    ...console,
    id: 'removeServiceAccount',
    method: 'DELETE',
    path: '/console/v1/projects/{projectId}/service-accounts/{serviceAccountId}',
    summary: 'Remove a service account; its token is no longer valid',
    access: { action: 'project.manage', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId, serviceAccountId: Hex32({ description: 'The service account.' }) }),
    example: { serviceAccountId: '0123456789abcdef0123456789abcdef' },
    result: Type.Boolean(),
    errors: ['service_account_not_found'],
    redact: [],
  }),
}
