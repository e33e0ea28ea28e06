import type { Role } from '@souk/contract'

/** Someone who sends requests, with valid or invalid credentials. */
export interface Caller {
  headers: Readonly<Record<string, string>>
  /** Role of the caller in its project, or in the installation; `unauthenticated` if the credentials are invalid. */
  is: Role | 'nonMember' | 'administrator' | 'adminToken' | 'payer' | 'otherUser' | 'app' | 'unauthenticated'
  /** Credentials that are only invalid for requests that change something. */
  readsOnly?: true
  /** Signs open API requests. Without `secret` there is no sign; `age` of the timestamp in ms. */
  sign?: { appid: string; secret?: string; age?: number; hasCapabilities: boolean }
}

/** Names of the callers of each surface. The world creates one of each. */
export const callerNames = {
  console: [
    ...['owner', 'editor', 'viewer', 'nonMember', 'administrator', 'adminToken'],
    ...['anonymous', 'forgedSession', 'forgedToken', 'emptyToken', 'withoutCsrf', 'apiKey', 'hostUser'],
  ],
  platform: [
    ...['owner', 'editor', 'viewer', 'nonMember', 'administrator', 'adminToken', 'ownerToken'],
    ...['anonymous', 'forgedKey', 'forgedToken', 'emptyToken', 'consoleSession', 'hostUser'],
  ],
  host: ['payer', 'otherUser', 'anonymous', 'forgedToken', 'emptyToken', 'adminToken', 'apiKey'],
  open: ['app', 'appWithoutCapabilities', 'forgedSign', 'emptySecret', 'unsigned', 'oldSign'],
  releases: ['anonymous'],
} as const satisfies Record<string, readonly string[]>

export type ServerSurface = keyof typeof callerNames
