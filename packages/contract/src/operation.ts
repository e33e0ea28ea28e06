import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { Action } from './roles.ts'

/** Which audience an operation serves; each surface has its own way to say who is asking, and its own words. */
export type Surface = 'open' | 'host' | 'platform' | 'console' | 'ops'

/**
 * How the caller proves who it is. `sign`: appid, timestamp, sign (open API §4.1). `accessToken`: the token of
 * §2.3 as a parameter. `hostSession`: `Authorization: Bearer …`. `apiKey`: `X-API-Key`, or `Authorization: Bearer …`
 * which alone decides when it is present (§5.1). `console`: the admin token as `Authorization: Bearer …`, or the
 * console's session cookie, with `X-Souk-CSRF` wherever something changes.
 */
export type Auth = 'sign' | 'accessToken' | 'hostSession' | 'apiKey' | 'console' | 'none'

/**
 * Who may call an operation of the console or of the platform data API, as data: the surface refuses everybody else
 * before the operation's verb runs.
 *
 * - `anyone`: no credentials are looked at.
 * - `account`: an account, about itself; not the admin token, which is nobody's.
 * - `signedIn`: any account and the admin token; what is listed is what the caller may see.
 * - `administrator`: administrators and the admin token.
 * - `{ action, by }`: whoever may do `action` in the project that the parameter `by` leads to. Where `by` is optional and
 *   absent, administrators only. Who is no member gets the answer for a thing that does not exist.
 * - `{ action, by: 'anyProject' }`: whoever may do `action` in at least one project.
 * - `{ action, by: 'accountId' }`: whoever may do `action` in every project of that account, of which there is one; to the
 *   account of an administrator, and to one of no project, administrators only.
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
    | 'datasetId'
    | 'providerAccountId'
    | 'reconciliationId'
    | 'anyProject'
}

/** What is refused where the thing that leads to the project does not exist, or is not for the caller to know of. */
export const notFound = {
  projectId: 'project_not_found',
  accountId: 'account_not_found',
  appid: 'app_not_found',
  tradeNo: 'trade_not_found',
  notifyId: 'callback_not_found',
  replayId: 'replay_not_found',
  requestId: 'request_not_found',
  datasetId: 'dataset_not_found',
  providerAccountId: 'provider_account_not_found',
  reconciliationId: 'reconciliation_not_found',
} as const satisfies Record<string, ErrorCode>

/** What an owner can switch on and off for a mini app; an operation that needs one refuses with `capability_missing`. */
export const capabilities = ['login', 'payment', 'notification', 'activity', 'file'] as const
export type Capability = (typeof capabilities)[number]

/**
 * One operation as data. Validation, OpenAPI, the SDK's types and the reference page derive from it; nothing else
 * says which parameters exist.
 *
 * `parameters` is one flat object whatever the place: names in `{braces}` of the path come from the path, the rest
 * from the query string of a GET or DELETE, else from the body (and, in the open API, from the query string too).
 */
export interface Operation<P extends TObject = TObject, R extends TSchema = TSchema> {
  readonly id: string
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  /** The section of the document that it comes from; absent where Souk adds it. */
  readonly section?: string
  readonly auth: Auth
  /** Declared by every operation of the console and of the platform data API. */
  readonly access?: Access
  readonly capability?: Capability
  /** Body types of a POST, the first preferred. `stream` marks an answer of server-sent events. */
  readonly body?: readonly ('form' | 'multipart' | 'json')[]
  readonly stream?: true
  /** Takes a file as well: the part `fileData` of a multipart body. */
  readonly file?: true
  /** How large a JSON body may be, bytes; 64 KiB unless told. */
  readonly maxBody?: number
  /** Media types of an answer that is not JSON; the surface writes it by itself. */
  readonly media?: readonly string[]
  /** Exists only where `SOUK_ENVIRONMENT` is `sandbox`. */
  readonly sandboxOnly?: true
  readonly parameters: P
  /** Names also understood for a parameter: alias to documented name. */
  readonly aliases?: Readonly<Record<string, string>>
  readonly result: R
  /** What may be refused besides what every operation of the surface may answer (`commonErrors`). */
  readonly errors: readonly ErrorCode[]
  /** Parameters and result fields whose values never reach a log. */
  readonly redact: readonly string[]
}

/** The parameters of an operation after validation: numbers are numbers, lists are arrays. */
export type ParametersOf<O extends Operation> = Static<O['parameters']>
/** The result of an operation, as its verb returns it. */
export type ResultOf<O extends Operation> = Static<O['result']>

/** Declares an operation and keeps its literal types. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration
}

const jsonErrors: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_invalid',
  'parameter_unknown',
  'parameter_repeated',
  'parameter_malformed',
  'parameter_control_character',
  'body_unsupported',
  'body_too_large',
  'internal',
  'unavailable',
]

/** What any operation of a surface may answer beyond its own list. */
export const commonErrors: Record<Surface, readonly ErrorCode[]> = {
  open: [
    'parameter_missing',
    'parameter_invalid',
    'parameter_unknown',
    'parameter_repeated',
    'parameter_malformed',
    'parameter_control_character',
    'body_unsupported',
    'body_too_large',
    'method_not_allowed',
    'rate_limited',
    'internal',
    'unavailable',
  ],
  host: jsonErrors,
  platform: [...jsonErrors, 'rate_limited'],
  console: jsonErrors,
  ops: ['internal', 'unavailable'],
}

/** What an operation with `auth: 'sign'` may answer on top. */
export const signErrors: readonly ErrorCode[] = [
  'appid_invalid',
  'timestamp_not_milliseconds',
  'timestamp_out_of_window',
  'sign_mismatch',
  'capability_missing',
]

/** What an operation with `auth: 'console'` may answer on top. */
export const consoleErrors: readonly ErrorCode[] = ['admin_token_invalid', 'session_invalid', 'csrf_invalid']

/** What an operation with `auth: 'apiKey'` may answer on top. */
export const apiKeyErrors: readonly ErrorCode[] = ['api_key_invalid', 'token_invalid']

/** What the access of an operation may refuse. */
export function accessErrors(access: Access | undefined): readonly ErrorCode[] {
  if (access === undefined || access === 'anyone' || access === 'signedIn') return []
  if (typeof access === 'string' || access.by === 'anyProject') return ['permission_denied']
  return ['permission_denied', notFound[access.by]]
}

/** Names understood for parameters of an operation: its own aliases, and `appId` wherever `appid` is taken. */
export function aliasesOf(operation: Operation): ReadonlyMap<string, string> {
  const appid = operation.surface === 'open' ? { appId: 'appid' } : {}
  return new Map(Object.entries({ ...appid, ...operation.aliases }))
}
