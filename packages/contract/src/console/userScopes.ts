import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { RealTime } from '../schemas.ts'
import { builtInScopes, scopePattern } from '../scopes.ts'
import { ScopeFields, ScopeTitles } from '../userScopes.ts'
import { console, Flag } from './surface.ts'

const Scope = Type.String({
  pattern: scopePattern.source,
  description: `Such as user.qid. ${builtInScopes.join(', ')} are built in.`,
  'x-allowed': 'must be user. and a word of 1 to 27 lowercase letters and digits, beginning with a letter',
})
const definition = {
  scope: Scope,
  titles: ScopeTitles,
  fields: ScopeFields,
  requiresConsent: Flag('Whether users are asked. If not, every mini app that a user opens may read the fields.'),
}
const UserScope = Type.Object({ ...definition, ctime: RealTime() })

/** Scopes of user data that the operator defines (open-api §2.4). */
export const userScopeOperations = {
  listUserScopes: operation({
    ...console,
    id: 'listUserScopes',
    method: 'GET',
    path: '/console/v1/user-scopes',
    summary: 'List the scopes of user data that the operator has defined, by name',
    access: 'administrator',
    parameters: Type.Object({}),
    result: Type.Array(UserScope),
    errors: [],
    redact: [],
  }),
  putUserScope: operation({
    ...console,
    id: 'putUserScope',
    method: 'POST',
    path: '/console/v1/user-scopes',
    summary: 'Define a scope of user data, or replace its definition; new fields end the consents to it',
    access: 'administrator',
    stepUp: 'data',
    body: ['json'],
    parameters: Type.Object(definition),
    example: {
      scope: 'user.qid',
      titles: { en: 'QID number', 'zh-Hans': 'QID 号码', ar: 'رقم البطاقة الشخصية' },
      fields: [{ name: 'qid', claim: 'qid' }],
      requiresConsent: true,
    },
    retry: 'idempotent',
    result: UserScope,
    errors: ['user_scope_limit_reached'],
    redact: [],
  }),
  removeUserScope: operation({
    ...console,
    id: 'removeUserScope',
    method: 'DELETE',
    path: '/console/v1/user-scopes/{scope}',
    summary: 'Remove a scope of user data: access tokens no longer reveal its fields, and consents to it end',
    access: 'administrator',
    stepUp: 'data',
    parameters: Type.Object({ scope: Scope }),
    example: { scope: 'user.qid' },
    result: Type.Boolean(),
    errors: ['user_scope_not_found'],
    redact: [],
  }),
}
