import type { Code, Severity } from './check/codes.ts'

/** The builds that a file is for, named as in the document's tables. */
export type Platform = 'H5' | 'App' | 'Mini App'
export const platforms: readonly Platform[] = ['H5', 'App', 'Mini App']

/** Replaces `length` code units from `offset` by `text`. */
export type Edit = { readonly offset: number; readonly length: number; readonly text: string }

/** A change that settles a diagnostic; `title` is an order: "Insert the comma". */
export type Fix = { readonly title: string; readonly edits: readonly Edit[] }

export type Related = { readonly offset: number; readonly length: number; readonly message: string }

/** What is wrong, what is allowed, what to do; offsets in UTF-16 code units of the whole text. */
export type Diagnostic = {
  /** Stable; every code stands in `codes`. */
  readonly code: Code
  readonly severity: Severity
  readonly offset: number
  readonly length: number
  readonly message: string
  /** The builds that it concerns, in the order of `platforms`. */
  readonly platforms: readonly Platform[]
  readonly fix?: Fix
  readonly related?: readonly Related[]
}

/** A diagnostic before it is known whom it concerns: what a reader or a check finds. */
export type Finding = Omit<Diagnostic, 'severity' | 'platforms'>

/** The message, with the builds that it concerns where these are not all. */
export const messageOf = ({ message, platforms: concerned }: Pick<Diagnostic, 'message' | 'platforms'>): string =>
  concerned.length < platforms.length ? `${message} (${concerned.join(', ')})` : message

/** What these are about does nothing. */
const idle: ReadonlySet<Code> = new Set(['key-no-effect', 'key-platform', 'key-duplicate', 'bar-hidden'])

/** Whether what a diagnostic is about does nothing: editors show it faded. */
export const isUnnecessary = ({ code }: Diagnostic): boolean => idle.has(code)
