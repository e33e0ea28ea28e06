import type { App } from './apps/index.ts'

/** Who asks, established once by the surface. */
export type Caller = AppCaller | HostUserCaller | AdminCaller | AnyoneCaller

/** A mini app's backend, by its sign. */
export interface AppCaller {
  kind: 'app'
  app: App
  /** The sign of the request, which also identifies it within its window. */
  sign: string
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
