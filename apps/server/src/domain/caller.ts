import type { App } from './apps/index.ts'
import type { AccessToken } from './oauth/index.ts'

/** Who asks, established once by the surface. */
export type Caller = AppCaller | TokenCaller | HostUserCaller | AdminCaller | AnyoneCaller

/** A mini app's backend, by its sign. */
export interface AppCaller {
  kind: 'app'
  app: App
  /** The sign of the request, which also identifies it within its window. */
  sign: string
  /** Takes one sentence for the log of requests, where the developer finds what the answer has no room for. */
  remark?: (sentence: string) => void
}

/** A mini app's backend, by an access token that this installation has issued and that has not expired. */
export interface TokenCaller {
  kind: 'token'
  token: AccessToken
}

/** A user of the host application, by a host session. */
export interface HostUserCaller {
  kind: 'hostUser'
  uid: number
  /** The session token, for signing out. */
  session: string
}

/** The operator, by the admin token or the console. */
export interface AdminCaller {
  kind: 'admin'
}

/** Nobody in particular. */
export interface AnyoneCaller {
  kind: 'anyone'
}
