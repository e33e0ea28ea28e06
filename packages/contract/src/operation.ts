import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Protection } from './protections.ts'
import type { Action } from './roles.ts'

/** The audience of an operation. Each surface has its own authentication and response format. */
export type Surface = 'open' | 'host' | 'platform' | 'console' | 'ops'

/**
 * Authentication of the caller. `sign`: appid, timestamp, sign (open-api §4.1). `accessToken`: the token of
 * open-api §2.3 as a parameter. `hostSession`: `Authorization: Bearer …`. `apiKey`: `X-API-Key`, or
 * `Authorization: Bearer …`, which takes priority when present (open-api §5.1). `console`: the admin token as
 * `Authorization: Bearer …`, or the console's session cookie plus `X-Souk-CSRF` for writes.
 */
export type Auth = 'sign' | 'accessToken' | 'hostSession' | 'apiKey' | 'console' | 'none'

/**
 * The authorization rule of an operation of the console or the platform data API. The surface enforces it before the
 * verb runs.
 *
 * - `anyone`: no credentials needed; none are read.
 * - `account`: any account, acting on itself. The admin token is refused, because it belongs to no account.
 * - `signedIn`: any account or the admin token; lists contain what the caller may see.
 * - `administrator`: administrators and the admin token.
 * - `{ action, by }`: members who may do `action` in the project that the parameter `by` belongs to. If `by` is
 *   optional and absent, administrators only. To others the resource does not exist.
 * - `{ action, by: 'anyProject' }`: members who may do `action` in at least one project.
 * - `{ action, by: 'accountId' }`: members who may do `action` in every project of that account. If the account is an
 *   administrator or has no project, administrators only.
 */
export type Access = 'anyone' | 'account' | 'signedIn' | 'administrator' | ProjectAccess
export interface ProjectAccess {
  readonly action: Action
  readonly by:
    | 'projectId'
    | 'accountId'
    | 'appid'
    | 'tradeNo'
    | 'notifyId'
    | 'replayId'
    | 'requestId'
    | 'feedbackId'
    | 'datasetId'
    | 'providerAccountId'
    | 'reconciliationId'
    | 'blockId'
    | 'anyProject'
}

/** The error for a resource that does not exist or that the caller may not see, by the parameter that names it. */
export const notFound = {
  projectId: 'project_not_found',
  accountId: 'account_not_found',
  appid: 'app_not_found',
  tradeNo: 'trade_not_found',
  notifyId: 'callback_not_found',
  replayId: 'replay_not_found',
  requestId: 'request_not_found',
  feedbackId: 'feedback_not_found',
  datasetId: 'dataset_not_found',
  providerAccountId: 'provider_account_not_found',
  reconciliationId: 'reconciliation_not_found',
  blockId: 'block_not_found',
} as const satisfies Record<string, ErrorCode>

/** Features that an owner can enable per mini app; without one, operations fail with `capability_missing`. */
export const capabilities = ['login', 'payment', 'refund', 'notification', 'activity', 'file', 'broadcast'] as const
export type Capability = (typeof capabilities)[number]

/**
 * Failed attempts that a client may repeat (ADR 50).
 *
 * - `idempotent`: any; executing the operation twice has the same effect as once. Each attempt is signed afresh.
 * - `sameSignature`: any; the server recognizes a repetition by its signature, so all attempts send the same request.
 * - `ifNotExecuted`: only those that the server certainly did not execute.
 */
export type RetryRule = 'idempotent' | 'sameSignature' | 'ifNotExecuted'

/** Conflicts that end without the caller, so that a client repeats the operation. The others need a decision. */
export const retriedConflicts = ['payment_in_flight'] as const satisfies readonly ErrorCode[]

/** Name and description of a type in the clients. */
export interface ClientType {
  readonly name: string
  readonly description: string
}

/**
 * An operation described as data. Validation, OpenAPI, the SDK types and the reference page are derived from it.
 *
 * `parameters` is one flat object: names in `{braces}` in the path come from the path, the rest from the query string
 * of a GET or DELETE, otherwise from the body (in the open API also from the query string).
 */
