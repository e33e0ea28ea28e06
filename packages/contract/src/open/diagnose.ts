import { bytesToHex } from '@noble/hashes/utils.js'
import { wellFormed } from '../wellFormed.ts'
import {
  type Deviation,
  digestOf,
  digestsOfLength,
  type Pair,
  type Recipe,
  rightRecipe,
  type Slip,
  secretDeviations,
  steps,
  textOf,
  timestampsNearby,
  wholeTexts,
} from './diagnose.deviations.ts'
import { type Mistake, mistakes } from './diagnose.mistakes.ts'
import { equalInConstantTime, fromBase64 } from './sha256.ts'
import { maskSecrets } from './sign.ts'

export type { Mistake }

/** A signing mistake, explained in two sentences: what was done, and what is correct with the section that says so. */
export interface Diagnosis {
  readonly mistake: Mistake
  readonly explanation: string
  /** The parameter concerned, if there is one. */
  readonly parameter?: string
}

/** A request whose sign does not verify. */
export interface SignedRequest {
  /** The decoded parameters in the order of arrival, with or without `sign`. */
  readonly parameters: Iterable<readonly [name: string, value: string]>
  /** The received sign. */
  readonly sign: string
  /** The raw body or query string, if available. */
  readonly rawText?: string
}

/** The app's secrets. Any of `active` verifies; `retired` ones are only tried to explain a mistake. */
export interface SecretsToTry {
  readonly active: readonly string[]
  readonly retired?: readonly string[]
}

/**
 * Finds the mistakes that were made when signing: those of the simplest explanation that yields exactly the received
 * sign. Returns an empty list if the sign is correct, or if no known mistake yields it (most likely the secret is
 * different).
 *
 * It applies known mistakes and compares the digests, so it only confirms a digest that the caller already has. The
 * result never contains the correct sign, the secret, or a parameter value.
 *
 * Takes about 60 ms of processor time if nothing matches. Use it in a sandbox, on the command line or in a backend's
 * own process, not in the request gate of a live installation.
 */
export function diagnose(request: SignedRequest, secrets: SecretsToTry): Diagnosis[] {
  const received = [...request.parameters]
  const facts = plainFacts(received, request.rawText)
  for (const { hex, slips } of readingsOf(request.sign)) {
    const made = explain(hex, received, request.rawText, secrets)
    if (made) return described([...made, ...slips, ...facts], secrets)
  }
  return described(/^[0-9a-f]{64}$/.test(request.sign) ? facts : [...facts, { mistake: 'sign_malformed' }], secrets)
}

