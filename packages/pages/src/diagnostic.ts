import type { Code, Severity } from './check/codes.ts'

/** A target platform, named as in pages-json. */
export type Platform = 'H5' | 'App' | 'Mini App'
export const platforms: readonly Platform[] = ['H5', 'App', 'Mini App']
/** The platform of a project that does not name one (ADR 365). */
export const defaultPlatform: Platform = 'App'

/** Replaces `length` UTF-16 code units from `offset` with `text`. */
export type Edit = { readonly offset: number; readonly length: number; readonly text: string }

/** A change that resolves a diagnostic. The title is an imperative: "Insert the comma". */
export type Fix = { readonly title: string; readonly edits: readonly Edit[] }

export type Related = { readonly offset: number; readonly length: number; readonly message: string }

/** A problem in a file. Offsets count UTF-16 code units of the whole text. */
export type Diagnostic = {
  /** A key of `codes`; stable. */
  readonly code: Code
  readonly severity: Severity
  /** Set for errors with which the mini app cannot run, so that it is not built. */
  readonly blocks: boolean
  readonly offset: number
  readonly length: number
  readonly message: string
  /** Affected platforms, in the order of `platforms`. */
  readonly platforms: readonly Platform[]
  readonly fix?: Fix
  readonly related?: readonly Related[]
}

/** The result of a single check, before the findings of several variants are merged into diagnostics. */
export type Finding = Omit<Diagnostic, 'severity' | 'platforms' | 'blocks'> & {
  /** Set if the mini app runs in spite of the error. */
  readonly runs?: boolean
}

/** Returns the message, followed by the affected platforms unless all are affected. */
export const messageOf = ({ message, platforms: affected }: Pick<Diagnostic, 'message' | 'platforms'>): string =>
  affected.length < platforms.length ? `${message} (${affected.join(', ')})` : message

const unnecessary: ReadonlySet<Code> = new Set(['key-no-effect', 'key-platform', 'key-duplicate', 'bar-hidden'])

/** Returns whether a diagnostic marks text without any effect, which editors fade out. */
export const isUnnecessary = ({ code }: Diagnostic): boolean => unnecessary.has(code)