export interface Operation<P extends TObject = TObject, R extends TSchema = TSchema> {
  readonly id: string
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A GET that also answers POST, with the parameters in the query string or a form. */
  readonly alsoPost?: true
  readonly path: string
  readonly summary: string
  /** The section of docs/spec/open-api.md that defines it; absent for additions of Souk. */
  readonly section?: string
  /** Sentences that programs need besides the summary; the documentation of the clients repeats them. */
  readonly notes?: string
  readonly auth: Auth
  /** Declared by every operation of the console and of the platform data API. */
  readonly access?: Access
  readonly capability?: Capability
  /** Accepted body types of a POST, preferred one first. `stream` marks a response of server-sent events. */
  readonly body?: readonly ('form' | 'multipart' | 'json')[]
  readonly stream?: true
  /** Clients may keep the response and revalidate it by its ETag. Only lists without personal data. */
  readonly revalidated?: true
  /** The header of a successful response says which recipients do not get the message, and why. */
  readonly reportsNotDelivered?: true
  /** Accepts a file in the part `fileData` of a multipart body. */
  readonly file?: true
  /**
   * Replaces U+0000 and halves of surrogate pairs in its texts by U+FFFD instead of refusing the call. For texts that a
   * mini app or a user has made: a host application can hardly check them, and would lose all that it sends with them.
   */
  readonly repairsText?: true
  /** Maximum size of a JSON body in bytes; `defaultMaxBody` if omitted. */
  readonly maxBody?: number
  /**
   * Maximum number of values in a JSON body (numbers, texts, true, false, null, lists and objects);
   * `defaultMaxValues` if omitted. A value takes two bytes on the wire, and a hundred when it is parsed.
   */
  readonly maxValues?: number
  /** The list in a large JSON body whose items are parsed one at a time. All else has at most `defaultMaxValues`. */
  readonly items?: string
  /** Media types of a response that is not JSON and that the surface writes itself. */
  readonly media?: readonly string[]
  /**
   * What is protected by requiring that the account of the session has confirmed its identity in the last 10 minutes,
   * with a second factor if it has one (ADR 294). Programs are exempt, and a sandbox does not have all of it.
   */
  readonly stepUp?: Protection
  /**
   * Available to a session whose sign-in is not complete (ADR 293): `any`, or only while the account has to enrol a
   * second factor.
   */
  readonly pendingSignIn?: 'any' | 'enrolment'
  /**
   * The action that a service account needs a scope for, for operations that do not name one in `access`; `any`: every
   * service account may call it; `none`: no service account may, regardless of `access`.
   */
  readonly programs?: Action | 'any' | 'none'
  /** Available only if `SOUK_ENVIRONMENT` is `sandbox`; the surface rejects it elsewhere with `sandbox_only`. */
  readonly sandboxOnly?: true
  /** Responds to errors in the form of RFC 6749 §5.2, with the fields of problem details. */
  readonly oauthErrors?: true
  /** Reason why a call that is not a GET writes no audit row. If omitted, `isAudited` decides. */
  readonly unaudited?: string
  /** `idempotent` by default for a GET, otherwise `ifNotExecuted`. */
  readonly retry?: RetryRule
  /**
   * Values for the parameters that are not identifiers, if a valid call needs them; tests call the operation with them.
   */
  readonly example?: Readonly<Record<string, unknown>>
  /**
   * The types that clients have for its objects, declared by the first operation with each of them. `result` is the
   * result or an item of its page, `result.<field>` an object in it, and `parameters.<name>` one in a parameter.
   * `parameters` is the type of all parameters in the TypeScript client, which otherwise derives its name from the id.
   */
  readonly clientTypes?: Readonly<Record<string, ClientType>>
  readonly parameters: P
  /** Accepted aliases of parameters: alias to documented name. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Parameters without effect that published clients or examples send, with the source; others are rejected. */
  readonly ignored?: Readonly<Record<string, string>>
  readonly result: R
  /** Errors of this operation, in addition to `commonErrors` of its surface. */
  readonly errors: readonly ErrorCode[]
  /** Parameters and result fields whose values are never logged. */
  readonly redact: readonly string[]
}

/** Maximum size in bytes of a body whose operation does not declare another, and of callers who are not known yet. */
export const defaultMaxBody = 64 * 1024
/** Maximum number of values in a JSON body whose operation does not declare another. */
export const defaultMaxValues = 2_000
/** Maximum nesting of the value of a parameter. */
export const maxLevels = 64

/** The parameters of an operation after validation: numbers are numbers, lists are arrays. */
export type ParametersOf<O extends Operation> = Static<O['parameters']>
/** The result of an operation, as returned by its verb. */
export type ResultOf<O extends Operation> = Static<O['result']>

/** Declares an operation and keeps its literal types. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration
}

const requestErrors: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_invalid',
  'parameter_unknown',
  'parameter_repeated',
  'parameter_malformed',
  'parameter_control_character',
  'body_unsupported',
  'body_too_large',
  'host_unknown',
  'internal',
  'unavailable',
  'read_only',
]

/** Errors that any operation of a surface can return. */
export const commonErrors: Record<Surface, readonly ErrorCode[]> = {
  open: [...requestErrors, 'method_not_allowed', 'rate_limited'],
  host: requestErrors,
  platform: [...requestErrors, 'rate_limited'],
  console: requestErrors,
  ops: ['internal', 'unavailable'],
}

