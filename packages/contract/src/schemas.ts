import { type TSchemaOptions, Type } from 'typebox'
import { appidPattern } from './appid.ts'
import { builtInScopes, scopeListLength, scopeListPattern } from './scopes.ts'

/**
 * Parameter types of the specification as JSON Schema. `x-allowed` completes the error message that starts with the
 * parameter's name and says what is allowed.
 */

/** `Long` or `int` in the specification: an integer in decimal digits. */
export const Long = (options: TSchemaOptions & { minimum?: number; maximum?: number }) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** An identifier of 32 hexadecimal digits: openId, unionId, merchantId, tradeNo. */
export const Hex32 = (options: TSchemaOptions = {}) =>
  Type.String({ pattern: '^[0-9a-f]{32}$', 'x-allowed': 'must be 32 lowercase hexadecimal digits', ...options })

export const Appid = Type.String({
  pattern: appidPattern.source,
  description: 'Application id.',
  'x-allowed': 'must be 15 lowercase letters and digits, the first a letter',
})

/** A list of at most `max` appids as a parameter of a GET. */
export const AppidList = (max: number, description: string) =>
  Type.String({
    pattern: `^${appidPattern.source.slice(1, -1)}(?:,${appidPattern.source.slice(1, -1)}){0,${max - 1}}$`,
    description: `At most ${max} appids, separated by commas. ${description}`,
    'x-allowed': `must be 1 to ${max} appids, separated by commas`,
  })

/** A list of at most `max` identifiers of 32 hexadecimal digits as a parameter of a GET. */
export const Hex32List = (max: number, description: string) =>
  Type.String({
    pattern: `^[0-9a-f]{32}(?:,[0-9a-f]{32}){0,${max - 1}}$`,
    description: `At most ${max} identifiers, separated by commas. ${description}`,
    'x-allowed': `must be 1 to ${max} identifiers of 32 lowercase hexadecimal digits, separated by commas`,
  })

/** A non-empty string. */
export const Text = (maxLength: number, options: TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength, 'x-allowed': `must be a string of 1 to ${maxLength} characters`, ...options })

/** An absolute http or https URL. The server also parses it. */
export const HttpUrl = (maxLength: number, options: TSchemaOptions = {}) =>
  Type.String({
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\]+$',
    maxLength,
    'x-allowed': `must be an absolute URL that starts with http:// or https://, of at most ${maxLength} characters`,
    ...options,
  })

/**
 * A time of the wall clock, ms: of accounts, keys, releases, reviews and logs. The types of both clocks are plain
 * numbers for whoever computes with them, but cannot be passed for each other (ADR 395).
 */
export type RealTime = number & { readonly clock?: 'real' }
export const RealTime = (description = 'ms of real time') =>
  Type.Unsafe<RealTime>({ type: 'integer', description, 'x-clock': 'real' })

/** A time of the domain clock, which a sandbox can move, ms: of trades, callbacks, events, messages and mini apps. */
export type DomainTime = number & { readonly clock?: 'domain' }
export const DomainTime = (description = 'ms') =>
  Type.Unsafe<DomainTime>({ type: 'integer', description, 'x-clock': 'domain' })

/** A value or null, for response fields that may be null. */
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** Languages of mini app information that Souk’s own pages know (open-api §4.3). */
export const languages = ['zh_CN', 'en_US', 'ar_SA'] as const
/** A language of mini app information. */
export type Language = (typeof languages)[number]
export const languageTagPattern = '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$'
/** A language tag of any language, with `_` or `-` between its parts. */
export const LanguageTag = Type.String({
  pattern: languageTagPattern,
  maxLength: 35,
  description: 'Language of the mini app information.',
  'x-allowed': `must be a language tag such as ${languages.join(', ')}`,
})

/** A list of scopes as a parameter. The installation drops those that it does not know. */
export const ScopeList = (options: TSchemaOptions = {}) =>
  Type.String({
    pattern: scopeListPattern.source,
    maxLength: scopeListLength,
    'x-allowed': `must be a comma-separated list of scopes such as ${builtInScopes.join(', ')}, of at most ${scopeListLength} characters`,
    ...options,
  })

/** The parameters of every signed operation (open-api §4.1). */
export const signed = {
  appid: Appid,
  timestamp: Long({
    description: 'Unix time in milliseconds, within 5 minutes of the server’s.',
    'x-allowed': 'must be a Unix time in milliseconds',
  }),
  sign: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 over the canonical string, lowercase hexadecimal.',
    'x-allowed': 'must be 64 lowercase hexadecimal digits',
  }),
}
