import { type CheckOptions, check } from './check/check.ts'
import type { Code } from './check/codes.ts'
import { readPages } from './config.ts'
import type { Diagnostic } from './diagnostic.ts'
import { applyEdits, fixAll } from './edit.ts'

/** Codes whose fix is a guess at which page the author means: offered, never applied unasked. */
const guesses: ReadonlySet<Code> = new Set(['tab-page-unknown', 'condition-page-unknown'])

/** Whether the fix of a diagnostic may be applied without asking. */
export const isSafe = ({ code, fix }: Diagnostic): boolean => fix !== undefined && !guesses.has(code)

/** More than any file needs; it ends two fixes that undo each other. */
const mostRounds = 20

export type FixResult = {
  readonly text: string
  /** How many diagnostics were settled. */
  readonly fixed: number
  readonly remaining: readonly Diagnostic[]
}

/**
 * Applies the safe fixes of all diagnostics, and of those that come up then, until none is remaining. A round that would leave more faults of
 * form than there were is not taken: what it mends is remaining to the author.
 */
export function fixText(text: string, options: CheckOptions): FixResult {
  let current = text
  let remaining: readonly Diagnostic[] = check(readPages(current), options)
  let fixed = 0
  for (let round = 0; round < mostRounds; round += 1) {
    const safe = remaining.filter(isSafe)
    let step = apply(current, safe, options)
    // The right spelling of a key may stand there already, and then correcting the other one would change which of them counts.
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
