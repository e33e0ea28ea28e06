import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

/** Which audience an operation serves; each surface has its own way to say who is asking, and its own words. */
export type Surface = 'open' | 'host' | 'console' | 'ops'

/**
 * How the caller proves who it is. `sign`: appid, timestamp, sign (open API §4.1). `accessToken`: the token of
 * §2.3 as a parameter. `hostSession` and `adminToken`: `Authorization: Bearer …`.
 */
export type Auth = 'sign' | 'accessToken' | 'hostSession' | 'adminToken' | 'none'

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
  readonly capability?: Capability
  /** Body types of a POST, the first preferred. `stream` marks an answer of server-sent events. */
  readonly body?: readonly ('form' | 'multipart' | 'json')[]
  readonly stream?: true
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

/** Names understood for parameters of an operation: its own aliases, and `appId` wherever `appid` is taken. */
export function aliasesOf(operation: Operation): ReadonlyMap<string, string> {
  const appid = operation.surface === 'open' ? { appId: 'appid' } : {}
  return new Map(Object.entries({ ...appid, ...operation.aliases }))
}
