import { type CheckOptions, check } from './check/check.ts'
import type { Code } from './check/codes.ts'
import { readPages, variantFor } from './config.ts'
import { type Diagnostic, platforms } from './diagnostic.ts'
import { applyEdits, fixAll } from './edit.ts'

/** Codes whose fix guesses which page the author meant. Such fixes are offered, but never applied automatically. */
const guesses: ReadonlySet<Code> = new Set(['tab-page-unknown', 'condition-page-unknown', 'page-file-missing'])

/** Returns whether a diagnostic has a fix that can be applied automatically. */
export const isSafe = ({ code, fix }: Diagnostic): boolean => fix !== undefined && !guesses.has(code)

/** Maximum number of rounds, more than any file needs. Stops fixes that undo each other. */
const maxRounds = 20

/** Maximum number of checks, which bounds the search for the fixes that make a file worse. */
const maxChecks = 100

export type FixResult = {
  readonly text: string
  /** Number of diagnostics that were fixed. */
  readonly fixed: number
  readonly remaining: readonly Diagnostic[]
}

/**
 * Applies all safe fixes, repeatedly, because a fix may reveal further diagnostics. Fixes that would make the file
 * worse are left out.
 */
export function fixText(text: string, options: CheckOptions): FixResult {
  let current = assess(text, options)
  let fixed = 0
  const budget = { checks: maxChecks }
  for (let round = 0; round < maxRounds; round += 1) {
    const step = improve(current, current.remaining.filter(isSafe), options, budget)
    if (step === undefined) break
    current = step
    fixed += step.fixed
  }
  return { text: current.text, fixed, remaining: current.remaining }
}

/** A text with what must not get worse. */
type Assessed = {
  readonly text: string
  readonly remaining: readonly Diagnostic[]
  readonly errors: number
  readonly duplicates: number
  /** The number of pages of each platform. */
  readonly pages: readonly number[]
}

function assess(text: string, options: CheckOptions): Assessed {
  const config = readPages(text, options)
  const remaining = check(config, options)
  return {
    text,
    remaining,
    errors: remaining.filter(({ severity }) => severity === 'error').length,
    duplicates: remaining.filter(({ code }) => code === 'key-duplicate').length,
    pages: platforms.map((platform) => variantFor(config, platform).model.pages.length),
  }
}

/** Applies the fixes, or else the first half of them that makes nothing worse; undefined if none is found. */
function improve(
  before: Assessed,
  diagnostics: readonly Diagnostic[],
  options: CheckOptions,
  budget: { checks: number },
): (Assessed & { fixed: number }) | undefined {
  const { edits, fixed } = fixAll(diagnostics)
  if (fixed.length === 0 || budget.checks === 0) return undefined
  budget.checks -= 1
  const after = assess(applyEdits(before.text, edits), options)
  if (after.text !== before.text && !isWorse(before, after)) return { ...after, fixed: fixed.length }
  if (diagnostics.length === 1) return undefined
  const half = diagnostics.length >> 1
  const [first, second] = [diagnostics.slice(0, half), diagnostics.slice(half)]
  return improve(before, first, options, budget) ?? improve(before, second, options, budget)
}

/**
 * Returns whether a step added errors, lost pages, or renamed a key to one that the object already has, which would
 * change the one that counts.
 */
const isWorse = (before: Assessed, after: Assessed): boolean =>
  after.errors > before.errors ||
  after.duplicates > before.duplicates ||
  after.pages.some((count, index) => count < before.pages[index]!)
