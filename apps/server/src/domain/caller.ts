import type { NotDeliveredReasons, PendingSignIn, ServiceScope } from '@souk/contract'
import type { App } from './app.ts'

/** The authenticated caller of an operation. Surfaces authenticate each request once. */
export type Caller =
  | AppCaller
  | TokenCaller
  | HostUserCaller
  | AdminCaller
  | AccountCaller
  | ServiceAccountCaller
  | AnyoneCaller
  | ProviderCaller
  | SystemCaller

/** A caller of the console or of the platform data API. */
export type ConsoleCaller = AdminCaller | AccountCaller | ServiceAccountCaller

/** A mini app's backend, authenticated by its sign. */
export interface AppCaller {
  kind: 'app'
  app: App
  /** The sign of the request. It also identifies the request within the timestamp window. */
  sign: string
  /** Adds a sentence to the request log, for details that the response has no field for. */
  remark?: (sentence: string) => void
  /** Tells the client how many recipients do not get a message that was sent, by reason. */
  notDelivered?: (reasons: NotDeliveredReasons) => void
  /** Tells the client that the request repeats an earlier one with the same sign, and has changed nothing. */
  replayed?: () => void
}

/** A mini app's backend, authenticated by an unexpired access token of this installation. */
export interface TokenCaller {
  kind: 'token'
  token: AccessToken
}

/** The claims of an access token (ADR 36). Identifiers are 32 hexadecimal digits. */
export interface AccessToken {
  openId: string
  appid: string
  scopes: readonly string[]
  /** The `jti` claim, used to revoke the token. */
  tokenId: string
}

/** A user of the host application, authenticated by a host session. */
export interface HostUserCaller {
  kind: 'hostUser'
  uid: number
  /** The session token, for signing out. */
  session: string
}

/** The operator, authenticated by the admin token. Has all permissions. */
export interface AdminCaller {
  kind: 'admin'
  /** The client address, for the audit log. */
  address?: string
}

/** A developer or operator. `projects/authorize.ts` checks its permissions in a project with each request. */
export interface AccountCaller {
  kind: 'account'
  /** 32 hexadecimal digits. */
  accountId: string
  /** An administrator acts as owner of every project. */
  administrator: boolean
  /** The credential that authenticated the account. */
  via: 'session' | 'apiKey' | 'token'
  /** The session token, for signing out, if the request came with one. */
  session?: string
  /** Missing step of the sign-in, before the session can be used (ADR 293). */
  pending?: PendingSignIn | null
  /** Time of the last confirmation of the account's identity in this session, ms of real time. */
  confirmedAt?: number | null
  /** The cookie that marks the device as known to accounts that have signed in from it (ADR 213). */
  devices?: string | undefined
  /** The client address, for the audit log. */
  address?: string
}

/** A program that acts on one project, authenticated by the token of a service account. */
export interface ServiceAccountCaller {
  kind: 'serviceAccount'
  /** 32 hexadecimal digits. */
  serviceAccountId: string
  name: string
  /** Project of the service account, which can see no other. */
  projectId: string
  scopes: readonly ServiceScope[]
  /** The client address, for the audit log. */
  address?: string
}

/** A payment provider, authenticated by the signature of its webhook. */
interface ProviderCaller {
  kind: 'provider'
  /** Null for the built-in sandbox provider. */
  providerAccountId: string | null
}

/** A job that acts on its own. */
export interface SystemCaller {
  kind: 'system'
}

/** An unauthenticated caller. */
export interface AnyoneCaller {
  kind: 'anyone'
  /** The client address. */
  address?: string
  /** The header User-Agent. */
  userAgent?: string | undefined
  /** The cookie that marks the device as known to accounts that have signed in from it (ADR 213). */
  devices?: string | undefined
  /** The cookie of a sign-in at a provider that this browser has started. */
  flow?: string | undefined
}

/** Returns the name under which requests of a caller are limited. */
export function nameOf(caller: ConsoleCaller): string {
  if (caller.kind === 'serviceAccount') return caller.serviceAccountId
  return caller.kind === 'admin' ? 'admin token' : caller.accountId
}
