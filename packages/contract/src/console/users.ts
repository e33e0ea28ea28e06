import { Type } from 'typebox'
import { errorRecordingLimits } from '../analytics.ts'
import { operation } from '../operation.ts'
import { DomainTime, Nullable, Text } from '../schemas.ts'
import { BlockReason } from './blocks.ts'
import { console, Page, paging, Sort, Uid } from './surface.ts'

export const hostUserStates = ['enabled', 'disabled', 'erased'] as const
export type HostUserState = (typeof hostUserStates)[number]

const HostUser = Type.Object({
  uid: Uid,
  nickName: Type.String(),
  avatar: Type.String({ description: 'URL of the profile photo, or of a generated one.' }),
  email: Nullable(Type.String()),
  country: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  issuer: Nullable(Type.String({ description: 'Null for mock users of a sandbox.' })),
  subject: Nullable(Type.String()),
  state: Type.Enum([...hostUserStates]),
  ctime: DomainTime(),
})

/** Everything that is stored about a user; each list newest first. Amounts in cents, times in ms. */
const HostUserData = Type.Object({
  user: HostUser,
  attributes: Type.Array(Type.Unknown()),
  consents: Type.Array(Type.Unknown()),
  openIds: Type.Array(Type.Unknown()),
  unionIds: Type.Array(Type.Unknown()),
  testerOf: Type.Array(Type.String({ description: 'appid' })),
  notifications: Type.Array(Type.Unknown()),
  activities: Type.Array(Type.Unknown()),
  messageLevels: Type.Array(Type.Unknown()),
  messageCounts: Type.Array(Type.Unknown()),
  feedback: Type.Array(Type.Unknown()),
  recordings: Type.Array(Type.Unknown(), {
    maxItems: errorRecordingLimits.perUser,
    description: 'Recordings that it has made as a tester: gzipped files in Base64.',
  }),
  cards: Type.Array(Type.Unknown(), { description: 'Cards that it has sent or received in a sandbox.' }),
  trades: Type.Array(Type.Unknown()),
  refunds: Type.Array(Type.Unknown()),
  events: Type.Array(Type.Unknown()),
})

const ofUser = Type.Object({ uid: Uid })

/** Users of the host. */
export const userOperations = {
  searchHostUsers: operation({
    ...console,
    id: 'searchHostUsers',
    method: 'GET',
    path: '/console/v1/users',
    summary: 'Search users of the host',
    access: 'administrator',
    parameters: Type.Object({
      text: Type.Optional(
        Text(255, {
          description:
            'Any part of the name, subject or e-mail address, among the newest users; or, among all users, the beginning of the name or the complete uid, subject or e-mail address.',
        }),
      ),
      state: Type.Optional(
        Type.Enum([...hostUserStates], { 'x-allowed': `must be one of ${hostUserStates.join(', ')}` }),
      ),
      sort: Sort(['-ctime', 'ctime', 'nickName', '-nickName']),
      ...paging,
    }),
    result: Page(HostUser),
    errors: [],
    redact: ['text'],
  }),
  getHostUser: operation({
    ...console,
    id: 'getHostUser',
    method: 'GET',
    path: '/console/v1/users/{uid}',
    summary: 'Get a user of the host',
    access: 'administrator',
    parameters: ofUser,
    result: HostUser,
    errors: ['user_not_found'],
    redact: [],
  }),
  disableHostUser: operation({
    ...console,
    id: 'disableHostUser',
    method: 'POST',
    path: '/console/v1/users/{uid}/disable',
    summary: 'Disable a user: its sessions end, and it cannot sign in',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ uid: Uid, reason: BlockReason }),
    result: HostUser,
    errors: ['user_not_found', 'user_erased'],
    redact: [],
  }),
  enableHostUser: operation({
    ...console,
    id: 'enableHostUser',
    method: 'POST',
    path: '/console/v1/users/{uid}/enable',
    summary: 'Enable a disabled user',
    access: 'administrator',
    body: ['json'],
    parameters: ofUser,
    result: HostUser,
    errors: ['user_not_found', 'user_erased'],
    redact: [],
  }),
  eraseHostUser: operation({
    ...console,
    id: 'eraseHostUser',
    method: 'POST',
    path: '/console/v1/users/{uid}/erase',
    summary: 'Permanently erase a user; trades and ledger keep its openIds as pseudonyms',
    access: 'administrator',
    body: ['json'],
    parameters: ofUser,
    result: HostUser,
    errors: ['user_not_found'],
    redact: [],
  }),
  exportHostUser: operation({
    ...console,
    id: 'exportHostUser',
    method: 'POST',
    path: '/console/v1/users/{uid}/export',
    summary: 'Export everything that is stored about a user',
    access: 'administrator',
    body: ['json'],
    parameters: ofUser,
    retry: 'idempotent',
    result: HostUserData,
    errors: ['user_not_found'],
    redact: [],
  }),
}
