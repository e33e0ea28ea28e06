import { type CheckOptions, check } from './check/check.ts'
import type { Code } from './check/codes.ts'
import { readPages } from './config.ts'
import type { Diagnostic } from './diagnostic.ts'
import { applyEdits, fixAll } from './edit.ts'

/** Codes whose fix guesses which page the author meant. Such fixes are offered, but never applied automatically. */
const guesses: ReadonlySet<Code> = new Set(['tab-page-unknown', 'condition-page-unknown'])

/** Tells whether a diagnostic has a fix that can be applied automatically. */
export const isSafe = ({ code, fix }: Diagnostic): boolean => fix !== undefined && !guesses.has(code)

/** More than any file needs. Stops fixes that undo each other. */
const maxRounds = 20

export type FixResult = {
  readonly text: string
  /** Number of diagnostics that were fixed. */
  readonly fixed: number
  readonly remaining: readonly Diagnostic[]
}

/**
 * Applies all safe fixes, repeatedly, because a fix may reveal further diagnostics. Stops before a round that would
 * cause additional syntax errors.
 */
export function fixText(text: string, options: CheckOptions): FixResult {
  let current = text
  let remaining: readonly Diagnostic[] = check(readPages(current), options)
  let fixed = 0
  for (let round = 0; round < maxRounds; round += 1) {
    const safe = remaining.filter(isSafe)
    let step = apply(current, safe, options)
    // If the object already has the correctly spelled key, correcting the other one would change which of them counts.
    if (count(step.remaining, 'key-duplicate') > count(remaining, 'key-duplicate')) {
      step = apply(
        current,
        safe.filter(({ code }) => code !== 'key-unknown'),
        options,
      )
    }
    if (step.text === current || count(step.remaining, 'syntax-') > count(remaining, 'syntax-')) break
    current = step.text
    remaining = step.remaining
    fixed += step.fixed
  }
  return { text: current, fixed, remaining }
}

function apply(text: string, diagnostics: readonly Diagnostic[], options: CheckOptions): FixResult {
  const { edits, fixed } = fixAll(diagnostics)
  const next = applyEdits(text, edits)
  return { text: next, fixed: fixed.length, remaining: check(readPages(next), options) }
}

const count = (diagnostics: readonly Diagnostic[], code: string): number =>
  diagnostics.filter((each) => each.code.startsWith(code)).length