/** Additional errors of operations with `auth: 'sign'`. */
export const signErrors: readonly ErrorCode[] = [
  'appid_invalid',
  'app_archived',
  'timestamp_not_milliseconds',
  'timestamp_out_of_window',
  'sign_mismatch',
  'capability_missing',
  'parameters_ambiguous',
  'sign_reused',
]

/** Errors of requests with the token of a service account. */
const serviceAccountErrors = [
  'service_token_invalid',
  'service_account_expired',
  'service_account_removed',
  'project_archived',
  'scope_missing',
] as const satisfies readonly ErrorCode[]

/** Additional errors of operations with `auth: 'console'`. */
export const consoleErrors: readonly ErrorCode[] = [
  'admin_token_invalid',
  'admin_token_disabled',
  'session_invalid',
  'csrf_invalid',
  'second_factor_required',
  'factor_enrolment_required',
  ...serviceAccountErrors,
]

/** Additional errors of operations with `auth: 'apiKey'`. */
export const apiKeyErrors: readonly ErrorCode[] = [
  'api_key_invalid',
  'token_invalid',
  'admin_token_disabled',
  ...serviceAccountErrors,
]

/** Returns which failed attempts of an operation a client may repeat. */
export function retryRule({ method, retry }: Operation): RetryRule {
  return retry ?? (method === 'GET' ? 'idempotent' : 'ifNotExecuted')
}

/**
 * Returns a field that every result of an operation has and that is never null, by which clients recognize a response
 * of Souk; undefined if the result is not an object.
 */
export function resultField({ result }: Operation): string | undefined {
  const { properties = {}, required = [] } = result as Partial<TObject>
  return required.find((name) => !('anyOf' in properties[name]!))
}

/**
 * Returns whether a successful call writes an audit row: in the console and the platform data API, each call that
 * changes something, signs in or exports data.
 */
export function isAudited({ surface, method, media, unaudited }: Operation): boolean {
  const privileged = surface === 'console' || surface === 'platform'
  return privileged && (method !== 'GET' || media !== undefined) && unaudited === undefined
}

/** Returns the errors of a declared environment: `sandbox_only` for operations that exist only in a sandbox. */
export function environmentErrors({ sandboxOnly }: Operation): readonly ErrorCode[] {
  return sandboxOnly ? ['sandbox_only'] : []
}

/** Returns the errors of operations that require a fresh confirmation of the account's identity. */
export function stepUpErrors({ stepUp }: Operation): readonly ErrorCode[] {
  return stepUp ? ['step_up_required'] : []
}

/** Returns the errors that follow from the authorization rule of an operation. */
export function accessErrors({ access, method }: Operation): readonly ErrorCode[] {
  if (access === undefined || access === 'anyone' || access === 'signedIn') return []
  if (typeof access === 'string' || access.by === 'anyProject') return ['permission_denied']
  const archived = isArchivable(access.by) ? [archivedErrors[access.by]] : []
  const stopped: ErrorCode[] = isStoppedByArchive({ access, method }) ? ['app_archived'] : []
  return ['permission_denied', notFound[access.by], ...archived, ...stopped]
}

/** Actions that change what is archived, which has to be restored first. Payments and callbacks go on (ADR 336). */
const stoppedByArchive: readonly Action[] = ['app.manage', 'release.upload', 'release.publish', 'message.send']

/** Actions that an archived project refuses, besides those of its mini apps, which are archived with it. */
const stoppedWithProject: readonly Action[] = [
  'project.manage',
  'app.create',
  'feedback.answer',
  'dataset.create',
  'dataset.append',
  'dataset.delete',
]

/** Returns whether an archived project refuses an action. */
export function isStoppedWithProject(action: Action): boolean {
  return stoppedWithProject.includes(action) || stoppedByArchive.includes(action)
}

/** Returns whether an archived mini app refuses an operation. */
export function isStoppedByArchive({ access, method }: Pick<Operation, 'access' | 'method'>): boolean {
  return (
    typeof access === 'object' && access.by === 'appid' && method !== 'GET' && stoppedByArchive.includes(access.action)
  )
}

const archivedErrors = { tradeNo: 'trade_archived', notifyId: 'callback_archived' } as const
const isArchivable = (by: string): by is keyof typeof archivedErrors => Object.hasOwn(archivedErrors, by)

/** Returns the accepted parameter aliases of an operation: its own, and `appId` for `appid` in the open API. */
export function aliasesOf(operation: Operation): ReadonlyMap<string, string> {
  const appid = operation.surface === 'open' ? { appId: 'appid' } : {}
  return new Map(Object.entries({ ...appid, ...operation.aliases }))
}
