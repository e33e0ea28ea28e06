import { Type } from 'typebox'
import { DomainsSchema, maxDomains } from '../domains.ts'
import { categories, maxKeywordLength, maxKeywords } from '../listing.ts'
import { capabilities, operation } from '../operation.ts'
import { Appid, AppidList, DomainTime, Long, languages, Nullable, Text } from '../schemas.ts'
import { day, second } from '../time.ts'
import { ChangeRequest } from './approvals.ts'
import { BlockReason } from './blocks.ts'
import { console, Flag, MessageLanguage, Name, Page, ProjectId, paging, SearchText, Sort, WebUrl } from './surface.ts'

const Languages = Type.Array(MessageLanguage, {
  minItems: 1,
  maxItems: languages.length,
  uniqueItems: true,
  description: 'Languages of the mini app.',
  'x-allowed': `must be a list of ${languages.join(', ')}`,
})
const CallbackHosts = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Private hosts that callbacks of this mini app may reach, also over http.',
  'x-allowed':
    'must be a list of at most 20 host names, names such as *.pay.internal, IP addresses or ranges such as 10.2.0.0/16',
})

const Domains = Type.Partial(DomainsSchema, {
  description: 'Hosts that pages may reach over https; lists that are absent stay as they are.',
  'x-allowed': `must have lists request, upload, download or webView, each of at most ${maxDomains} host names such as api.example.com, *.example.com or api.example.com:8443`,
})

const Names = Type.Partial(
  Type.Object(Object.fromEntries(languages.map((language) => [language, Name(`Name in ${language}.`)]))),
  {
    additionalProperties: false,
    description: 'Names by language, where they differ from name; replaces all of them.',
    'x-allowed': `must be an object with names of at most 64 characters by language: ${languages.join(', ')}`,
  },
)
const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: maxKeywordLength }), {
  maxItems: maxKeywords,
  uniqueItems: true,
  description: 'Search terms in addition to its names.',
  'x-allowed': `must be a list of at most ${maxKeywords} words of at most ${maxKeywordLength} characters`,
})

const MiniApp = {
  appid: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  capabilities: Type.Array(Type.String()),
  merchantId: Nullable(Type.String()),
  archivedTime: Nullable(DomainTime('When it was archived, ms; null if it is not.')),
  ctime: DomainTime(),
}

/** A mini app with its settings, without secrets. */
const AppSettings = Type.Object({
  ...MiniApp,
  projectId: ProjectId,
  iconUrl: Nullable(Type.String()),
  language: Type.Enum([...languages], { description: 'Default language.' }),
  languages: Type.Array(Type.Enum([...languages])),
  merchantName: Nullable(Type.String()),
  merchantLogoUrl: Nullable(Type.String()),
  callbackHosts: Type.Array(Type.String()),
  domains: DomainsSchema,
  names: Type.Record(Type.String(), Type.String(), { description: 'Names by language, where they differ from name.' }),
  category: Nullable(Type.Enum([...categories])),
  keywords: Type.Array(Type.String()),
  recommended: Type.Boolean(),
  openApiAlways200: Nullable(
    Type.Boolean({ description: 'Whether errors of the open API have HTTP 200; null: as the installation.' }),
  ),
  changes: Type.Array(ChangeRequest, {
    description: 'The newest change request of each kind if it is pending or rejected.',
  }),
})

