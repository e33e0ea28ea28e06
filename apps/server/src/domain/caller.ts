import type { Scope } from '@souk/contract'
import type { App } from './app.ts'

/** Who asks, established once by the surface. */
export type Caller = AppCaller | TokenCaller | HostUserCaller | AdminCaller | AccountCaller | AnyoneCaller

/** Whoever may use the console and the platform data API. */
export type ConsoleCaller = AdminCaller | AccountCaller

/** A mini app's backend, by its sign. */
export interface AppCaller {
  kind: 'app'
  app: App
  /** The sign of the request, which also identifies it within its window. */
  sign: string
  /** Takes a sentence for the log of requests, where the developer finds what the answer has no room for. */
  remark?: (sentence: string) => void
}

/** A mini app's backend, by an access token that this installation has issued and that has not expired. */
export interface TokenCaller {
  kind: 'token'
  token: AccessToken
}

/** What an access token says (ADR 32). Identifiers are 32 hexadecimal digits. */
export interface AccessToken {
  openId: string
  appid: string
  scopes: readonly Scope[]
  /** The `jti` claim, by which the token can be revoked. */
  tokenId: string
}

/** A user of the host application, by a host session. */
export interface HostUserCaller {
  kind: 'hostUser'
  uid: number
  /** The session token, for signing out. */
  session: string
}

/** The operator, by the admin token: may do everything. */
export interface AdminCaller {
  kind: 'admin'
  /** Where the request came from, for the audit log. */
  address?: string
}

/** A developer or operator. What it may do in a project is asked with each request: `projects/authorise.ts`. */
export interface AccountCaller {
  kind: 'account'
  /** 32 hexadecimal digits. */
  accountId: string
  /** Acts as owner of every project. */
  administrator: boolean
  /** By what it proved who it is. */
  via: 'session' | 'apiKey' | 'token'
  /** The session token, where it came by one: for signing out. */
  session?: string
  /** Where the request came from, for the audit log. */
  address?: string
}

/** Nobody in particular. */
export interface AnyoneCaller {
  kind: 'anyone'
  /** Where the request came from. */
  address?: string
}
