import { Type } from 'typebox'
import { Project } from '../console/projects.ts'
import { ProjectId } from '../console/surface.ts'
import { operation } from '../operation.ts'
import { Nullable } from '../schemas.ts'
import { PlatformPage, platform, platformPaging } from './surface.ts'

/** The caller and its projects. */
export const accountOperations = {
  whoAmI: operation({
    ...platform,
    id: 'whoAmI',
    method: 'GET',
    path: '/api/v1/me',
    summary: 'Get the account of the key or token',
    access: 'signedIn',
    programs: 'any',
    clientTypes: { result: { name: 'Identity', description: 'The account of an API key or token.' } },
    parameters: Type.Object({}),
    result: Type.Object({
      accountId: Nullable(Type.String({ description: 'Null for the admin token and service accounts.' })),
      username: Nullable(Type.String({ description: 'Name for the sign-in; null like the id.' })),
      name: Nullable(Type.String({ description: 'Name that is shown; null like the id.' })),
      administrator: Type.Boolean({ description: 'Has the rights of an owner in every project.' }),
      via: Type.Enum(['apiKey', 'token', 'adminToken', 'serviceAccount'], {
        description: 'What the caller authenticated with.',
        'x-enum': 'CredentialKind',
      }),
      environment: Type.Enum(['sandbox', 'live'], {
        description: 'The environment of the installation.',
        'x-enum': 'Environment',
      }),
    }),
    errors: [],
    redact: [],
  }),
  pageProjects: operation({
    ...platform,
    id: 'pageProjects',
    method: 'GET',
    path: '/api/v1/projects',
    summary: 'List the caller’s projects, newest first. Administrators get all projects, service accounts their own',
    access: 'signedIn',
    programs: 'project.read',
    clientTypes: {
      result: { name: 'Project', description: 'A project of the console, to which mini apps and datasets belong.' },
    },
    parameters: Type.Object({ ...platformPaging }),
    result: PlatformPage(Project),
    errors: [],
    redact: [],
  }),
  readProject: operation({
    ...platform,
    id: 'readProject',
    method: 'GET',
    path: '/api/v1/projects/{projectId}',
    summary: 'Get a project',
    access: { action: 'project.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId }),
    result: Project,
    errors: [],
    redact: [],
  }),
}