/** Mini apps, their settings and secrets. */
export const appOperations = {
  createApp: operation({
    ...console,
    id: 'createApp',
    stepUp: 'money',
    method: 'POST',
    path: '/console/v1/apps',
    summary: 'Create a mini app; the secret is shown once',
    access: { action: 'app.create', by: 'projectId' },
    body: ['json'],
    parameters: Type.Object({
      name: Name('Name shown to users.'),
      projectId: Type.Optional({ ...ProjectId, description: 'The project; the default project if absent.' }),
      language: Type.Optional({ ...MessageLanguage, description: 'Default language.' }),
    }),
    example: { name: 'Tea House' },
    result: Type.Object({ appid: Type.String(), secret: Type.String() }),
    errors: [],
    redact: ['secret'],
  }),
  listApps: operation({
    ...console,
    id: 'listApps',
    method: 'GET',
    path: '/console/v1/apps',
    summary: 'List mini apps that the caller may see',
    access: 'signedIn',
    programs: 'app.read',
    parameters: Type.Object({
      projectId: Type.Optional(ProjectId),
      archived: Type.Optional(Flag('Whether to list the archived mini apps instead.')),
      text: SearchText('the name in any language or the appid'),
      appids: Type.Optional(AppidList(50, 'Only these are listed, archived or not.')),
      sort: Sort(['-ctime', 'ctime', 'name', '-name']),
      ...paging,
    }),
    result: Page(
      Type.Object({
        ...MiniApp,
        projectId: Type.String(),
        projectName: Type.String(),
        iconUrl: Nullable(Type.String()),
      }),
    ),
    errors: ['project_not_found', 'permission_denied'],
    redact: [],
  }),
  getApp: operation({
    ...console,
    id: 'getApp',
    method: 'GET',
    path: '/console/v1/apps/{appid}',
    summary: 'Get a mini app',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: AppSettings,
    errors: [],
    redact: [],
  }),
  updateApp: operation({
    ...console,
    id: 'updateApp',
    method: 'PATCH',
    path: '/console/v1/apps/{appid}',
    summary: 'Change a mini app; callbackHosts, names, category, keywords and recommended require an administrator',
    access: { action: 'app.manage', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      name: Type.Optional(Name('Name shown to users.')),
      enabled: Type.Optional(Flag('Whether it can be used at all.')),
      capabilities: Type.Optional(
        Type.Array(Type.Enum([...capabilities]), { 'x-allowed': `must be a list of ${capabilities.join(', ')}` }),
      ),
      language: Type.Optional({ ...MessageLanguage, description: 'Default language; one of languages.' }),
      languages: Type.Optional(Languages),
      iconUrl: Type.Optional({
        ...Nullable(WebUrl),
        'x-allowed': 'must be an absolute http or https URL, or null',
      }),
      merchantName: Type.Optional(Text(128)),
      merchantLogoUrl: Type.Optional({
        ...Nullable(WebUrl),
        'x-allowed': 'must be an absolute http or https URL, or null',
      }),
      callbackHosts: Type.Optional(CallbackHosts),
      domains: Type.Optional(Domains),
      names: Type.Optional(Names),
      category: Type.Optional({
        ...Nullable(Type.Enum([...categories])),
        'x-allowed': `must be one of ${categories.join(', ')}, or null`,
      }),
      keywords: Type.Optional(Keywords),
      recommended: Type.Optional(Flag('Whether hosts recommend it to users.')),
      openApiAlways200: Type.Optional({
        ...Nullable(Type.Boolean()),
        description: 'Whether errors of the open API have HTTP 200; null: as the installation.',
        'x-allowed': 'must be true, false or null',
      }),
      reason: BlockReason,
    }),
    example: { name: 'Tea House' },
    result: Type.Boolean({ description: 'False if some changes have to be approved by an administrator first.' }),
    errors: ['blocked_by_operator'],
    redact: [],
  }),
  archiveApp: operation({
    ...console,
    id: 'archiveApp',
    method: 'POST',
    path: '/console/v1/apps/{appid}/archive',
    summary: 'Archive a mini app: users and its backend cannot use it; payments, refunds and callbacks continue',
    access: { action: 'app.archive', by: 'appid' },
    body: ['json'],
    retry: 'idempotent',
    parameters: Type.Object({ appid: Appid, reason: BlockReason }),
    result: Type.Boolean(),
    errors: [],
    redact: [],
  }),
  restoreApp: operation({
    ...console,
    id: 'restoreApp',
    method: 'POST',
    path: '/console/v1/apps/{appid}/restore',
    summary: 'Restore an archived mini app',
    access: { action: 'app.archive', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid }),
    result: Type.Boolean(),
    errors: ['app_not_archived', 'project_archived', 'blocked_by_operator'],
    redact: [],
  }),
  deleteApp: operation({
    ...console,
    id: 'deleteApp',
    stepUp: 'content',
    method: 'POST',
    path: '/console/v1/apps/{appid}/delete',
    summary: 'Permanently delete an archived mini app; trades, refunds, callbacks and the ledger stay',
    access: { action: 'app.archive', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({ appid: Appid, name: Name('Name of the mini app, as confirmation.') }),
    example: { name: 'Tea House' },
    result: Type.Boolean(),
    errors: ['app_not_archived', 'app_unfinished', 'blocked_by_operator'],
    redact: [],
  }),
  rotateSecret: operation({
    ...console,
    id: 'rotateSecret',
    stepUp: 'money',
    method: 'POST',
    path: '/console/v1/apps/{appid}/secrets',
    summary: 'Rotate the secret; the new one is shown once, the old one stays valid for the overlap',
    access: { action: 'app.secret', by: 'appid' },
    body: ['json'],
    parameters: Type.Object({
      appid: Appid,
      overlap: Type.Optional(
        Long({
          maximum: (30 * day) / second,
          default: day / second,
          description: 'Seconds.',
          'x-allowed': 'must be a number of seconds, at most 2592000 (30 days)',
        }),
      ),
    }),
    result: Type.Object({ secret: Type.String() }),
    errors: [],
    redact: ['secret'],
  }),
  listSecrets: operation({
    ...console,
    id: 'listSecrets',
    method: 'GET',
    path: '/console/v1/apps/{appid}/secrets',
    summary: 'List creation and expiry times of the secrets of a mini app, current one first; returns no secrets',
    access: { action: 'app.read', by: 'appid' },
    parameters: Type.Object({ appid: Appid }),
    result: Type.Array(
      Type.Object({
        secretId: Type.String(),
        ctime: DomainTime(),
        validUntil: Nullable(DomainTime('End of the overlap, ms; null for the current one.')),
        active: Type.Boolean(),
      }),
    ),
    errors: [],
    redact: [],
  }),
}