function plainFacts(received: readonly Pair[], rawText = ''): Slip[] {
  const facts: Slip[] = []
  if (/^\s{0,8}\{\s{0,8}["}]/.test(rawText)) facts.push({ mistake: 'json_body' })
  if (received.some(([name, value]) => name === 'timestamp' && /^\d{9,10}$/.test(value))) {
    facts.push({ mistake: 'timestamp_in_seconds' })
  }
  return facts
}

const maxNameShown = 64

function described(slips: readonly Slip[], { active, retired = [] }: SecretsToTry): Diagnosis[] {
  const diagnoses = new Map<string, Diagnosis>()
  for (const { mistake, about: name } of slips) {
    // Mask before shortening, or half of a secret in a name would remain.
    const about = name && maskSecrets(name, [...active, ...retired])
    const parameter =
      about === undefined || about.length <= maxNameShown ? about : `${wellFormed(about.slice(0, maxNameShown))}…`
    const explanation = mistakes[mistake](parameter ?? '')
    diagnoses.set(explanation, { mistake, explanation, ...(parameter === undefined ? {} : { parameter }) })
  }
  return [...diagnoses.values()]
}

/** Maximum length of a sign that is parsed. No digest is longer in any notation. */
const maxSignLength = 256

/** Returns the digests that a sign can represent, in lowercase hex, with the mistakes in its notation. */
function readingsOf(sign: string): { hex: string; slips: Slip[] }[] {
  if (sign.length > maxSignLength) return []
  const readings: { hex: string; slips: Slip[] }[] = []
  const digits = sign.replace(/[\s"'\-:]/g, '')
  if (/^[0-9a-f]+$/i.test(digits)) {
    const slips: Slip[] = []
    if (/[A-F]/.test(digits)) slips.push({ mistake: 'sign_upper_case' })
    if (digits !== sign) slips.push({ mistake: 'sign_decorated' })
    readings.push({ hex: digits.toLowerCase(), slips })
  }
  // An unencoded "+" arrives as a space.
  const bytes = fromBase64(sign.trim().replaceAll(' ', '+'))
  if (bytes) {
    const text = String.fromCharCode(...bytes)
    const hex = /^[0-9a-f]{32,128}$/i.test(text) ? text.toLowerCase() : bytesToHex(bytes)
    readings.push({ hex, slips: [{ mistake: 'sign_base64' }] })
  }
  return readings
}

/** Work limit: total number of characters to hash, plus a fixed cost per attempt. */
const maxCharacters = 4_000_000
const attemptCost = 200
/** Maximum length of a request that is analyzed, because every attempt serializes the whole request. */
const maxRequestLength = 65_536
/** Maximum number of conventions of other platforms that are combined. */
const maxHabits = 5

/** A secret with the correct recipe and all variants of its steps. */
interface Suspect {
  readonly right: Recipe
  readonly steps: readonly (readonly Deviation[])[]
  readonly habits: readonly (readonly Deviation[])[]
}

interface Attempt {
  readonly right: Recipe
  readonly deviations: readonly Deviation[]
}

/** Returns the mistakes of the simplest variant with this digest: empty if it is correct, undefined if none matches. */
function explain(
  hex: string,
  received: readonly Pair[],
  rawText: string | undefined,
  secrets: SecretsToTry,
): readonly Slip[] | undefined {
  const digests = digestsOfLength(hex.length / 2)
  const length = received.reduce((sum, [name, value]) => sum + name.length + value.length, rawText?.length ?? 0)
  if (!digests || length > maxRequestLength) return undefined
  const suspects = secrets.active.map((secret): Suspect => {
    const right = rightRecipe(received, secret)
    const all = [...steps(received, right), secretDeviations(secret, secrets.retired ?? [])]
    return { right, steps: all, habits: all.map((step) => step.filter((deviation) => deviation.habit)) }
  })
  let left = maxCharacters
  for (const { right, deviations } of attempts(suspects, digests.plain, digests.keyed, rawText)) {
    const recipe: Recipe = Object.assign({}, right, ...deviations.map((deviation) => deviation.change))
    const text = textOf(recipe)
    left -= text.length + attemptCost
    if (left < 0) return undefined
    if (equalInConstantTime(hex, digestOf(recipe, text))) return deviations.flatMap((deviation) => deviation.slips)
  }
  return undefined
}

/** Yields variants of signing, simple and likely ones first. */
function* attempts(
  suspects: readonly Suspect[],
  plain: Deviation,
  keyed: readonly Deviation[],
  rawText: string | undefined,
): Generator<Attempt> {
  for (const { right } of suspects) yield { right, deviations: [plain] }
  for (const { right, steps } of suspects) {
    for (const deviations of [[], ...combinations(steps, 1), ...wholeTexts(right, rawText).map((whole) => [whole])]) {
      for (const digest of deviations.length === 0 ? keyed : [plain, ...keyed]) {
        yield { right, deviations: [...deviations, digest] }
      }
    }
  }
  for (let count = 2; count <= maxHabits; count++) {
    for (const { right, habits } of suspects) {
      for (const deviations of combinations(habits, count)) {
        for (const digest of [plain, ...keyed]) yield { right, deviations: [...deviations, digest] }
      }
    }
  }
  for (const { right } of suspects) {
    for (const nearby of timestampsNearby(right)) yield { right, deviations: [plain, nearby] }
  }
  for (const { right, steps } of suspects) {
    for (const deviations of combinations(steps, 2)) yield { right, deviations: [plain, ...deviations] }
  }
}

/** Yields all variants that change exactly `count` steps. */
function* combinations(choices: readonly (readonly Deviation[])[], count: number, from = 0): Generator<Deviation[]> {
  if (count === 0) {
    yield []
    return
  }
  for (let step = from; step <= choices.length - count; step++) {
    for (const deviation of choices[step] ?? []) {
      for (const rest of combinations(choices, count - 1, step + 1)) yield [deviation, ...rest]
    }
  }
}
